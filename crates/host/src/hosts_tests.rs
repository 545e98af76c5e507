use super::*;

fn permitted(patterns: &[&str], asked: &str, port: u16) -> Option<AllowedAddresses> {
    let (host, None) = parse_authority(asked).unwrap() else { panic!("{asked} has a port") };
    AllowedHosts::parse(patterns).unwrap().permits(&host, port)
}

#[test]
fn a_pattern_fits_what_it_names_and_nothing_else() {
    use AllowedAddresses::{Any, PublicOnly};
    for (pattern, asked, port, expected) in [
        ("example.org", "example.org", 443, Some(PublicOnly)),
        ("example.org", "EXAMPLE.org.", 80, Some(PublicOnly)),
        ("example.org", "example.org", 8080, None),
        ("example.org:8080", "example.org", 8080, Some(PublicOnly)),
        ("example.org:8080", "example.org", 443, None),
        ("example.org", "www.example.org", 443, None),
        ("example.org", "notexample.org", 443, None),
        ("example.org", "example.org.evil.net", 443, None),
        ("*.example.org", "www.example.org", 443, Some(PublicOnly)),
        ("*.example.org", "a.b.example.org", 443, Some(PublicOnly)),
        ("*.example.org", "example.org", 443, None),
        ("*.example.org", "notexample.org", 443, None),
        ("*", "example.org", 443, Some(PublicOnly)),
        ("*", "10.0.0.1", 443, Some(PublicOnly)),
        ("*", "example.org", 22, None),
        ("127.0.0.1:8080", "127.0.0.1", 8080, Some(Any)),
        ("127.0.0.1:8080", "[::ffff:127.0.0.1]", 8080, Some(Any)),
        ("127.0.0.1:8080", "127.0.0.1", 80, None),
        ("127.0.0.1:8080", "127.0.0.2", 8080, None),
        ("::1", "[::1]", 80, Some(Any)),
        ("[::1]:90", "[::1]", 90, Some(Any)),
    ] {
        assert_eq!(permitted(&[pattern], asked, port), expected, "{pattern} {asked}:{port}");
    }
    assert_eq!(permitted(&[], "example.org", 443), None);
}

#[test]
fn what_is_no_pattern_says_what_one_is() {
    for text in [
        "",
        "https://example.org",
        "example.org/path",
        "user@example.org",
        "exa mple.org",
        "example.org:0",
        "example.org:",
        "example.org:99999",
        "*.127.0.0.1",
        "*example.org",
        "a..b",
        "0.0.0.0",
        "224.0.0.1",
        "0x7f.1",
        "2130706433",
        "bücher.example",
        "[::1",
    ] {
        assert!(matches!(text.parse::<HostPattern>(), Err(HostError::NoHost(_))), "{text}");
    }
    for text in ["localhost", "localhost:8080", "printer.lan", "*.local", "*.org", "router"] {
        assert!(matches!(text.parse::<HostPattern>(), Err(HostError::Inside(_))), "{text}");
    }
    assert_eq!(AllowedHosts::parse(&["*", "example.org"]), Err(HostError::NotAlone));
}

#[test]
fn a_host_has_one_spelling() {
    for text in ["127.1", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "1.2.3.4.5", "[fe80::1%eth0]", "a_b.c d"]
    {
        assert_eq!(parse_authority(text), None, "{text}");
    }
    for (text, shown) in
        [("Example.ORG.", "example.org"), ("[::ffff:1.2.3.4]", "1.2.3.4"), ("[0::1]", "[::1]")]
    {
        assert_eq!(parse_authority(text).unwrap().0.to_string(), shown);
    }
}

#[test]
fn they_are_told_in_a_sentence() {
    for (words, told) in [
        (&["example.org"][..], "example.org"),
        (&["a.org", "*.b.org:81", "[::1]:9"][..], "a.org, *.b.org:81 and [::1]:9"),
        (&["*"][..], "every public host"),
    ] {
        assert_eq!(AllowedHosts::parse(words).unwrap().to_string(), told);
    }
}
