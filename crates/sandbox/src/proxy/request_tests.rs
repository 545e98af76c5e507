use super::*;

fn passed_on(request: &str) -> String {
    match parse(request.as_bytes()).unwrap().kind {
        RequestKind::Plain { head, .. } => String::from_utf8(head).unwrap(),
        RequestKind::Tunnel => "a tunnel".to_owned(),
    }
}

fn refused(request: &str) -> ProxyRefusal {
    parse(request.as_bytes()).expect_err(request)
}

#[test]
fn a_tunnel_names_its_host_and_port() {
    for (request, host, port) in [
        ("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", "example.org", 443),
        ("CONNECT Example.ORG.:443 HTTP/1.0\r\n\r\n", "example.org", 443),
        ("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", "example.org", 443),
        ("CONNECT [::1]:8080 HTTP/1.1\r\n\r\n", "[::1]", 8080),
    ] {
        let ProxyRequest { host: found, port: at, kind } = parse(request.as_bytes()).unwrap();
        assert_eq!((found.to_string().as_str(), at, kind), (host, port, RequestKind::Tunnel), "{request}");
    }
}

#[test]
fn a_plain_request_is_written_anew() {
    let request = "POST http://example.org:8080/a?b=c HTTP/1.1\r\nhost: EXAMPLE.org:8080\r\nAccept:  */* \r\n\
                   Proxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive, X-Own\r\n\
                   x-own: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(
        passed_on(request),
        "POST /a?b=c HTTP/1.1\r\nHost: example.org:8080\r\nContent-Length: 5\r\nAccept: */*\r\n\
         Connection: close\r\n\r\n"
    );
    let ProxyRequest { host, port, kind } = parse(request.as_bytes()).unwrap();
    assert_eq!((host.to_string().as_str(), port), ("example.org", 8080));
    assert!(matches!(kind, RequestKind::Plain { body: 5, .. }));
    for (target, path) in
        [("http://example.org", "/"), ("HTTP://example.org?q", "/?q"), ("http://a.b//c", "//c")]
    {
        let first = passed_on(&format!("GET {target} HTTP/1.0\r\n\r\n"));
        assert!(first.starts_with(&format!("GET {path} HTTP/1.0\r\nHost: ")), "{first}");
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    let plain = |rest: &str| format!("GET http://example.org/ HTTP/1.1\r\n{rest}\r\n\r\n");
    for (request, expected) in [
        (plain("Host: other.org"), ProxyRefusal::TwoHosts),
        (plain("Host: example.org:8080"), ProxyRefusal::TwoHosts),
        (plain("Host: example.org\r\nHost: example.org"), ProxyRefusal::TwoHosts),
        (plain("Host: example.org@other.org"), ProxyRefusal::Malformed),
        (plain("Host : example.org"), ProxyRefusal::Malformed),
        (plain("Host: example.org\r\n folded: 1"), ProxyRefusal::Malformed),
        (plain("A: b\nHost: other.org"), ProxyRefusal::Malformed),
        (plain("A: b\rHost: other.org"), ProxyRefusal::Malformed),
        (plain("A: b\0c"), ProxyRefusal::Malformed),
        (plain("no colon"), ProxyRefusal::Malformed),
        (plain(": no name"), ProxyRefusal::Malformed),
        (plain("Content-Length: 5\r\nContent-Length: 5"), ProxyRefusal::Malformed),
        (plain("Content-Length: +5"), ProxyRefusal::Malformed),
        (plain("Content-Length: 5, 6"), ProxyRefusal::Malformed),
        (plain("Content-Length: 99999999999999999999"), ProxyRefusal::Malformed),
        (plain("Content-Length:"), ProxyRefusal::Malformed),
        (plain("Transfer-Encoding: chunked"), ProxyRefusal::NoLength),
        (plain("Content-Length: 5\r\ntransfer-encoding: identity"), ProxyRefusal::NoLength),
    ] {
        assert_eq!(refused(&request), expected, "{request}");
    }
}

#[test]
fn what_is_no_request_to_a_proxy_is_refused() {
    for (first, expected) in [
        ("GET / HTTP/1.1", ProxyRefusal::Malformed),
        ("GET * HTTP/1.1", ProxyRefusal::Malformed),
        ("GET example.org HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://user@example.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://user:word@example.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://example.org\\@other.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://example.org#@other.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://example.org:80:90/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http:///path HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://127.1/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET https://example.org/ HTTP/1.1", ProxyRefusal::Scheme),
        ("GET ftp://example.org/ HTTP/1.1", ProxyRefusal::Scheme),
        ("GET http://example.org/ HTTP/2.0", ProxyRefusal::Malformed),
        ("GET http://example.org/", ProxyRefusal::Malformed),
        ("GET  http://example.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://example.org/a b HTTP/1.1", ProxyRefusal::Malformed),
        ("GET http://example.org/\t HTTP/1.1", ProxyRefusal::Malformed),
        ("G(T http://example.org/ HTTP/1.1", ProxyRefusal::Malformed),
        ("CONNECT example.org HTTP/1.1", ProxyRefusal::Malformed),
        ("CONNECT example.org:0 HTTP/1.1", ProxyRefusal::Malformed),
        ("CONNECT user@example.org:443 HTTP/1.1", ProxyRefusal::Malformed),
        ("CONNECT http://example.org:443 HTTP/1.1", ProxyRefusal::Malformed),
        ("CONNECT example.org:443/path HTTP/1.1", ProxyRefusal::Malformed),
        ("connect example.org:443 HTTP/1.1", ProxyRefusal::Malformed),
        ("\u{16}\u{3}\u{1}", ProxyRefusal::Malformed),
        ("", ProxyRefusal::Malformed),
    ] {
        assert_eq!(refused(&format!("{first}\r\n\r\n")), expected, "{first}");
    }
    assert_eq!(refused("CONNECT a.org:443 HTTP/1.1\r\nHost: b.org:443\r\n\r\n"), ProxyRefusal::TwoHosts);
}
