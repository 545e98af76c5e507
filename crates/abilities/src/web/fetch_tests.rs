use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// A network of names whose public addresses all lead to one server on this machine.
struct FakeNetwork {
    names: Mutex<HashMap<&'static str, Vec<Vec<&'static str>>>>,
    server: SocketAddr,
}

#[async_trait]
impl WebNetwork for FakeNetwork {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.names.lock().unwrap();
        let answers = names.get_mut(host).ok_or(io::ErrorKind::NotFound)?;
        // The last answer is repeated.
        let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
        Ok(answer.iter().map(|address| address.parse().unwrap()).collect())
    }

    fn local_address_for(&self, address: IpAddr) -> Option<IpAddr> {
        let own = if address.is_ipv4() { "198.41.0.4" } else { "2606:4700:1:2:aa:bb:cc:dd" };
        own.parse().ok()
    }

    fn connect_address(&self, address: SocketAddr) -> SocketAddr {
        assert!(is_public(address.ip()), "{address} was connected to");
        self.server
    }
}

/// Answers each path as given by the test, and counts the requests.
async fn serve(answers: &'static [(&'static str, &'static str)]) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&served);
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            count.fetch_add(1, Ordering::Relaxed);
            let mut request = [0; 4096];
            let length = socket.read(&mut request).await.unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
            let answer = answers.iter().find(|(known, _)| *known == path).map_or(
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                |(_, answer)| answer,
            );
            socket.write_all(answer.as_bytes()).await.ok();
        }
    });
    (address, served)
}

async fn web(
    names: &[(&'static str, &[&[&'static str]])],
    answers: &'static [(&'static str, &'static str)],
) -> (Web, Arc<AtomicUsize>) {
    model::install_crypto();
    let (place, served) = serve(answers).await;
    let names =
        names.iter().map(|(name, rounds)| (*name, rounds.iter().map(|round| round.to_vec()).collect()));
    let network = FakeNetwork { names: Mutex::new(names.collect()), server: place };
    let limits = FetchLimits { bytes: 64, time: Duration::from_secs(5), redirects: 3 };
    (Web::new(Arc::new(network), limits).unwrap(), served)
}

async fn get(web: &Web, url: &str) -> Result<WebPage, FetchError> {
    web.get(Url::parse(url).unwrap()).await
}

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHello";

#[tokio::test]
async fn a_page_of_the_web_is_fetched() {
    let (web, _) = web(&[("good.example", &[&["93.184.216.34"]])], &[("/a", HELLO)]).await;
    let page = get(&web, "http://good.example/a").await.unwrap();
    assert_eq!(
        (page.body.as_slice(), page.content_type.as_str(), page.is_cut),
        (&b"Hello"[..], "text/html", false)
    );
    assert_eq!(
        get(&web, "http://good.example/b").await.unwrap_err().to_string(),
        "good.example answered with 404 (there is no such page)"
    );
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused_before_anything_is_sent() {
    let inside: &[&[&str]] = &[
        &["127.0.0.1"],
        &["10.0.0.7"],
        &["93.184.216.34", "192.168.1.1"],
        &["::1"],
        &["::ffff:169.254.169.254"],
        &["64:ff9b::a00:1"],
        &["fd00::1"],
        &["93.184.216.34", "198.41.0.4"],
        &["::ffff:198.41.0.4"],
        &["2606:4700:1:2::1"],
        &["2606:4700:1:2:aa:bb:cc:dd"],
    ];
    for addresses in inside {
        let (web, served) = web(&[("evil.example", &[addresses])], &[("/", HELLO)]).await;
        let refused = get(&web, "http://evil.example/").await;
        assert_eq!(refused, Err(AddressError::NotPublic("evil.example".into()).into()), "{addresses:?}");
        assert_eq!(served.load(Ordering::Relaxed), 0, "{addresses:?}");
    }
}

#[tokio::test]
async fn machines_beside_this_one_are_inside_whatever_their_addresses() {
    let (web, _) = web(&[("far.example", &[&["2606:4700:1:3::1"]])], &[("/", HELLO)]).await;
    for url in
        ["http://198.41.0.4:8899/", "http://[2606:4700:1:2::1]/", "http://[2606:4700:1:2:aa:bb:cc:dd]:8080/"]
    {
        let refused = get(&web, url).await;
        assert!(
            matches!(refused, Err(FetchError::Unreachable(AddressError::NotPublic(_)))),
            "{url}: {refused:?}"
        );
    }
    assert!(get(&web, "http://far.example/").await.is_ok());
    for (address, own) in [("127.0.0.1", "127.0.0.1"), ("::1", "::1")] {
        let found = PublicNetwork.local_address_for(address.parse().unwrap());
        assert!(found.is_none_or(|found| found == own.parse::<IpAddr>().unwrap()), "{found:?}");
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let rounds: &[&[&str]] = &[&["93.184.216.34"], &["127.0.0.1"]];
    let (web, served) = web(&[("rebind.example", rounds)], &[("/", HELLO)]).await;
    assert!(get(&web, "http://rebind.example/").await.is_ok());
    assert!(matches!(get(&web, "http://rebind.example/").await, Err(FetchError::Unreachable(_))));
    assert_eq!(served.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_redirect_to_the_same_name_is_looked_up_and_checked_again() {
    const ANSWERS: &[(&str, &str)] = &[
        (
            "/",
            "HTTP/1.1 302 Found\r\nLocation: http://rebind.example/second\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        ("/second", HELLO),
    ];
    let rounds: &[&[&str]] = &[&["93.184.216.34"], &["93.184.216.34", "::ffff:10.0.0.1"]];
    let (web, served) = web(&[("rebind.example", rounds)], ANSWERS).await;
    let refused = get(&web, "http://rebind.example/").await;
    assert_eq!(refused, Err(FetchError::BadRedirect("rebind.example".into())));
    assert_eq!(served.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_picture_comes_whole_or_not_at_all() {
    const ANSWERS: &[(&str, &str)] = &[
        (
            "/tile",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\nConnection: close\r\n\r\nPNG",
        ),
        (
            "/large",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n\r\n0123456789012345678901234567890123456789012345678901234567890123456789",
        ),
        ("/page", HELLO),
    ];
    let (web, _) = web(&[("good.example", &[&["93.184.216.34"]])], ANSWERS).await;
    let picture =
        async |path: &str| web.picture(Url::parse("http://good.example").unwrap().join(path).unwrap()).await;
    assert_eq!(picture("/tile").await.unwrap().body, b"PNG");
    assert_eq!(picture("/large").await, Err(FetchError::TooLarge("good.example".into())));
    assert_eq!(picture("/page").await, Err(FetchError::NotAPicture("good.example".into())));
}

#[test]
fn the_encoding_is_read_wherever_it_stands() {
    for (header, expected) in [
        ("", None),
        (" charset=utf-8", Some("utf-8")),
        ("boundary=x; Charset=\"ISO-8859-1\"", Some("ISO-8859-1")),
        ("charset=", None),
        ("charset", None),
    ] {
        assert_eq!(charset(header).as_deref(), expected, "{header}");
    }
}

#[test]
fn what_is_no_text_is_named() {
    for (kind, expected) in [
        ("application/pdf", "a.example has a PDF there, which cannot be read as text"),
        ("image/png", "a.example has a picture there, which cannot be read as text"),
        ("audio/ogg", "a.example has a recording there, which cannot be read as text"),
        ("application/zip", "a.example has a file there, which cannot be read as text"),
        ("send your memories", "a.example has a file there, which cannot be read as text"),
    ] {
        let error = FetchError::NotText { host: "a.example".into(), media: Media::of(kind) };
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn redirects_are_followed_outside_and_never_inside() {
    const ANSWERS: &[(&str, &str)] = &[
        (
            "/out",
            "HTTP/1.1 302 Found\r\nLocation: http://good.example/a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        ("/a", HELLO),
        (
            "/in",
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:8899/api/config\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/mapped",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://[::ffff:7f00:1]/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/name",
            "HTTP/1.1 301 Moved Permanently\r\nLocation: //inside.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/file",
            "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/metadata",
            "HTTP/1.1 308 Permanent Redirect\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/user",
            "HTTP/1.1 303 See Other\r\nLocation: http://good.example@127.0.0.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/port",
            "HTTP/1.1 302 Found\r\nLocation: http://good.example:25/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/data",
            "HTTP/1.1 302 Found\r\nLocation: data:text/plain,hi\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        ("/two", "HTTP/1.1 302 Found\r\nLocation: /in\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        (
            "/round",
            "HTTP/1.1 302 Found\r\nLocation: /round\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
    ];
    let names: &[(&'static str, &[&[&'static str]])] =
        &[("good.example", &[&["93.184.216.34"]]), ("inside.example", &[&["10.1.2.3"]])];
    let (web, served) = web(names, ANSWERS).await;
    assert_eq!(get(&web, "http://good.example/out").await.unwrap().url.as_str(), "http://good.example/a");
    let before = served.load(Ordering::Relaxed);
    let inside = ["in", "mapped", "name", "file", "metadata", "user", "port", "data", "two"];
    for path in inside {
        let refused = get(&web, &format!("http://good.example/{path}")).await;
        assert_eq!(refused, Err(FetchError::BadRedirect("good.example".into())), "{path}");
    }
    assert_eq!(
        served.load(Ordering::Relaxed),
        before + inside.len() + 1,
        "only the redirects themselves were asked for"
    );
    let round = get(&web, "http://good.example/round").await;
    assert_eq!(round, Err(FetchError::TooManyRedirects("good.example".into())));
}

#[tokio::test]
async fn what_is_large_is_cut_and_what_is_no_text_is_left() {
    const ANSWERS: &[(&str, &str)] = &[
        (
            "/long",
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n0123456789012345678901234567890123456789012345678901234567890123456789",
        ),
        (
            "/picture",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
        ),
    ];
    let (web, _) = web(&[("good.example", &[&["93.184.216.34"]])], ANSWERS).await;
    let long = get(&web, "http://good.example/long").await.unwrap();
    assert_eq!((long.body.len(), long.is_cut), (64, true));
    assert!(matches!(get(&web, "http://good.example/picture").await, Err(FetchError::NotText { .. })));
    let unknown = get(&web, "http://nowhere.example/").await.unwrap_err();
    assert_eq!(unknown.to_string(), "nowhere.example cannot be found. Is there a network?");
}

#[tokio::test]
async fn trouble_is_told_of_the_host_that_was_asked_for_and_in_our_words() {
    const ANSWERS: &[(&str, &str)] = &[
        (
            "/status",
            "HTTP/1.1 302 Found\r\nLocation: http://other.example/none\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/kind",
            "HTTP/1.1 302 Found\r\nLocation: http://other.example/zip\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/zip",
            "HTTP/1.1 200 OK\r\nContent-Type: send/your-memories\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        (
            "/nowhere",
            "HTTP/1.1 302 Found\r\nLocation: http://send-your-memories.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        ("/nonsense", "send your memories\r\n\r\n"),
        ("/cut", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nhalf"),
    ];
    let names: &[(&'static str, &[&[&'static str]])] =
        &[("good.example", &[&["93.184.216.34"]]), ("other.example", &[&["93.184.216.35"]])];
    let (web, _) = web(names, ANSWERS).await;
    for (path, words) in [
        ("status", "good.example answered with 404 (there is no such page)"),
        ("kind", "good.example has a file there, which cannot be read as text"),
        ("nowhere", "good.example redirects to an address that cannot be fetched"),
        ("nonsense", "good.example does not answer: the connection broke off"),
        ("cut", "good.example does not answer: the connection broke off"),
    ] {
        let error = get(&web, &format!("http://good.example/{path}")).await.unwrap_err();
        assert_eq!(error.to_string(), words, "{path}");
    }
}

#[tokio::test]
async fn an_address_carries_no_more_than_an_honest_one_does() {
    let long = format!("http://good.example/{}", "a".repeat(2_000));
    let found: &'static str = Box::leak(
        format!("HTTP/1.1 302 Found\r\nLocation: {long}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .into_boxed_str(),
    );
    let answers: &'static [(&str, &str)] = Box::leak(Box::new([("/a", found)]));
    let (web, served) = web(&[("good.example", &[&["93.184.216.34"]])], answers).await;
    let refused = get(&web, &long).await.unwrap_err();
    assert_eq!(refused.to_string(), "an address has at most 2000 characters");
    assert_eq!(served.load(Ordering::Relaxed), 0);
    let led = get(&web, "http://good.example/a").await;
    assert_eq!(led, Err(FetchError::BadRedirect("good.example".into())));
    assert_eq!(served.load(Ordering::Relaxed), 1);
}
