use std::sync::atomic::{AtomicUsize, Ordering};

use host::ManualClock;

use super::*;
use crate::online::test_server::{ReceivedRequest, TestServer, http, json as answer};
use crate::test_support::settings;

struct Fixture {
    server: TestServer,
    clock: Arc<ManualClock>,
    auth: SpotifyAuth,
    folder: tempfile::TempDir,
}

async fn fixture(reply: impl Fn(&ReceivedRequest) -> String + Send + Sync + 'static) -> Fixture {
    let server = TestServer::open(reply).await;
    let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let settings = settings(|config| config.spotify.client_id = Some("client-1".into()));
    let auth =
        SpotifyAuth::new(settings, Arc::clone(&clock) as Arc<dyn Clock>, server.url("/").as_str()).unwrap();
    Fixture { server, clock, auth, folder: tempfile::tempdir().unwrap() }
}

/// Issues `access-1`, `access-2` … and accepts any code or refresh token.
fn generous() -> impl Fn(&ReceivedRequest) -> String + Send + Sync + 'static {
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

impl Fixture {
    fn folder(&self) -> &Path {
        self.folder.path()
    }

    async fn sign_in(&self) {
        let SpotifySignIn { state, .. } = self.auth.begin(self.folder(), BACK).unwrap();
        self.auth.finish(self.folder(), &state, "code-1").await.unwrap();
    }
}

fn field(body: &str, name: &str) -> Option<String> {
    let url = Url::parse(&format!("http://x/?{body}")).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

#[tokio::test]
async fn signing_in_proves_who_began_and_keeps_the_tokens_private() {
    let fixture = fixture(generous()).await;
    assert_eq!(fixture.auth.status(fixture.folder()).await, SignInStatus::SignedOut);
    let SpotifySignIn { url, state } = fixture.auth.begin(fixture.folder(), BACK).unwrap();
    let url = Url::parse(&url).unwrap();
    assert_eq!(url.path(), "/authorize");
    let query = url.query().unwrap();
    assert_eq!(field(query, "client_id").as_deref(), Some("client-1"));
    assert_eq!(field(query, "redirect_uri").as_deref(), Some(BACK));
    assert_eq!(field(query, "state").as_deref(), Some(state.as_str()));
    assert_eq!(field(query, "code_challenge_method").as_deref(), Some("S256"));
    assert!(field(query, "client_secret").is_none());
    fixture.auth.finish(fixture.folder(), &state, "code-1").await.unwrap();
    let asked = &fixture.server.requests()[0];
    assert_eq!(asked.path(), "/api/token");
    let verifier = field(&asked.body, "code_verifier").unwrap();
    assert_eq!(field(query, "code_challenge").unwrap(), challenge(&Secret::new(verifier.as_str())));
    assert!((43..=128).contains(&verifier.len()));
    assert_eq!(fixture.auth.status(fixture.folder()).await, SignInStatus::SignedIn);
    assert_eq!(fixture.auth.access(fixture.folder()).await.unwrap(), Secret::new("access-1"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(fixture.folder().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    fixture.auth.sign_out(fixture.folder()).await.unwrap();
    fixture.auth.sign_out(fixture.folder()).await.unwrap();
    assert_eq!(fixture.auth.status(fixture.folder()).await, SignInStatus::SignedOut);
    assert_eq!(fixture.auth.access(fixture.folder()).await, Err(SpotifyAuthError::SignedOut));
}

#[tokio::test]
async fn a_state_is_good_once_for_ten_minutes_and_for_one_user() {
    let fixture = fixture(generous()).await;
    let begin = || fixture.auth.begin(fixture.folder(), BACK).unwrap().state;
    let unknown = Err(SpotifyAuthError::UnknownState);
    assert_eq!(fixture.auth.finish(fixture.folder(), "made up", "code").await, unknown);
    assert_eq!(fixture.auth.finish(fixture.folder(), "", "code").await, unknown);
    let used = begin();
    fixture.auth.finish(fixture.folder(), &used, "code").await.unwrap();
    assert_eq!(fixture.auth.finish(fixture.folder(), &used, "code").await, unknown);
    let others = begin();
    let stranger = tempfile::tempdir().unwrap();
    assert_eq!(fixture.auth.finish(stranger.path(), &others, "code").await, unknown);
    assert_eq!(fixture.auth.finish(fixture.folder(), &others, "code").await, unknown, "it is used up");
    let late = begin();
    fixture.clock.advance(Duration::from_mins(10));
    assert_eq!(fixture.auth.finish(fixture.folder(), &late, "code").await, unknown);
    assert_eq!(fixture.server.count(), 1, "only the good one was sent on");
    let first = begin();
    for _ in 0..MOST_PENDING {
        begin();
    }
    assert_eq!(fixture.auth.finish(fixture.folder(), &first, "code").await, unknown, "the oldest makes room");
}

#[tokio::test]
async fn tokens_are_renewed_ahead_of_time_and_once_for_all() {
    let fixture = fixture(generous()).await;
    fixture.sign_in().await;
    fixture.clock.advance(Duration::from_mins(58));
    assert_eq!(fixture.auth.access(fixture.folder()).await.unwrap().expose(), "access-1");
    fixture.clock.advance(Duration::from_mins(1));
    let (a, b, c) = tokio::join!(
        fixture.auth.access(fixture.folder()),
        fixture.auth.access(fixture.folder()),
        fixture.auth.access(fixture.folder())
    );
    for token in [a, b, c] {
        assert_eq!(token.unwrap().expose(), "access-2");
    }
    assert_eq!(fixture.server.count(), 2);
    assert_eq!(field(&fixture.server.requests()[1].body, "refresh_token").as_deref(), Some("refresh-1"));
    let refused = Secret::new("access-2");
    let (a, b) = tokio::join!(
        fixture.auth.renewed(fixture.folder(), &refused),
        fixture.auth.renewed(fixture.folder(), &refused)
    );
    assert_eq!((a.unwrap().expose(), b.unwrap().expose()), ("access-3", "access-3"));
    assert_eq!(fixture.server.count(), 3);
}

#[tokio::test]
async fn a_permission_taken_back_signs_out_and_a_lost_network_does_not() {
    let answers = |status: u16| {
        move |asked: &ReceivedRequest| {
            if asked.body.contains("authorization_code") {
                answer(&json!({"access_token": "a", "refresh_token": "r", "expires_in": 3600}))
            } else {
                http(status, "application/json", "{\"error\":\"invalid_grant\"}")
            }
        }
    };
    let revoked = fixture(answers(400)).await;
    revoked.sign_in().await;
    revoked.clock.advance(Duration::from_hours(2));
    assert_eq!(revoked.auth.access(revoked.folder()).await, Err(SpotifyAuthError::SignedOut));
    assert!(!revoked.folder().join(FILE).exists());

    let down = fixture(answers(503)).await;
    down.sign_in().await;
    down.clock.advance(Duration::from_hours(2));
    let error = down.auth.access(down.folder()).await.unwrap_err();
    assert_eq!(error.to_string(), "Spotify answered with 503. Try again later.");
    assert_eq!(down.auth.status(down.folder()).await, SignInStatus::SignedIn);
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let refusing = fixture(|_| http(400, "application/json", "{\"error\":\"invalid_client\"}")).await;
    let SpotifySignIn { state, .. } = refusing.auth.begin(refusing.folder(), BACK).unwrap();
    assert_eq!(refusing.auth.finish(refusing.folder(), &state, "code").await, Err(SpotifyAuthError::Refused));
    assert_eq!(
        refusing.auth.begin(refusing.folder(), "javascript:alert(1)"),
        Err(SpotifyAuthError::BadRedirect)
    );
    assert_eq!(refusing.auth.begin(refusing.folder(), "nonsense"), Err(SpotifyAuthError::BadRedirect));

    let odd = fixture(|_| answer(&json!({"token_type": "Bearer"}))).await;
    let SpotifySignIn { state, .. } = odd.auth.begin(odd.folder(), BACK).unwrap();
    assert!(matches!(
        odd.auth.finish(odd.folder(), &state, "code").await,
        Err(SpotifyAuthError::Unreachable(_))
    ));

    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let none = SpotifyAuth::new(settings(|_| ()), clock, "https://accounts.example").unwrap();
    assert_eq!(none.begin(odd.folder(), BACK), Err(SpotifyAuthError::NotSetUp));
    assert_eq!(none.status(odd.folder()).await, SignInStatus::NotSetUp);
}

#[tokio::test]
async fn a_torn_file_or_one_of_another_client_counts_as_signed_out() {
    let fixture = fixture(generous()).await;
    let path = fixture.folder().join(FILE);
    let other =
        json!({"clientId": "client-2", "access": "a", "refresh": "r", "until": "2030-01-01T00:00:00Z"});
    for text in ["", "{\"clientId\":\"client-1\",\"acc", "[]", &other.to_string()] {
        host::atomic_write_private(&path, text.as_bytes()).unwrap();
        assert_eq!(fixture.auth.status(fixture.folder()).await, SignInStatus::SignedOut, "{text}");
    }
    fixture.sign_in().await;
    assert_eq!(fixture.auth.status(fixture.folder()).await, SignInStatus::SignedIn);
}
