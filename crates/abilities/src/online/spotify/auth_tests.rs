use std::sync::atomic::{AtomicUsize, Ordering};

use host::ManualClock;

use super::*;
use crate::online::testing::{Asked, Stage, http, json as answer, settings};

struct Scene {
    stage: Stage,
    clock: Arc<ManualClock>,
    auth: Auth,
    folder: tempfile::TempDir,
}

async fn scene(reply: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Scene {
    let stage = Stage::open(reply).await;
    let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let settings = settings(|config| config.spotify.client_id = Some("client-1".into()));
    let auth = Auth::new(settings, Arc::clone(&clock) as Arc<dyn Clock>, stage.url("/").as_str()).unwrap();
    Scene { stage, clock, auth, folder: tempfile::tempdir().unwrap() }
}

/// Issues `access-1`, `access-2` … and accepts any code or refresh token.
fn generous() -> impl Fn(&Asked) -> String + Send + Sync + 'static {
    let count = AtomicUsize::new(0);
    move |asked| {
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let mut tokens = json!({"access_token": format!("access-{number}"), "expires_in": 3600});
        if asked.body.contains("authorization_code") {
            tokens["refresh_token"] = "refresh-1".into();
        }
        answer(&tokens)
    }
}

const BACK: &str = "http://127.0.0.1:8899/spotify";

impl Scene {
    fn folder(&self) -> &Path {
        self.folder.path()
    }

    async fn sign_in(&self) {
        let SignIn { state, .. } = self.auth.begin(self.folder(), BACK).unwrap();
        self.auth.finish(self.folder(), &state, "code-1").await.unwrap();
    }
}

fn field(body: &str, name: &str) -> Option<String> {
    let url = Url::parse(&format!("http://x/?{body}")).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

#[tokio::test]
async fn signing_in_proves_who_began_and_keeps_the_tokens_private() {
    let scene = scene(generous()).await;
    assert_eq!(scene.auth.status(scene.folder()).await, Status::SignedOut);
    let SignIn { url, state } = scene.auth.begin(scene.folder(), BACK).unwrap();
    let url = Url::parse(&url).unwrap();
    assert_eq!(url.path(), "/authorize");
    let query = url.query().unwrap();
    assert_eq!(field(query, "client_id").as_deref(), Some("client-1"));
    assert_eq!(field(query, "redirect_uri").as_deref(), Some(BACK));
    assert_eq!(field(query, "state").as_deref(), Some(state.as_str()));
    assert_eq!(field(query, "code_challenge_method").as_deref(), Some("S256"));
    assert!(field(query, "client_secret").is_none());
    scene.auth.finish(scene.folder(), &state, "code-1").await.unwrap();
    let asked = &scene.stage.asked()[0];
    assert_eq!(asked.path(), "/api/token");
    let verifier = field(&asked.body, "code_verifier").unwrap();
    assert_eq!(field(query, "code_challenge").unwrap(), challenge(&Secret::new(verifier.as_str())));
    assert!((43..=128).contains(&verifier.len()));
    assert_eq!(scene.auth.status(scene.folder()).await, Status::SignedIn);
    assert_eq!(scene.auth.access(scene.folder()).await.unwrap(), Secret::new("access-1"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(scene.folder().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    scene.auth.sign_out(scene.folder()).await.unwrap();
    scene.auth.sign_out(scene.folder()).await.unwrap();
    assert_eq!(scene.auth.status(scene.folder()).await, Status::SignedOut);
    assert_eq!(scene.auth.access(scene.folder()).await, Err(AuthError::SignedOut));
}

#[tokio::test]
async fn a_state_is_good_once_for_ten_minutes_and_for_one_user() {
    let scene = scene(generous()).await;
    let begin = || scene.auth.begin(scene.folder(), BACK).unwrap().state;
    let unknown = Err(AuthError::UnknownState);
    assert_eq!(scene.auth.finish(scene.folder(), "made up", "code").await, unknown);
    assert_eq!(scene.auth.finish(scene.folder(), "", "code").await, unknown);
    let used = begin();
    scene.auth.finish(scene.folder(), &used, "code").await.unwrap();
    assert_eq!(scene.auth.finish(scene.folder(), &used, "code").await, unknown);
    let others = begin();
    let stranger = tempfile::tempdir().unwrap();
    assert_eq!(scene.auth.finish(stranger.path(), &others, "code").await, unknown);
    assert_eq!(scene.auth.finish(scene.folder(), &others, "code").await, unknown, "it is used up");
    let late = begin();
    scene.clock.advance(Duration::from_mins(10));
    assert_eq!(scene.auth.finish(scene.folder(), &late, "code").await, unknown);
    assert_eq!(scene.stage.count(), 1, "only the good one was sent on");
    let first = begin();
    for _ in 0..MOST_PENDING {
        begin();
    }
    assert_eq!(scene.auth.finish(scene.folder(), &first, "code").await, unknown, "the oldest makes room");
}

#[tokio::test]
async fn tokens_are_renewed_ahead_of_time_and_once_for_all() {
    let scene = scene(generous()).await;
    scene.sign_in().await;
    scene.clock.advance(Duration::from_mins(58));
    assert_eq!(scene.auth.access(scene.folder()).await.unwrap().expose(), "access-1");
    scene.clock.advance(Duration::from_mins(1));
    let (a, b, c) = tokio::join!(
        scene.auth.access(scene.folder()),
        scene.auth.access(scene.folder()),
        scene.auth.access(scene.folder())
    );
    for token in [a, b, c] {
        assert_eq!(token.unwrap().expose(), "access-2");
    }
    assert_eq!(scene.stage.count(), 2);
    assert_eq!(field(&scene.stage.asked()[1].body, "refresh_token").as_deref(), Some("refresh-1"));
    let refused = Secret::new("access-2");
    let (a, b) = tokio::join!(
        scene.auth.renewed(scene.folder(), &refused),
        scene.auth.renewed(scene.folder(), &refused)
    );
    assert_eq!((a.unwrap().expose(), b.unwrap().expose()), ("access-3", "access-3"));
    assert_eq!(scene.stage.count(), 3);
}

#[tokio::test]
async fn a_permission_taken_back_signs_out_and_a_lost_network_does_not() {
    let answers = |status: u16| {
        move |asked: &Asked| {
            if asked.body.contains("authorization_code") {
                answer(&json!({"access_token": "a", "refresh_token": "r", "expires_in": 3600}))
            } else {
                http(status, "application/json", "{\"error\":\"invalid_grant\"}")
            }
        }
    };
    let revoked = scene(answers(400)).await;
    revoked.sign_in().await;
    revoked.clock.advance(Duration::from_hours(2));
    assert_eq!(revoked.auth.access(revoked.folder()).await, Err(AuthError::SignedOut));
    assert!(!revoked.folder().join(FILE).exists());

    let down = scene(answers(503)).await;
    down.sign_in().await;
    down.clock.advance(Duration::from_hours(2));
    let error = down.auth.access(down.folder()).await.unwrap_err();
    assert_eq!(error.to_string(), "Spotify answered with 503. Try again later.");
    assert_eq!(down.auth.status(down.folder()).await, Status::SignedIn);
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let refusing = scene(|_| http(400, "application/json", "{\"error\":\"invalid_client\"}")).await;
    let SignIn { state, .. } = refusing.auth.begin(refusing.folder(), BACK).unwrap();
    assert_eq!(refusing.auth.finish(refusing.folder(), &state, "code").await, Err(AuthError::Refused));
    assert_eq!(refusing.auth.begin(refusing.folder(), "javascript:alert(1)"), Err(AuthError::BadRedirect));
    assert_eq!(refusing.auth.begin(refusing.folder(), "nonsense"), Err(AuthError::BadRedirect));

    let odd = scene(|_| answer(&json!({"token_type": "Bearer"}))).await;
    let SignIn { state, .. } = odd.auth.begin(odd.folder(), BACK).unwrap();
    assert!(matches!(odd.auth.finish(odd.folder(), &state, "code").await, Err(AuthError::Unreachable(_))));

    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let none = Auth::new(settings(|_| ()), clock, "https://accounts.example").unwrap();
    assert_eq!(none.begin(odd.folder(), BACK), Err(AuthError::NotSetUp));
    assert_eq!(none.status(odd.folder()).await, Status::NotSetUp);
}

#[tokio::test]
async fn a_torn_file_or_one_of_another_client_counts_as_signed_out() {
    let scene = scene(generous()).await;
    let path = scene.folder().join(FILE);
    let other =
        json!({"clientId": "client-2", "access": "a", "refresh": "r", "until": "2030-01-01T00:00:00Z"});
    for text in ["", "{\"clientId\":\"client-1\",\"acc", "[]", &other.to_string()] {
        host::atomic_write_private(&path, text.as_bytes()).unwrap();
        assert_eq!(scene.auth.status(scene.folder()).await, Status::SignedOut, "{text}");
    }
    scene.sign_in().await;
    assert_eq!(scene.auth.status(scene.folder()).await, Status::SignedIn);
}
