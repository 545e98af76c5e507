//! Access control for every route: the tests iterate over the route table, so none is left out.

use std::collections::{BTreeMap, BTreeSet};

use protocol::Scope;
use reqwest::Method;
use serde_json::json;
use server::{Access, RouteInfo, routes};

use crate::lan;
use crate::support::{Answer, Client, NOBODY, Setup, Socket, Stage, raw_request};

/// Settings under which the routes for the local network exist.
pub const IN_A_NETWORK: &str = "[server]\nlan = true\nlan_port = 0";

fn method(route: &RouteInfo) -> Method {
    route.method.parse().unwrap()
}

/// Returns the path with valid values in place of its parameters.
fn filled(route: &RouteInfo) -> String {
    route
        .path
        .replace("{id}", NOBODY)
        .replace("{act}", "run")
        .replace("{name}", "nothing")
        .replace("{kind}", "models")
        .replace("{z}/{x}/{y}", "0/0/0")
}

pub fn acts(route: &RouteInfo) -> bool {
    route.method != "GET"
}

/// Returns true for the login check, where 401 is a regular answer.
fn is_the_check(route: &RouteInfo) -> bool {
    route.path == "/api/auth/check"
}

fn assert_guarded_headers(answer: &Answer, place: &str) {
    let policy = answer.header("content-security-policy").unwrap_or_default();
    for directive in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(directive), "{place}: {policy}");
    }
    assert!(
        !policy.contains("unsafe-eval") && !policy.contains("script-src 'self' 'unsafe"),
        "{place}: {policy}"
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{place}");
    assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{place}");
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{place}");
    assert_eq!(answer.header("x-dns-prefetch-control"), Some("off"), "{place}");
    assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{place}");
    assert_eq!(answer.header("access-control-allow-origin"), None, "{place}");
}

/// Sends a request with additional headers and checks the headers that every response must have.
pub async fn knock(client: &Client, route: &RouteInfo, headers: &[(&str, &str)]) -> Answer {
    let mut request = client.request(method(route), &filled(route));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = client.send(request).await;
    assert_guarded_headers(&answer, &format!("{} {}", route.method, route.path));
    answer
}

#[tokio::test]
async fn every_door_asks_for_a_token_and_a_known_host() {
    let stage = Setup::new().await.table(IN_A_NETWORK).start().await;
    lan::until_open(&stage.owner()).await;
    let (stranger, owner) = (stage.stranger(), stage.owner());
    let mut programs = Vec::new();
    for (scope, name) in [
        (Scope::Chat, "chat"),
        (Scope::MemoryRead, "memory.read"),
        (Scope::MemoryWrite, "memory.write"),
        (Scope::Voice, "voice"),
    ] {
        programs.push((scope, stage.lesser(&[name]).await));
    }
    let liar = stage.with_token(&"0".repeat(64));
    let public: BTreeSet<&str> = [
        "/api/auth/login",
        "/api/auth/logout",
        "/api/auth/status",
        "/api/auth/check",
        "/api/health",
        "/api/mcp/signed-in",
        "/lan",
        "/lan/perigee.crt",
    ]
    .into();
    for route in routes() {
        let place = format!("{} {}", route.method, route.path);
        assert_eq!(route.access == Access::Public, public.contains(route.path), "{place}");

        for (host, allowed) in
            [("evil.example", false), ("127.0.0.1:1", false), ("localhost", false), (stage.host(), true)]
        {
            let answer = knock(&stranger, &route, &[("host", host)]).await;
            assert_eq!(answer.status != 403, allowed, "{place} as {host}");
        }
        assert_eq!(
            knock(&owner, &route, &[("host", "evil.example")]).await.refusal(),
            (403, "forbidden".into()),
            "{place}"
        );

        for (target, hosts) in [
            (filled(&route), [stage.host(), "evil.example"].as_slice()),
            (filled(&route), &[stage.host(), stage.host()]),
            (format!("http://evil.example{}", filled(&route)), &[stage.host()]),
        ] {
            let hosts = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect::<Vec<_>>().concat();
            let head = format!(
                "{} {target} HTTP/1.1\r\n{hosts}Authorization: Bearer {}\r\nContent-Length: 0\r\n\r\n",
                route.method,
                stage.server().token()
            );
            let refused = raw_request(stage.host(), head.as_bytes()).await.status;
            assert!([400, 403].contains(&refused), "{place}, {hosts:?} at {target}: {refused}");
        }

        if route.access == Access::Public {
            if !is_the_check(&route) {
                assert!(![403, 404, 405].contains(&knock(&stranger, &route, &[]).await.status), "{place}");
            }
            continue;
        }
        for nobody in [&stranger, &liar] {
            let refused = knock(nobody, &route, &[]).await;
            assert_eq!(refused.refusal(), (401, "unauthorized".into()), "{place}");
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{place}");
        }
        // A new kind of access rule has to be listed here with the scopes that it admits.
        let able: &[Scope] = match route.access {
            Access::Scope(Scope::Chat) => &[Scope::Chat],
            Access::Scope(Scope::MemoryRead) => &[Scope::MemoryRead, Scope::MemoryWrite],
            Access::Scope(Scope::MemoryWrite) => &[Scope::MemoryWrite],
            Access::Scope(Scope::Voice) => &[Scope::Voice],
            // Routes open to any token are switched off here; the scopes within them are tested elsewhere.
            Access::Scope(Scope::All) | Access::Owner | Access::Token | Access::Public => &[],
        };
        for (scope, program) in &programs {
            let answer = knock(program, &route, &[]).await;
            if able.contains(scope) {
                let let_in = ![401, 403, 405].contains(&answer.status);
                assert!(let_in, "{place} with {scope:?}: {} {}", answer.status, answer.text());
            } else {
                assert_eq!(answer.refusal(), (403, "forbidden".into()), "{place} with {scope:?}");
            }
        }
    }
    assert!(stage.is_alive().await);
}

#[tokio::test]
async fn only_json_is_taken_and_the_body_comes_after_the_check() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    // Uploads may have any content type.
    let takes_file = |route: &RouteInfo| {
        route.path == "/api/memory/import" || (route.method == "PUT" && route.path.starts_with("/api/assets"))
    };
    let takes_json = |route: &RouteInfo| acts(route) && !takes_file(route);
    for route in routes().into_iter().filter(takes_json) {
        let place = format!("{} {}", route.method, route.path);
        for kind in
            ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
        {
            let request =
                owner.request(method(&route), &filled(&route)).header("content-type", kind).body("{}");
            let refused = owner.send(request).await;
            assert_eq!(refused.refusal(), (415, "unsupportedMediaType".into()), "{place} with {kind}");
        }
        let untyped = owner.send(owner.request(method(&route), &filled(&route)).body("{}")).await;
        assert_eq!(untyped.status, 415, "{place} without a type");

        // The response must arrive although the body is never sent.
        if route.access != Access::Public {
            let path = filled(&route);
            let head = format!(
                "{} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n",
                route.method,
                stage.host()
            );
            assert_eq!(raw_request(stage.host(), head.as_bytes()).await.status, 401, "{place}");
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_so() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/chats/new/more",
        "/v1",
        "/v1/nothing",
        "/ws/x",
        "/metrics/x",
        "/assets/x.js",
    ] {
        let answer = owner.get(path).await;
        assert_eq!(answer.refusal(), (404, "notFound".into()), "{path}");
        assert_guarded_headers(&answer, path);
    }
    // Only authenticated clients learn that a path does not exist.
    let (stranger, lesser) = (stage.stranger(), stage.lesser(&["voice"]).await);
    for (method, path) in [
        ("GET", "/api"),
        ("GET", "/api/nothing"),
        ("POST", "/api/chat/nothing/0000000000001"),
        ("DELETE", "/v1/nothing"),
        ("GET", "/ws/x"),
        ("GET", "/metrics/x"),
    ] {
        let knock = async |client: &Client| {
            let answer = client.send(client.request(method.parse().unwrap(), path)).await;
            assert_guarded_headers(&answer, path);
            assert_eq!(answer.text().contains("\"error\":{"), path.starts_with("/v1"), "{}", answer.text());
            answer
        };
        let refused = knock(&stranger).await;
        assert_eq!(refused.refusal(), (401, "unauthorized".into()), "{method} {path}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{method} {path}");
        assert_eq!(knock(&lesser).await.refusal(), (404, "notFound".into()), "{method} {path}");
    }
    assert_eq!(stranger.get("/assets/x.js").await.status, 404, "the page's own files are for everybody");
    assert_eq!(stranger.get("/apiary").await.header("www-authenticate"), None);
    let mut methods: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for route in routes() {
        methods.entry(filled(&route)).or_default().insert(route.method);
    }
    for (path, known) in methods {
        for method in
            ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().filter(|method| !known.contains(*method))
        {
            // A fixed path may also match a route with a parameter, which has other methods.
            if ["/api/chats/new", "/api/chats/load", "/api/chats/search"].contains(&path.as_str()) {
                continue;
            }
            let answer = owner.send(owner.request(method.parse().unwrap(), &path)).await;
            assert_eq!(answer.refusal(), (405, "methodNotAllowed".into()), "{method} {path}");
            assert_guarded_headers(&answer, &path);
        }
    }
}

#[tokio::test]
async fn the_page_is_for_everybody_and_lets_nothing_foreign_in() {
    let stage = Stage::start().await;
    let stranger = stage.stranger();
    let mut nonces = BTreeSet::new();
    for path in
        ["/", "/chats/0000000000001", "/settings", "/%00", "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd"]
    {
        let page = stranger.get(path).await;
        assert_guarded_headers(&page, path);
        assert!(!page.text().contains("root:"), "{path}");
        // Without `npm run build` there is no web app, and the server says so.
        assert!([200, 503].contains(&page.status), "{path}: {}", page.status);
        if page.status == 200 {
            let policy = page.header("content-security-policy").unwrap();
            let nonce =
                policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
            assert!(page.text().contains(&nonce) && !page.text().contains("__CSP_NONCE__"), "{path}");
            assert!(nonces.insert(nonce), "{path}: a nonce is used once");
            assert_eq!(page.header("cache-control"), Some("no-store"));
        }
        let refused = stranger.send(stranger.request(Method::GET, path).header("host", "evil.example")).await;
        assert_eq!(refused.status, 403, "{path}");
        let acted = stranger.send(stranger.request(Method::POST, path)).await;
        assert_eq!(acted.refusal(), (405, "methodNotAllowed".into()), "{path}");
    }
}

#[tokio::test]
async fn names_and_pages_that_the_owner_allows_are_let_in() {
    let settings =
        "[server]\nallowed_hosts = [\"luna.example\"]\nallowed_origins = [\"https://app.example\"]";
    let stage = Setup::new().await.table(settings).start().await;
    let stranger = stage.stranger();
    for (host, status) in [
        ("luna.example", 200),
        ("luna.example:443", 200),
        ("evil.luna.example", 403),
        ("luna.example.evil", 403),
    ] {
        let answer = stranger.send(stranger.request(Method::GET, "/api/health").header("host", host)).await;
        assert_eq!(answer.status, status, "{host}");
    }
    let owner = stage.owner();
    for (origin, status) in
        [("https://app.example", 200), ("https://app.example.evil", 403), ("http://app.example", 403)]
    {
        let request = owner.request(Method::POST, "/api/chats/new").header("origin", origin).json(&json!({}));
        let answer = owner.send(request).await;
        assert_eq!(answer.status, status, "{origin}");
        // The response must be readable from that origin and from no other.
        let readable_by = (status == 200).then_some(origin);
        assert_eq!(answer.header("access-control-allow-origin"), readable_by, "{origin}");
        assert_eq!(answer.header("access-control-allow-credentials"), None, "cookies never cross origins");
        let asking = stranger.request(Method::OPTIONS, "/api/chats/new").header("origin", origin);
        let asked = stranger.send(asking).await;
        assert_eq!(asked.header("access-control-allow-origin"), readable_by, "{origin} asks first");
        let headers = asked.header("access-control-allow-headers").unwrap_or_default();
        assert_eq!(headers.contains("authorization"), status == 200, "{origin}: {headers}");
    }
}

/// Collects every file of a folder, except the database's shared-memory file.
fn contents(folder: &std::path::Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            contents(&path, into);
        } else if !name.ends_with("-shm") {
            into.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

#[tokio::test]
async fn reading_changes_nothing() {
    let stage = Setup::new().await.titled().table(IN_A_NETWORK).start().await;
    let owner = stage.owner();
    lan::until_open(&owner).await;
    let attachment = json!({ "name": "notes.txt", "mime": "text/plain", "data": "bW9vbg==" });
    let mut feed = Socket::open(&owner, "").await;
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    for _ in 0..2 {
        owner.post("/api/chats/new", json!({})).await.json();
        let events =
            owner.say(json!({ "message": "About the moon", "attachments": [attachment] })).await.rest().await;
        ids.insert("/api/chats/", events[0].field("conversationId").to_owned());
        ids.insert("/api/chat/turns/", events[0].field("turnId").to_owned());
        // The title and the summary are written after the answer.
        feed.until("turn_ended").await;
        feed.until("chat_changed").await;
        feed.until("chat_changed").await;
    }
    let message = &owner.messages(&ids["/api/chats/"]).await[0];
    ids.insert("/api/attachments/", message["attachments"][0]["id"].as_str().unwrap().to_owned());
    ids.insert("/v1/models/", "luna".to_owned());
    let fact = owner.post("/api/memory", json!({"content": "Likes the moon"})).await.json();
    ids.insert("/api/memory/", fact["id"].as_str().unwrap().to_owned());
    owner.post("/api/vector", json!({"id": "note", "content": "The moon is far"})).await.json();
    ids.insert("/api/vector/", "note".to_owned());
    let file = json!({"content": "About the moon"});
    owner.send(owner.request(Method::PUT, "/api/memory/files/meeting-notes").json(&file)).await.json();
    let made = json!({"servers": {"meeting-notes": {"description": "", "versions": [{"id": "1"}]}}});
    stage.home.write("mcp_servers/manifest.json", made.to_string());
    for file in ["server.py", "versions/1.py"] {
        stage.home.write(format!("mcp_servers/meeting-notes/{file}"), "mcp.run()");
    }
    ids.insert("/api/mcp/", "1".to_owned());
    // Without an attachment, a small widget needs no confirmation.
    owner.post("/api/chats/new", json!({})).await.json();
    stage.model.reply("Here: [WIDGET:{\"type\":\"interactive\",\"data\":\"<b>roll</b>\"}]");
    let events = owner.ask("Show dice").await;
    let shown = events.iter().find(|event| event.kind() == "command").unwrap();
    ids.insert("/frame/", shown.field("id").to_owned());
    feed.until("turn_ended").await;
    feed.until("chat_changed").await;
    stage.home.write("assets/models/alice.vrm", "glTF");
    feed.until("body_changed").await;
    // The open conversation must differ from the ones that are read.
    owner.post("/api/chats/new", json!({})).await.json();

    let snapshot = || {
        let mut files = BTreeMap::new();
        contents(stage.home.path(), &mut files);
        files
    };
    let before = snapshot();
    assert!(before.keys().any(|name| name.ends_with("perigee.db")));
    for route in routes().into_iter().filter(|route| !acts(route)) {
        let id = ids.iter().find(|(prefix, _)| route.path.starts_with(**prefix)).map_or(NOBODY, |(_, id)| id);
        let named =
            [("/api/animations", "wave"), ("/api/body/palettes", "dawn"), ("/api/assets", "alice.vrm")];
        let name = named.iter().find(|(prefix, _)| route.path.starts_with(prefix));
        let name = name.map_or("meeting-notes", |(_, name)| name);
        let mut path = route.path.replace("{id}", id).replace("{name}", name).replace("{kind}", "models");
        path = path.replace("{z}/{x}/{y}", "0/0/0");
        if path == "/api/chats/search" {
            path.push_str("?q=moon");
        }
        for _ in 0..2 {
            let answer = owner.get(&path).await;
            // `/ws` is no plain page; the others are switched off or have no content yet.
            let refused = ["/ws", "/mcp", "/api/code/file", "/api/code/proposals/{id}"].contains(&route.path)
                || route.path.starts_with("/api/map/tiles");
            let expected = if refused { 400..500 } else { 200..300 };
            assert!(expected.contains(&answer.status), "{path}: {} {}", answer.status, answer.text());
            let head = owner.send(owner.request(Method::HEAD, &path)).await;
            assert!(head.body.is_empty(), "{path}");
        }
    }
    let after = snapshot();
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    let changed: Vec<_> =
        before.iter().filter(|(name, content)| after[*name] != **content).map(|(name, _)| name).collect();
    assert!(changed.is_empty(), "reading changed {changed:?}");
}
