use host::ManualClock;

use super::*;
use crate::online::test_server::{ReceivedRequest, TestServer, http};
use crate::test_support::settings;

/// Not a real picture, but it begins like one and survives a text-based server.
const WEBP: &str = "RIFF1234WEBPxxxx";

struct Fixture {
    server: TestServer,
    tiles: Tiles,
    clock: Arc<ManualClock>,
    folder: tempfile::TempDir,
}

async fn fixture(
    template: &'static str,
    reply: impl Fn(&ReceivedRequest) -> String + Send + Sync + 'static,
) -> Fixture {
    let server = TestServer::open(reply).await;
    // File times come from the system clock.
    let clock = Arc::new(ManualClock::new(Timestamp::now()));
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(|config| {
        config.map.online = true;
        config.map.tiles_url = template.into();
    });
    let tiles = Tiles::new(server.web(), settings, Arc::clone(&clock) as Arc<dyn Clock>, folder.path());
    Fixture { server, tiles, clock, folder }
}

const TEMPLATE: &str = "http://tiles.example/{z}/{x}/{y}.webp";

#[tokio::test]
async fn a_picture_is_fetched_once_a_month() {
    let fixture = fixture(TEMPLATE, |_| http(200, "image/webp", WEBP)).await;
    for _ in 0..3 {
        let tile = fixture.tiles.get(3, 7, 0).await.unwrap();
        assert_eq!((tile.content_type, tile.bytes.as_slice()), ("image/webp", WEBP.as_bytes()));
    }
    let asked = fixture.server.requests();
    assert_eq!((asked.len(), asked[0].path()), (1, "/3/7/0.webp"));
    assert!(asked[0].header("user-agent").unwrap().starts_with("Perigee"));
    fixture.clock.advance(Duration::from_hours(31 * 24));
    fixture.tiles.get(3, 7, 0).await.unwrap();
    assert_eq!(fixture.server.count(), 2);
}

#[tokio::test]
async fn an_old_picture_is_better_than_none() {
    let count = AtomicUsize::new(0);
    let fixture = fixture(TEMPLATE, move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 => http(200, "image/webp", WEBP),
        _ => http(503, "text/plain", "down"),
    })
    .await;
    fixture.tiles.get(0, 0, 0).await.unwrap();
    fixture.clock.advance(Duration::from_hours(40 * 24));
    assert!(fixture.tiles.get(0, 0, 0).await.is_ok());
    assert!(matches!(
        fixture.tiles.get(1, 0, 0).await,
        Err(TileError::Fetch(FetchError::Status { status: 503, .. }))
    ));
}

#[tokio::test]
async fn only_parts_of_the_map_that_are_there_are_asked_for() {
    let fixture = fixture(TEMPLATE, |_| http(200, "image/webp", WEBP)).await;
    for (z, x, y) in [(20, 0, 0), (255, 0, 0), (0, 1, 0), (0, 0, 1), (3, 8, 0), (19, u32::MAX, 0), (5, 0, 32)]
    {
        assert_eq!(fixture.tiles.get(z, x, y).await, Err(TileError::NoSuchTile), "{z} {x} {y}");
    }
    assert!(fixture.tiles.get(19, (1 << 19) - 1, 0).await.is_ok());
    assert_eq!(fixture.server.count(), 1);
    let off = Tiles::new(
        fixture.server.web(),
        settings(|_| ()),
        Arc::clone(&fixture.clock) as _,
        fixture.folder.path(),
    );
    assert_eq!(off.get(0, 0, 0).await, Err(TileError::Off));
}

#[tokio::test]
async fn what_is_no_picture_is_neither_shown_nor_kept() {
    let lying = fixture(TEMPLATE, |_| http(200, "image/png", "<script>alert(1)</script>")).await;
    assert_eq!(lying.tiles.get(0, 0, 0).await, Err(TileError::NotAPicture));
    assert!(!lying.folder.path().join("tiles").exists());
    let page = fixture(TEMPLATE, |_| http(200, "text/html", WEBP)).await;
    assert!(matches!(page.tiles.get(0, 0, 0).await, Err(TileError::Fetch(FetchError::NotAPicture(_)))));
    for template in ["http://tiles.example/{z}/{x}.png", "nonsense {z} {x} {y}"] {
        let fixture = fixture(template, |_| http(200, "image/webp", WEBP)).await;
        assert_eq!(fixture.tiles.get(0, 0, 0).await, Err(TileError::BadAddress));
    }
    let inside = fixture("http://127.0.0.1/{z}/{x}/{y}", |_| http(200, "image/webp", WEBP)).await;
    assert!(matches!(inside.tiles.get(0, 0, 0).await, Err(TileError::Fetch(FetchError::Unreachable(_)))));
    assert_eq!(tile(b"\x89PNG\r\n\x1a\nrest".to_vec()).unwrap().content_type, "image/png");
    assert_eq!(tile(b"\xff\xd8\xff\xe0".to_vec()).unwrap().content_type, "image/jpeg");
    assert_eq!(tile(b"GIF89a".to_vec()), None);
}

#[tokio::test]
async fn a_torn_picture_is_fetched_again_and_the_oldest_make_room() {
    let mut fixture = fixture(TEMPLATE, |_| http(200, "image/webp", WEBP)).await;
    fixture.tiles.get(2, 0, 0).await.unwrap();
    let folder = fixture.folder.path().join("tiles");
    let files = || {
        let root = RootDir::open(&folder).unwrap();
        root.list("").unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    let first = files().remove(0);
    host::atomic_write(folder.join(&first), b"RI").unwrap();
    assert!(fixture.tiles.get(2, 0, 0).await.is_ok());
    assert_eq!(fixture.server.count(), 2);
    fixture.tiles.capacity = 2 * WEBP.len() as u64;
    for x in 0..4 {
        fixture.tiles.stored.store(0, Ordering::Relaxed);
        fixture.tiles.get(4, x, 0).await.unwrap();
    }
    assert_eq!(files().len(), 2);
    assert!(!files().contains(&first));
    fixture.clock.advance(Duration::from_hours(31 * 24));
    fixture.tiles.stored.store(0, Ordering::Relaxed);
    fixture.tiles.get(5, 0, 0).await.unwrap();
    assert!(files().len() <= 1, "what is too old goes");
}
