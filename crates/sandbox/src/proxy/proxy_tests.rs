use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsRawFd as _;
use std::sync::Mutex;
use std::time::Instant;

use host::is_public;

use super::connector::{Addresses, Internet};
use super::*;
use crate::handover;

const PUBLIC: &str = "93.184.216.34";
const QUICK: ProxyTimeouts = ProxyTimeouts {
    head: Duration::from_millis(300),
    connect: Duration::from_secs(2),
    silence: Duration::from_millis(600),
};

/// A fake internet of a few names, whose public addresses all lead to one server on this machine.
#[derive(Default)]
struct FakeInternet {
    /// The addresses of a name for each successive lookup. The last ones are repeated.
    names: Mutex<HashMap<&'static str, Vec<Vec<IpAddr>>>>,
    looked_up: Mutex<Vec<String>>,
    server: Option<SocketAddr>,
}

impl Internet for FakeInternet {
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        self.looked_up.lock().unwrap().push(name.to_owned());
        let mut names = self.names.lock().unwrap();
        let found = match names.get_mut(name) {
            Some(times) if times.len() > 1 => times.remove(0),
            Some(times) => times[0].clone(),
            None => Vec::new(),
        };
        Box::pin(async move { Ok(found) })
    }

    fn is_outside(&self, address: IpAddr) -> bool {
        is_public(address)
    }

    fn connect_address(&self, address: SocketAddr) -> SocketAddr {
        self.server.filter(|_| is_public(address.ip())).unwrap_or(address)
    }
}

struct ProxyTest {
    proxy: SocketAddr,
    internet: Arc<FakeInternet>,
    serving: JoinHandle<()>,
}

impl Drop for ProxyTest {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl ProxyTest {
    async fn new(hosts: &[&str], names: &[(&'static str, &[&[&str]])], server: Option<SocketAddr>) -> Self {
        let parse = |times: &&[&str]| times.iter().map(|one| one.parse().unwrap()).collect();
        let names = names.iter().map(|(name, times)| (*name, times.iter().map(parse).collect()));
        let names = Mutex::new(names.collect());
        let internet = Arc::new(FakeInternet { names, server, ..FakeInternet::default() });
        let hosts = AllowedHosts::parse(hosts).unwrap();
        let connector =
            Connector { hosts, internet: Arc::clone(&internet) as Arc<dyn Internet>, timeouts: QUICK };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = listener.local_addr().unwrap();
        Self { proxy, internet, serving: tokio::spawn(serve(listener, Arc::new(connector))) }
    }

    async fn call(&self, words: &str) -> TcpStream {
        let mut client = TcpStream::connect(self.proxy).await.unwrap();
        client.write_all(words.as_bytes()).await.unwrap();
        client
    }

    /// Sends a request and returns everything that comes back.
    async fn ask(&self, words: &str) -> String {
        rest(&mut self.call(words).await).await
    }
}

async fn rest(client: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let _ = timeout(Duration::from_secs(5), client.read_to_end(&mut heard)).await.expect("it ends");
    String::from_utf8_lossy(&heard).into_owned()
}

/// A web server that sends the same response on every connection and records the requests.
async fn web_server(answer: &'static str) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let keeping = Arc::clone(&told);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let keeping = Arc::clone(&keeping);
            tokio::spawn(async move {
                let mut heard = Vec::new();
                // Reads whatever arrives within 200 ms.
                let _ = timeout(Duration::from_millis(200), client.read_to_end(&mut heard)).await;
                keeping.lock().unwrap().push(String::from_utf8_lossy(&heard).into_owned());
                let _ = client.write_all(answer.as_bytes()).await;
            });
        }
    });
    (address, told)
}

const FINE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmoon";

#[tokio::test]
async fn a_tunnel_leads_to_the_address_that_was_checked() {
    let (server, told) = web_server("and back").await;
    // A second lookup would return an internal address.
    let names: &[(&str, &[&[&str]])] = &[("example.org", &[&[PUBLIC], &["127.0.0.1"]])];
    let proxied = ProxyTest::new(&["example.org"], names, Some(server)).await;
    let heard = proxied.ask("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\nthere").await;
    assert_eq!(heard, "HTTP/1.1 200 Connected\r\n\r\nand back");
    assert_eq!(*told.lock().unwrap(), ["there"]);
    assert_eq!(*proxied.internet.looked_up.lock().unwrap(), ["example.org"]);
    let heard = proxied.ask("CONNECT example.org:443 HTTP/1.1\r\n\r\n").await;
    assert!(heard.starts_with("HTTP/1.1 403 example.org is not on the public internet"), "{heard}");
    assert_eq!(told.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_plain_request_is_passed_on_and_nothing_behind_it() {
    let (server, told) = web_server(FINE).await;
    let proxied = ProxyTest::new(&["example.org"], &[("example.org", &[&[PUBLIC]])], Some(server)).await;
    let request = "POST http://example.org/form HTTP/1.1\r\nHost: example.org\r\nProxy-Connection: keep-alive\r\n\
                   Content-Length: 5\r\n\r\nhello";
    let behind = "GET http://other.org/ HTTP/1.1\r\nHost: other.org\r\n\r\n";
    assert_eq!(proxied.ask(&format!("{request}{behind}")).await, FINE);
    // The same request in two pieces, the second one delayed.
    let mut client = proxied.call(request).await;
    sleep(Duration::from_millis(50)).await;
    client.write_all(behind.as_bytes()).await.unwrap();
    assert_eq!(rest(&mut client).await, FINE);
    let expected =
        "POST /form HTTP/1.1\r\nHost: example.org\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
    assert_eq!(*told.lock().unwrap(), [expected, expected]);
}

#[tokio::test]
async fn whoever_is_not_permitted_is_not_reached() {
    let (server, told) = web_server(FINE).await;
    let port = server.port();
    let names: &[(&str, &[&[&str]])] = &[
        ("example.org", &[&[PUBLIC]]),
        ("other.org", &[&[PUBLIC]]),
        ("inside.example.org", &[&["127.0.0.1"]]),
        ("half.example.org", &[&[PUBLIC, "10.0.0.1"]]),
        ("mapped.example.org", &[&["::ffff:127.0.0.1"]]),
        ("nat.example.org", &[&["64:ff9b::7f00:1"]]),
        ("cloud.example.org", &[&["169.254.169.254"]]),
        ("localhost", &[&["127.0.0.1"]]),
    ];
    let proxied = ProxyTest::new(
        &["example.org", "*.example.org", &format!("*.example.org:{port}")],
        names,
        Some(server),
    )
    .await;
    let not_allowed = "is not among the hosts";
    let not_public = "is not on the public internet";
    for (host, why) in [
        ("other.org:443".to_owned(), not_allowed),
        ("example.org:22".to_owned(), not_allowed),
        (format!("example.org:{port}"), not_allowed),
        ("example.org.other.org:443".to_owned(), not_allowed),
        (format!("127.0.0.1:{port}"), not_allowed),
        ("127.0.0.1:443".to_owned(), not_allowed),
        (format!("localhost:{port}"), not_allowed),
        (format!("0.0.0.0:{port}"), not_allowed),
        (format!("[::1]:{port}"), not_allowed),
        (format!("[::ffff:127.0.0.1]:{port}"), not_allowed),
        ("93.184.216.34:443".to_owned(), not_allowed),
        (format!("inside.example.org:{port}"), not_public),
        ("half.example.org:443".to_owned(), not_public),
        (format!("mapped.example.org:{port}"), not_public),
        (format!("nat.example.org:{port}"), not_public),
        ("cloud.example.org:80".to_owned(), not_public),
    ] {
        for request in
            [format!("CONNECT {host} HTTP/1.1\r\n\r\n"), format!("GET http://{host}/ HTTP/1.1\r\n\r\n")]
        {
            let heard = proxied.ask(&request).await;
            assert!(heard.starts_with("HTTP/1.1 403 ") && heard.contains(why), "{request}{heard}");
            let shown = host.rsplit_once(':').unwrap().0.replace("::ffff:", "");
            assert!(heard.contains(shown.trim_matches(['[', ']'])), "{request}{heard}");
        }
    }
    for (host, status) in
        [("no.example.org:443", 502), ("127.1:443", 400), ("0x7f000001:443", 400), ("[fe80::1%lo]:443", 400)]
    {
        let heard = proxied.ask(&format!("CONNECT {host} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {heard}");
    }
    assert!(told.lock().unwrap().is_empty());
}

#[tokio::test]
async fn every_public_host_is_none_of_the_inside() {
    let (server, told) = web_server(FINE).await;
    let names: &[(&str, &[&[&str]])] = &[("example.org", &[&[PUBLIC]]), ("inside.org", &[&["192.168.1.1"]])];
    let proxied = ProxyTest::new(&["*"], names, Some(server)).await;
    for host in ["example.org:443", "93.184.216.34:80"] {
        let heard = proxied.ask(&format!("CONNECT {host} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.starts_with("HTTP/1.1 200 "), "{host}: {heard}");
    }
    for host in
        ["127.0.0.1:80", "[::1]:443", "10.0.0.1:80", "169.254.169.254:80", "inside.org:80", "example.org:25"]
    {
        let heard = proxied.ask(&format!("CONNECT {host} HTTP/1.1\r\n\r\n")).await;
        assert!(heard.starts_with("HTTP/1.1 403 "), "{host}: {heard}");
    }
    assert_eq!(told.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn an_address_that_is_named_itself_is_reached_wherever_it_is() {
    let (server, _) = web_server(FINE).await;
    let proxied = ProxyTest::new(&[&server.to_string()], &[], None).await;
    assert_eq!(proxied.ask(&format!("GET http://{server}/ HTTP/1.1\r\n\r\n")).await, FINE);
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let proxied = ProxyTest::new(&[&closed.to_string()], &[], None).await;
    let heard = proxied.ask(&format!("GET http://{closed}/ HTTP/1.1\r\n\r\n")).await;
    assert!(heard.starts_with(&format!("HTTP/1.1 502 {closed} cannot be connected to")), "{heard}");
}

#[tokio::test]
async fn a_redirect_is_only_told_and_following_it_is_judged() {
    let (server, told) = web_server("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n").await;
    let proxied = ProxyTest::new(&["example.org"], &[("example.org", &[&[PUBLIC]])], Some(server)).await;
    let heard = proxied.ask("GET http://example.org/ HTTP/1.1\r\n\r\n").await;
    assert!(heard.contains("Location: http://127.0.0.1/"), "{heard}");
    assert!(
        proxied.ask("GET http://127.0.0.1/ HTTP/1.1\r\n\r\n").await.starts_with("HTTP/1.1 403 127.0.0.1 ")
    );
    assert_eq!(told.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn who_dawdles_or_never_ends_is_sent_away() {
    let proxied = ProxyTest::new(&["example.org"], &[], None).await;
    let began = Instant::now();
    let mut client = proxied.call("GET http://exa").await;
    let dawdling = async {
        for _ in 0..100 {
            sleep(Duration::from_millis(20)).await;
            if client.write_all(b"m").await.is_err() {
                break;
            }
        }
        rest(&mut client).await
    };
    let _ = dawdling.await;
    assert!(began.elapsed() < Duration::from_secs(5));
    let heard = proxied.ask("GET http://exa").await;
    assert!(heard.starts_with("HTTP/1.1 408 the request did not come in time"), "{heard}");
    let endless = format!("GET http://example.org/ HTTP/1.1\r\nA: {}", "a".repeat(LONGEST_HEAD));
    let heard = proxied.ask(&endless).await;
    assert!(heard.starts_with("HTTP/1.1 431 "), "{heard}");
    let heard = proxied.ask(&format!("{endless}\r\n\r\n")).await;
    assert!(heard.starts_with("HTTP/1.1 431 "), "{heard}");
}

#[tokio::test]
async fn a_connection_on_which_nobody_says_anything_ends() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let proxied = ProxyTest::new(&[&address.to_string()], &[], None).await;
    for request in
        [format!("CONNECT {address} HTTP/1.1\r\n\r\n"), format!("GET http://{address}/ HTTP/1.1\r\n\r\n")]
    {
        let began = Instant::now();
        proxied.ask(&request).await;
        assert!(began.elapsed() >= QUICK.silence && began.elapsed() < Duration::from_secs(4), "{request}");
    }
}

#[tokio::test]
async fn more_than_there_is_room_for_wait_their_turn() {
    let (server, _) = web_server(FINE).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let quiet = silent.local_addr().unwrap();
    let proxied = ProxyTest::new(&[&server.to_string(), &quiet.to_string()], &[], None).await;
    let mut open = Vec::new();
    for _ in 0..MOST_CONNECTIONS {
        open.push(proxied.call(&format!("CONNECT {quiet} HTTP/1.1\r\n\r\n")).await);
    }
    for client in &mut open {
        let mut first = [0; 12];
        client.read_exact(&mut first).await.unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    let mut waiting = proxied.call("GET http://other.org/ HTTP/1.1\r\n\r\n").await;
    let early = timeout(Duration::from_millis(100), waiting.readable()).await;
    assert!(early.is_err(), "there was no room");
    drop(open);
    assert!(rest(&mut waiting).await.starts_with("HTTP/1.1 403 other.org "));
    assert_eq!(proxied.ask(&format!("GET http://{server}/ HTTP/1.1\r\n\r\n")).await, FINE);
}

#[tokio::test]
async fn the_proxy_ends_with_all_of_its_connections() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let (outside, inside) = handover::socket_pair().unwrap();
    let inside = inside.into_descriptor();
    let probe = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = probe.local_addr().unwrap().port();
    drop(probe);
    handover::hand_over(inside.as_raw_fd(), port).unwrap();
    std::mem::forget(inside);
    let proxy = Proxy::start(outside, AllowedHosts::parse(&[address.to_string()]).unwrap());
    let mut client = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    client.write_all(format!("CONNECT {address} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    let (mut server, _) = silent.accept().await.unwrap();
    let mut first = [0; 12];
    client.read_exact(&mut first).await.unwrap();
    drop(proxy);
    assert_eq!(rest(&mut server).await, "");
    rest(&mut client).await;
    assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err(), "nobody listens any more");
}
