//! Signing in and out, tokens, and secrets that must never be stored elsewhere.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply, perigee_command};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::support::{BIN, Client, Setup, Socket, Stage, kinds, soon};

#[tokio::test]
async fn a_token_signs_a_browser_in_until_it_signs_out() {
    let stage = Stage::start().await;
    let stranger = stage.stranger();
    for wrong in [
        json!({}),
        json!({ "token": "" }),
        json!({ "token": "nonsense" }),
        json!({ "code": "nonsense" }),
        json!({ "code": "" }),
    ] {
        let refused = stranger.post("/api/auth/login", wrong.clone()).await;
        assert_eq!(refused.refusal(), (401, "unauthorized".into()), "{wrong}");
        assert_eq!(refused.header("set-cookie"), None, "{wrong}");
    }
    let status = stranger.get("/api/auth/status").await.json();
    assert_eq!(
        (&status["enabled"], &status["authenticated"], &status["user"]),
        (&json!(true), &json!(false), &Value::Null)
    );
    assert_eq!(stranger.get("/api/auth/check").await.status, 401);

    let token = stage.server().token();
    let signed_in = stranger.post("/api/auth/login", json!({ "token": token })).await;
    assert_eq!(signed_in.status, 200);
    let status = signed_in.json();
    assert_eq!((&status["authenticated"], &status["user"]["owner"]), (&json!(true), &json!(true)));
    assert_eq!(status, stage.with_token(token).get("/api/auth/status").await.json());
    let cookie = signed_in.header("set-cookie").unwrap();
    let attributes: BTreeSet<String> = cookie.split("; ").skip(1).map(str::to_lowercase).collect();
    for attribute in ["httponly", "samesite=strict", "path=/"] {
        assert!(attributes.contains(attribute), "{cookie}");
    }
    assert!(!attributes.iter().any(|attribute| attribute.starts_with("domain")), "{cookie}");
    assert!(!cookie.contains(token), "the cookie is not the token: every service of this machine sees it");

    let browser = stage.with_cookie(cookie.split(';').next().unwrap());
    assert_eq!(browser.get("/api/auth/check").await.status, 204);
    assert_eq!(browser.get("/api/auth/status").await.json()["user"]["owner"], true);
    let sessions = browser.get("/api/sessions").await.json();
    assert_eq!(sessions.as_array().unwrap().len(), 1);
    assert_eq!(sessions[0]["current"], true);
    assert!(
        !sessions.to_string().contains(cookie.split(['=', ';']).nth(1).unwrap()),
        "a list holds no secrets"
    );

    let signed_out = browser.post("/api/auth/logout", json!({})).await;
    assert!(signed_out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(browser.get("/api/auth/check").await.status, 401);
    assert_eq!(browser.get("/api/chats").await.status, 401);
    assert_eq!(stage.owner().get("/api/sessions").await.json(), json!([]));
}

#[tokio::test]
async fn a_code_signs_one_browser_in() {
    let stage = Stage::start().await;
    let (owner, stranger) = (stage.owner(), stage.stranger());
    let made = owner.post("/api/open", json!({})).await.json();
    let code = made["code"].as_str().unwrap();
    assert!(code.len() >= 32 && made["seconds"] == 120, "128 bits, two minutes: {made}");
    let request = json!({ "code": code });
    assert_eq!(stranger.post("/api/auth/login", request.clone()).await.status, 200);
    assert_eq!(stranger.post("/api/auth/login", request).await.status, 401, "one use");

    // A code from before the restart must be invalid.
    let other = owner.post("/api/open", json!({})).await.json();
    assert_ne!(other["code"], made["code"]);
    let mut stage = stage;
    stage.stop().await;
    stage.start_server().await;
    assert_eq!(stage.stranger().post("/api/auth/login", json!({ "code": other["code"] })).await.status, 401);
}

/// Without a browser, `serve --open` prints a sign-in link instead of another command to type.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_a_browser_a_link_signs_in() {
    let home = testkit::TempHome::new();
    let mut command = perigee_command(Path::new(BIN), home.path(), ["serve", "--open", "--port", "0"]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").stdout(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let link = soon("the link", async {
        loop {
            let line = lines.next_line().await.unwrap().expect("it goes on");
            if line.contains("/#code=") {
                return line.trim().to_owned();
            }
        }
    });
    let link = link.await;
    let mut again = perigee_command(Path::new(BIN), home.path(), ["open", "--link"]);
    let again = String::from_utf8(soon("the other link", again.output()).await.unwrap().stdout).unwrap();
    let again = again.trim();
    assert!(again.starts_with("http://127.0.0.1:") && again.lines().count() == 1, "{again}");
    for link in [&link, again] {
        let (address, code) = link.split_once("/#code=").expect("an address and a code");
        model::install_crypto();
        let browser = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        let login = async || {
            let request = browser.post(format!("{address}/api/auth/login")).header("origin", address);
            request.json(&json!({ "code": code })).send().await.unwrap().status()
        };
        assert_eq!(login().await, 200, "{link}");
        assert_eq!(login().await, 401, "one use");
    }
    assert!(!home.join("open.html").exists(), "nothing is left lying about");
}

#[tokio::test]
async fn a_lesser_token_cannot_become_a_browser() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let made = owner.post("/api/tokens", json!({ "name": "watch", "scopes": ["chat"] })).await.json();
    let refused = stage.stranger().post("/api/auth/login", json!({ "token": made["secret"] })).await;
    assert_eq!(refused.status, 401);
    for wrong in [json!({ "name": "x", "scopes": [] }), json!({ "name": "x", "scopes": ["all"] })] {
        assert_eq!(
            owner.post("/api/tokens", wrong.clone()).await.refusal(),
            (400, "badRequest".into()),
            "{wrong}"
        );
    }
    let listed = owner.get("/api/tokens").await.json();
    assert_eq!(listed[0]["name"], "watch");
    assert!(!listed.to_string().contains(made["secret"].as_str().unwrap()), "a secret is shown once");
}

/// Starts a turn that pauses in the middle of its answer.
fn held(stage: &Stage) -> Gate {
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate).then("two."));
    gate
}

#[tokio::test]
async fn what_a_session_has_open_closes_with_it() {
    for by_logout in [true, false] {
        let stage = Stage::start().await;
        let gate = held(&stage);
        let browser = stage.with_cookie(&stage.sign_in().await);
        let mut socket = Socket::open(&browser, "").await;
        let mut stream = browser.say(json!({ "message": "Count" })).await;
        let metadata = stream.until("token").await[0].clone();
        if by_logout {
            browser.post("/api/auth/logout", json!({})).await;
        } else {
            let sessions = stage.owner().get("/api/sessions").await.json();
            let path = format!("/api/sessions/{}", sessions[0]["id"].as_str().unwrap());
            assert_eq!(stage.owner().delete(&path).await.status, 204);
            assert_eq!(stage.owner().delete(&path).await.refusal(), (404, "notFound".into()));
        }
        assert!(stream.rest().await.is_empty(), "the stream ends, and tells nothing more");
        socket.close_code().await;
        assert_eq!(browser.get("/api/chats").await.status, 401);

        // The turn itself continues.
        gate.open();
        let events = stage.owner().resume(metadata.field("turnId"), None).await.rest().await;
        assert_eq!(events.last().unwrap().data["stopReason"], "end");
    }
}

#[tokio::test]
async fn another_token_closes_what_the_old_one_has_open() {
    let stage = Stage::start().await;
    let gate = held(&stage);
    let owner = stage.owner();
    let mut socket = Socket::open(&owner, "").await;
    let mut stream = owner.say(json!({ "message": "Count" })).await;
    stream.until("token").await;
    let token: String =
        serde_json::from_value(owner.post("/api/tokens/rotate", json!({})).await.json()).unwrap();
    assert!(stream.rest().await.is_empty());
    socket.close_code().await;
    assert_eq!(owner.get("/api/chats").await.status, 401);
    assert_eq!(stage.with_token(&token).get("/api/chats").await.status, 200);
    gate.open();

    // The command line must find the current token, with and without a running server.
    assert_eq!(stage.run(&["token"]).await.ok().trim(), token);
    stage.run(&["processes", "--json"]).await.json();
    let mut stage = stage;
    stage.stop().await;
    assert_eq!(stage.run(&["token"]).await.ok().trim(), token);
    stage.start_server().await;
    assert_eq!(stage.with_token(&token).get("/api/chats").await.status, 200);
}

#[tokio::test]
async fn what_a_lesser_token_has_open_closes_with_it() {
    let stage = Stage::start().await;
    let gate = held(&stage);
    let owner = stage.owner();
    let made = owner.post("/api/tokens", json!({ "name": "watch", "scopes": ["chat"] })).await.json();
    let watch = stage.with_token(made["secret"].as_str().unwrap());
    let mut stream = watch.say(json!({ "message": "Count" })).await;
    stream.until("token").await;
    let path = format!("/api/tokens/{}", made["token"]["id"].as_str().unwrap());
    assert_eq!(owner.delete(&path).await.status, 204);
    assert!(stream.rest().await.is_empty());
    assert_eq!(watch.get("/api/chats").await.status, 401);
    assert_eq!(owner.delete(&path).await.refusal(), (404, "notFound".into()));
    gate.open();
}

/// Adds a user and creates a token with full access for them. Returns its id and secret.
async fn let_in(stage: &Stage, name: &str) -> (String, String) {
    let owner = stage.owner();
    let users = owner.get("/api/users").await.json();
    let known = users.as_array().unwrap().iter().find(|user| user["name"] == name).cloned();
    let user = match known {
        Some(user) => user,
        None => owner.post("/api/users", json!({ "name": name })).await.json(),
    };
    let request = json!({ "name": "phone", "scopes": ["all"], "user": user["id"] });
    let made = owner.post("/api/tokens", request).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["token"]["id"]), text(&made["secret"]))
}

/// Signs a browser in with a token.
async fn browser(stage: &Stage, token: &str) -> Client {
    let signed_in = stage.stranger().post("/api/auth/login", json!({ "token": token })).await;
    let cookie = signed_in.header("set-cookie").unwrap_or_else(|| panic!("{}", signed_in.text()));
    stage.with_cookie(cookie.split(';').next().unwrap())
}

#[tokio::test]
async fn another_persons_browser_can_be_signed_out() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let hers = stage.with_cookie(&stage.sign_in().await);
    for by_token in [true, false] {
        let ((id, token), (_, other_token)) = (let_in(&stage, "Ada").await, let_in(&stage, "Ada").await);
        let (ada, elsewhere) = (browser(&stage, &token).await, browser(&stage, &other_token).await);
        let gate = held(&stage);
        let mut socket = Socket::open(&ada, "").await;
        let mut stream = ada.say(json!({ "message": "Count" })).await;
        stream.until("token").await;
        let me = ada.get("/api/auth/status").await.json()["user"]["id"].clone();
        let sessions = owner.get("/api/sessions").await.json();
        let theirs: Vec<_> =
            sessions.as_array().unwrap().iter().filter(|session| session["user"] == me).cloned().collect();
        assert!(theirs.iter().all(|session| session["current"] == false), "{sessions}");
        assert_eq!(ada.get("/api/sessions").await.status, 403, "the list is the owner's");
        if by_token {
            assert_eq!(theirs.len(), 2, "{sessions}");
            stage.run(&["token", "revoke", &id]).await.ok();
        } else {
            // The second-to-last session: it was created before the other browser's.
            let path = format!("/api/sessions/{}", theirs[theirs.len() - 2]["id"].as_str().unwrap());
            assert_eq!(ada.delete(&path).await.status, 403);
            assert_eq!(owner.delete(&path).await.status, 204);
            assert_eq!(owner.delete(&path).await.refusal(), (404, "notFound".into()));
        }
        assert!(stream.rest().await.is_empty(), "the stream ends, and tells nothing more");
        socket.close_code().await;
        assert_eq!(ada.get("/api/chats").await.status, 401);
        assert_eq!(elsewhere.get("/api/chats").await.status, 200, "another token's browser stays");
        assert_eq!(hers.get("/api/chats").await.status, 200);
        gate.open();
    }
}

#[tokio::test]
async fn a_key_in_the_settings_is_the_token_from_then_on() {
    let stage = Stage::start().await;
    let first = stage.server().token().to_owned();
    let gate = held(&stage);
    let owner = stage.owner();
    let (lesser, browser) = (stage.lesser(&["chat"]).await, stage.with_cookie(&stage.sign_in().await));
    let mut socket = Socket::open(&owner, "").await;
    let mut stream = owner.say(json!({ "message": "Count" })).await;
    stream.until("token").await;
    owner.patch("/api/config", json!({ "auth.api_key": "a-key-of-my-own" })).await.json();
    assert!(stream.rest().await.is_empty());
    socket.close_code().await;
    gate.open();
    let good = async |token: &str| stage.with_token(token).get("/api/chats").await.status == 200;
    assert!(!good(&first).await && good("a-key-of-my-own").await);
    for other in [&lesser, &browser] {
        assert_eq!(other.get("/api/chats").await.status, 200, "only the owner's token is another one");
    }
    assert_eq!(stage.run(&["token"]).await.ok().trim(), "a-key-of-my-own");
    stage.run(&["processes", "--json"]).await.json();
    let refused = stage.with_token("a-key-of-my-own").post("/api/tokens/rotate", json!({})).await;
    assert_eq!(refused.refusal(), (409, "conflict".into()));
    assert!(refused.text().contains("auth.api_key"), "{}", refused.text());

    // Setting the same key again must not change or close anything.
    let mut socket = Socket::open(&stage.with_token("a-key-of-my-own"), "").await;
    let same = json!({ "auth.api_key": "a-key-of-my-own", "companion.name": "Nova" });
    stage.with_token("a-key-of-my-own").patch("/api/config", same).await.json();
    socket.until("config_changed").await;

    // After an edit of the file, a request with the new key is accepted at once.
    let file = stage.home.read("config.toml").replace("a-key-of-my-own", "another-key-2");
    stage.home.write("config.toml", file);
    assert!(!good("a-wrong-key").await && good("another-key-2").await && !good("a-key-of-my-own").await);
    socket.close_code().await;

    // Without a key, the token file applies again.
    let said = stage.run(&["config", "unset", "auth.api_key"]).await;
    assert!(said.stderr.contains("closed"), "it says what it did: {said:?}");
    assert!(good(&first).await && !good("another-key-2").await);
    assert_eq!(stage.run(&["token"]).await.ok().trim(), first);
}

#[tokio::test]
async fn where_the_key_goes_and_there_never_was_a_token_one_is_made() {
    let mut stage = Setup::new().await.table("[auth]\napi_key = \"a-key-of-my-own\"").start().await;
    assert!(!stage.home.join("token").exists());
    stage.owner().patch("/api/config", json!({ "auth.api_key": null })).await.json();
    assert_eq!(stage.owner().get("/api/chats").await.status, 401);
    let token = stage.run(&["token"]).await.ok().trim().to_owned();
    assert_eq!((token.len(), stage.home.read("token").trim()), (64, token.as_str()));
    assert_eq!(stage.with_token(&token).get("/api/chats").await.status, 200);
    stage.stop().await;
    stage.start_server().await;
    assert_eq!(stage.server().token(), token);
}

#[tokio::test]
async fn a_token_in_an_address_is_never_taken() {
    let stage = Stage::start().await;
    let token = stage.server().token().to_owned();
    let query = format!("?token={token}");
    assert_eq!(Socket::closed_with(&stage.stranger(), &query).await, 4001);
    assert_eq!(Socket::closed_with(&stage.owner(), &query).await, 4001, "not even beside a good one");
    assert_eq!(stage.stranger().get(&format!("/api/chats{query}")).await.status, 401);
}

/// Collects every file below a folder.
fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, into) } else { into.push(path) }
    }
}

#[tokio::test]
async fn no_secret_reaches_a_log_or_an_export() {
    let mut setup = Setup::new().await.llm("api_key = \"sk-model-key-77\"").table("[log]\nlevel = \"trace\"");
    setup = setup.variable("PERIGEE_DEBUG", "true");
    let mut stage = setup.start().await;
    let owner = stage.owner();
    let token = stage.server().token().to_owned();
    let cookie = stage.sign_in().await;
    let code = owner.post("/api/open", json!({})).await.json()["code"].as_str().unwrap().to_owned();
    stage.stranger().post("/api/auth/login", json!({ "code": code })).await;
    let lesser = owner.post("/api/tokens", json!({ "name": "watch", "scopes": ["chat"] })).await.json();
    let lesser = lesser["secret"].as_str().unwrap().to_owned();
    stage.with_token(&lesser).ask("Hello").await;
    stage.with_token("a-wrong-token-4711").get("/api/chats").await;
    Socket::closed_with(&owner, &format!("?token={token}")).await;
    stage.model.reply(ScriptedReply::status(401, r#"{"error":{"message":"bad key sk-model-key-77"}}"#));
    let failed = owner.ask("Hello again").await;
    assert_eq!(kinds(&failed).last(), Some(&"error"));
    assert_eq!(stage.model.chats()[0].header("authorization"), Some("Bearer sk-model-key-77"));

    let shown = [
        ("config", owner.get("/api/config").await.text()),
        ("metrics", owner.get("/metrics").await.text()),
        ("export", owner.get("/api/export").await.text()),
        ("error", failed.last().unwrap().data.to_string()),
        ("doctor", format!("{:?}", stage.run(&["doctor", "--json"]).await)),
        ("log", stage.log()),
    ];
    let secrets = [
        token.as_str(),
        cookie.split_once('=').unwrap().1,
        &code,
        &lesser,
        "sk-model-key-77",
        "a-wrong-token-4711",
    ];
    for (place, text) in &shown {
        assert!(!secrets.iter().any(|secret| text.contains(secret)), "a secret in the {place}: {text}");
    }
    stage.stop().await;
    let mut kept = Vec::new();
    files(stage.home.path(), &mut kept);
    let debug_log = stage.home.read("logs/debug.log");
    assert!(!debug_log.is_empty());
    // Files that may contain a secret: the token's own, and those written by the owner.
    let allowed = ["token", "run.json", "config.toml", "config.toml.last-good"];
    for path in kept {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let content = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let found = secrets.iter().any(|secret| content.contains(secret));
        assert!(!found || allowed.contains(&name.as_str()), "a secret in {}", path.display());
    }
}

#[tokio::test]
async fn what_is_private_can_be_read_by_nobody_else() {
    let mut stage = Setup::new().await.variable("PERIGEE_DEBUG", "true").start().await;
    let owner = stage.owner();
    owner.ask("Hello").await;
    owner.patch("/api/config", json!({ "companion.user_name": "Ada" })).await.json();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(stage.home.path()), 0o700);
    for name in [
        "token",
        "run.json",
        "config.toml",
        "config.toml.last-good",
        "perigee.db",
        "perigee.db-wal",
        "home.lock",
        "logs/debug.log",
    ] {
        let path = stage.home.join(name);
        assert_eq!(mode(&path), 0o600, "{name}");
    }
    stage.stop().await;
    assert!(!stage.home.join("run.json").exists());

    // A folder open to other users is made private before anything is written to it.
    let open = testkit::TempHome::new();
    std::fs::set_permissions(open.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let server = testkit::PerigeeProcess::start(BIN, open.path()).await;
    assert_eq!(mode(open.path()), 0o700);
    server.stop().await;
}
