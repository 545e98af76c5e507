use std::net::IpAddr;

use host::{is_public, is_public_name};
use reqwest::Url;

/// The reason why tools may not use an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("an address has at most {} characters", LONGEST)]
    TooLong,
    #[error("only http and https addresses can be fetched")]
    Scheme,
    #[error("addresses with a user name or a password are not fetched")]
    Credentials,
    #[error("port {0} is not a web port")]
    Port(u16),
    #[error("{0} is not on the public web")]
    NotPublic(String),
}

/// The longest URL. Legitimate ones are shorter, and a longer one could carry data away.
const LONGEST: usize = 2_000;

/// Ports of other services that could misinterpret a web request. Below 1024 only 80 and 443 are allowed anyway.
const OTHER_SERVICES: [u16; 26] = [
    1719, 1720, 1723, 2049, 2375, 2376, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379,
    6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080, 11211,
];

/// Checks a URL before its name is resolved. An IP address in any spelling (`0x7f.1`, `2130706433`) is recognised here;
/// the addresses of a name must be checked with [`is_public`] when connecting.
pub fn check_host(url: &Url) -> Result<(), AddressError> {
    if url.as_str().len() > LONGEST {
        return Err(AddressError::TooLong);
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::Credentials);
    }
    if let Some(port) = url.port().filter(|port| !is_web_port(*port)) {
        return Err(AddressError::Port(port));
    }
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let public = match literal {
        Ok(address) => is_public(address),
        Err(_) => is_public_name(host),
    };
    if public { Ok(()) } else { Err(AddressError::NotPublic(host.to_owned())) }
}

fn is_web_port(port: u16) -> bool {
    matches!(port, 80 | 443) || (port >= 1024 && !OTHER_SERVICES.contains(&port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_of_the_inside_gets_through() {
        let inside = [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://127.255.255.254/",
            "http://0/",
            "http://0.0.0.0/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://10.0.0.1/",
            "http://10.255.255.255/",
            "http://172.16.0.1/",
            "http://172.31.255.255/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://100.127.255.254/",
            "http://192.0.0.8/",
            "http://192.88.99.1/",
            "http://198.18.0.1/",
            "http://198.19.255.255/",
            "http://192.0.2.1/",
            "http://198.51.100.7/",
            "http://203.0.113.9/",
            "http://224.0.0.1/",
            "http://239.255.255.250/",
            "http://240.0.0.1/",
            "http://255.255.255.255/",
            "http://[::]/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[::127.0.0.1]/",
            "http://[::ffff:0:127.0.0.1]/",
            "http://[64:ff9b::127.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "http://[64:ff9b:1::1]/",
            "http://[2002:7f00:1::]/",
            "http://[2002:a00:1::1]/",
            "http://[2001::1]/",
            "http://[2001:db8::1]/",
            "http://[2001:2::1]/",
            "http://[3fff::1]/",
            "http://[fc00::1]/",
            "http://[fd12:3456::1]/",
            "http://[fe80::1]/",
            "http://[fec0::1]/",
            "http://[ff02::1]/",
            "http://[100::1]/",
            "http://[5f00::1]/",
            "http://localhost/",
            "http://LOCALHOST:8899/",
            "http://localhost./",
            "http://api.localhost/",
            "http://printer.local/",
            "http://metadata.google.internal/",
            "http://router.lan/",
            "http://nas.home.arpa/",
            "http://intranet/",
            "http://１２７.０.０.１/",
            "http://127.0.0.1./",
            "http://127。0。0。1/",
            "http://①②⑦.0.0.1/",
            "http://%31%32%37.0.0.1/",
            "http://0x7f.0x0.0x0.0x1/",
            "http://0300.0250.1.1/",
            "http://3232235777/",
            "http://0xa9fea9fe/",
            "http://169.254.43518/",
            "http:127.0.0.1/",
            "http:\\\\127.0.0.1\\admin",
            "http://127.0.0.\t1/",
            "http://127.0.0.1#@example.org/",
            "http://127.0.0.1?@example.org/",
            "http://127.0.0.1:80/",
            "https://127.0.0.1:443/",
            "http://[::8.8.8.8]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://[0000::ffff:192.168.0.1]/",
            "http://[::ffff:0:8.8.8.8]/",
            "http://[2002:c0a8:101::1]/",
            "http://[2002:a9fe:a9fe::]/",
            "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
            "http://[2606:4700::5efe:10.0.0.1]/",
            "http://[2606:4700::200:5efe:192.168.1.1]/",
            "http://[2001:10::1]/",
            "http://[2001:20::1]/",
            "http://[fdff:ffff::]/",
            "http://[febf::1]/",
            "http://[ff05::2]/",
            "http://[::2]/",
            "http://localhost.localdomain/",
            "http://foo.localhost./",
            "http://LocalHost%2E/",
            "http://ｌｏｃａｌｈｏｓｔ/",
            "http://wiki.corp/",
            "http://printer.LOCAL./",
            "http://instance-data.ec2.internal/",
            "http://router/",
            "http://./",
        ];
        for text in inside {
            let url = Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(matches!(check_host(&url), Err(AddressError::NotPublic(_))), "{text} gets through");
        }
    }

    #[test]
    fn the_web_can_be_reached() {
        for text in [
            "https://example.org/",
            "http://93.184.216.34/",
            "https://1.1.1.1/",
            "https://[2606:4700:4700::1111]/",
            "https://[64:ff9b::101:101]/",
            "https://localhost.example.org/",
            "https://mylocal.org/",
            "http://100.128.0.1/",
            "http://172.32.0.1/",
            "https://[::ffff:1.1.1.1]/",
            "https://[2002:101:101::1]/",
            "https://[2606:4700::5efe:101:101]/",
            "https://127.0.0.1.nip.example.org/",
            "http://example.org:8080/",
            "https://example.org:8443/",
        ] {
            assert_eq!(check_host(&Url::parse(text).unwrap()), Ok(()), "{text}");
        }
    }

    #[test]
    fn other_schemes_passwords_and_ports_are_refused() {
        let cases = [
            ("file:///etc/passwd", AddressError::Scheme),
            ("ftp://example.org/", AddressError::Scheme),
            ("gopher://example.org/", AddressError::Scheme),
            ("https://user:secret@example.org/", AddressError::Credentials),
            ("https://example.org@127.0.0.1/", AddressError::Credentials),
            ("https://example.org:80@127.0.0.1/", AddressError::Credentials),
            ("http://a@b@127.0.0.1/", AddressError::Credentials),
            ("http://:pass@example.org/", AddressError::Credentials),
            ("data:text/html,hi", AddressError::Scheme),
            ("javascript:alert(1)", AddressError::Scheme),
            ("blob:http://example.org/1", AddressError::Scheme),
            ("ws://example.org/", AddressError::Scheme),
            ("http://example.org:22/", AddressError::Port(22)),
            ("http://example.org:25/", AddressError::Port(25)),
            ("http://example.org:0/", AddressError::Port(0)),
            ("https://example.org:6379/", AddressError::Port(6379)),
            ("https://example.org:11211/", AddressError::Port(11211)),
        ];
        for (text, expected) in cases {
            assert_eq!(check_host(&Url::parse(text).unwrap()), Err(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_cannot_be_asked_for() {
        for text in [
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1%eth0]/",
            "http://[::1",
            "http://256.256.256.256/",
            "http://0x100000000/",
            "http://127.0.0.1:99999/",
            "http://exa mple.org/",
            "http://example.org\0.evil/",
            "http://",
        ] {
            assert!(Url::parse(text).is_err(), "{text}");
        }
    }
}
