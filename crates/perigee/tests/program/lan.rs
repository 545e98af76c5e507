//! The local network: off by default, and reachable only over TLS.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::Gate;
use tokio::net::{TcpListener, TcpStream};

use crate::support::{Client, Socket, Stage, raw_request, soon};

/// A host name for the certificate, so that there is an address even on a machine without a network.
const NAME: &str = "moon.local";

/// Returns the status of the local network, once it meets the condition.
async fn report(owner: &Client, is_so: impl Fn(&Value) -> bool) -> Value {
    soon("the network", async {
        loop {
            let report = owner.get("/api/lan").await.json();
            if is_so(&report) {
                return report;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    })
    .await
}

/// Waits until the port is open, and returns the status.
pub async fn until_open(owner: &Client) -> Value {
    report(owner, |report| report["on"] == true).await
}

/// Enables it, and returns the owner's client over TLS.
pub async fn switched_on(stage: &Stage) -> Client {
    let owner = stage.owner();
    let settings = json!({ "server.lan": true, "server.lan_port": 0, "server.allowed_hosts": [NAME] });
    assert_eq!(owner.patch("/api/config", settings).await.status, 200);
    let told = until_open(&owner).await;
    let authority = stage.stranger().get("/lan/perigee.crt").await;
    assert_eq!(authority.header("content-type"), Some("application/x-x509-ca-cert"));
    owner.by_tls(&format!("https://127.0.0.1:{}", told["port"]), &authority.body)
}

async fn switch_off(stage: &Stage) {
    assert_eq!(stage.owner().patch("/api/config", json!({ "server.lan": false })).await.status, 200);
    report(&stage.owner(), |report| report["on"] == false).await;
}

/// Decodes the QR code of these rows, as a camera would.
fn seen(rows: &Value) -> String {
    const DOT: usize = 4;
    let rows: Vec<&[u8]> =
        rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().as_bytes()).collect();
    let margin = 4;
    let size = (rows.len() + 2 * margin) * DOT;
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(size, size, |x, y| {
        let at = |place: usize| (place / DOT).checked_sub(margin);
        let dot = at(y).zip(at(x)).and_then(|(y, x)| rows.get(y).and_then(|row| row.get(x)));
        if dot == Some(&b'#') { 0 } else { 255 }
    });
    let found = picture.detect_grids();
    assert_eq!(found.len(), 1, "one code");
    found[0].decode().unwrap().1
}

#[tokio::test]
async fn nobody_of_the_network_gets_in_until_it_is_switched_on() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let off = json!({ "on": false, "addresses": [], "port": null, "fingerprint": null, "trouble": null });
    assert_eq!(owner.get("/api/lan").await.json(), off);
    let refused = owner.post("/api/lan/code", json!({})).await;
    assert_eq!(refused.refusal(), (409, "conflict".into()));
    assert!(refused.text().contains("server.lan"), "{}", refused.text());
    for path in ["/lan", "/lan/perigee.crt"] {
        assert_eq!(stage.stranger().get(path).await.status, 404);
    }
    assert!(!stage.home.join("lan").exists(), "no key is made for nobody");
    let said = stage.run(&["open", "--phone"]).await;
    assert!(said.code != Some(0) && said.stderr.contains("perigee config set server.lan true"), "{said:?}");
}

#[tokio::test]
async fn a_phone_signs_in_by_the_code_that_its_camera_sees() {
    let stage = Stage::start().await;
    let outside = switched_on(&stage).await;
    let owner = stage.owner();
    let made = owner.post("/api/lan/code", json!({})).await.json();
    assert_eq!(seen(&made["rows"]), made["url"]);
    let (place, code) = made["url"].as_str().unwrap().split_once("/#code=").unwrap();
    let told = owner.get("/api/lan").await.json();
    assert_eq!(told["addresses"][0], place);
    let named = format!("https://{NAME}:{}", told["port"]);
    assert!(told["addresses"].as_array().unwrap().contains(&json!(named)), "{told}");

    let login = |code: &str| {
        let request = outside.by_tls(outside.address(), outside.authority().unwrap()).with_cookie("none=1");
        let body = json!({ "code": code });
        async move { request.post("/api/auth/login", body).await }
    };
    let signed_in = login(code).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.text());
    let cookie = signed_in.header("set-cookie").unwrap();
    for part in ["__Host-perigee_session=", "; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/;"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    assert_eq!(login(code).await.status, 401, "one use");

    let session = cookie.split(';').next().unwrap();
    let phone = outside.with_cookie(session);
    assert_eq!(phone.get("/api/chats").await.status, 200);
    stage.model.reply("Hello, phone.");
    let window = Socket::open(&phone, "").await;
    assert_eq!(window.hello["action"], "hello");
    assert!(!phone.ask("Hi").await.is_empty());

    // The session cookie is only valid under its own name, and only over TLS.
    let (_, secret) = session.split_once('=').unwrap();
    let by_other_name = outside.with_cookie(&format!("perigee_session={secret}"));
    assert_eq!(by_other_name.get("/api/chats").await.status, 401);
    assert_eq!(stage.with_cookie(session).get("/api/chats").await.status, 401);
    let signed_out = phone.post("/api/auth/logout", json!({})).await;
    assert!(signed_out.header("set-cookie").unwrap().starts_with("__Host-perigee_session=;"));
    assert_eq!(phone.get("/api/chats").await.status, 401);
}

#[tokio::test]
async fn other_names_other_pages_and_other_machines_are_refused() {
    let stage = Stage::start().await;
    let outside = switched_on(&stage).await;
    let host = outside.address().strip_prefix("https://").unwrap();
    let port = host.split_once(':').unwrap().1;
    // A client that does not trust the authority fails in the TLS handshake.
    let unbelieving = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    assert!(unbelieving.get(format!("{}/api/health", outside.address())).send().await.is_err());
    for (name, status) in [
        (host, 200),
        (&*format!("{NAME}:{port}"), 200),
        ("127.0.0.1", 403),
        ("127.0.0.1:1", 403),
        (&*format!("evil.example:{port}"), 403),
        // The host names of the listener without TLS are invalid here.
        (&*format!("localhost:{port}"), 403),
        (stage.host(), 403),
    ] {
        let request = outside.request(Method::GET, "/api/health").header("host", name);
        assert_eq!(outside.send(request).await.status, status, "{name}");
    }
    let cookie = {
        let request = outside.request(Method::POST, "/api/auth/login").header("origin", outside.address());
        let body = json!({ "token": stage.server().token() });
        let answer = outside.send(request.json(&body)).await;
        answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
    };
    let phone = outside.with_cookie(&cookie);
    for (origin, status) in [
        (outside.address(), 200),
        (&*format!("http://{host}"), 403),
        (stage.address(), 403),
        ("https://evil.example", 403),
        ("null", 403),
    ] {
        let plain = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([reqwest::Certificate::from_der(outside.authority().unwrap()).unwrap()])
            .build()
            .unwrap();
        let request = plain.post(format!("{}/api/open", phone.address())).header("cookie", &cookie);
        let answer = request.header("origin", origin).json(&json!({})).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{origin}");
    }
}

#[tokio::test]
async fn what_comes_in_the_open_is_sent_on_to_tls_and_told_nothing() {
    let stage = Stage::start().await;
    let outside = switched_on(&stage).await;
    let host = outside.address().strip_prefix("https://").unwrap();
    let bytes = format!(
        "GET /api/health HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer {}\r\n\r\n",
        stage.server().token()
    );
    let answer = raw_request(host, bytes.as_bytes()).await;
    assert_eq!(answer.status, 308);
    assert!(answer.text.contains(&format!("Location: https://{host}/\r\n")), "{}", answer.text);
    assert!(answer.text.ends_with("\r\n\r\n"), "{}", answer.text);
    // A silent client and one that sends garbage must not block others.
    let _silent = TcpStream::connect(host).await.unwrap();
    assert_eq!(outside.get("/api/health").await.status, 200);
    let page = stage.stranger().get("/lan").await;
    let fingerprint = stage.owner().get("/api/lan").await.json()["fingerprint"].as_str().unwrap().to_owned();
    assert!(page.text().contains(&fingerprint), "{}", page.text());
    assert_eq!(outside.get("/lan").await.text(), page.text());
}

#[tokio::test]
async fn switching_it_off_ends_what_is_open_and_the_authority_stays() {
    let stage = Stage::start().await;
    let outside = switched_on(&stage).await;
    let mut window = Socket::open(&outside, "").await;
    let gate = Gate::closed();
    stage.model.reply(testkit::ScriptedReply::text("I am ").wait(&gate).then("still talking."));
    let mut turn = outside.say(json!({ "message": "Talk" })).await;
    turn.until("token").await;
    switch_off(&stage).await;
    assert_eq!(window.close_code().await, 1006);
    assert!(turn.next().await.is_none_or(|event| event.kind() != "done"));
    gate.open();
    let host = outside.address().strip_prefix("https://").unwrap();
    assert!(TcpStream::connect(host).await.is_err(), "nobody listens");
    assert_eq!(stage.stranger().get("/lan/perigee.crt").await.status, 404);
    // The turn itself continues, as it does not depend on the connection.
    let again = switched_on(&stage).await;
    assert_eq!(again.authority(), outside.authority(), "a phone does not have to learn another one");
    let said = stage.run(&["open", "--phone"]).await.ok();
    assert!(said.contains("/#code=") && said.contains("/lan"), "{said}");
}

#[tokio::test]
async fn a_port_that_is_taken_is_named_and_another_can_be_chosen() {
    let stage = Stage::start().await;
    let taken = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = taken.local_addr().unwrap().port();
    let owner = stage.owner();
    owner.patch("/api/config", json!({ "server.lan": true, "server.lan_port": port })).await.json();
    let told = report(&owner, |report| !report["trouble"].is_null()).await;
    assert_eq!(told["on"], false);
    let trouble = told["trouble"].as_str().unwrap();
    assert!(trouble.contains(&port.to_string()) && trouble.contains("server.lan_port"), "{trouble}");
    let outside = switched_on(&stage).await;
    assert_eq!(outside.get("/api/health").await.status, 200);
}
