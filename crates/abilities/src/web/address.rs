use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

/// Why an address is not one for a tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    #[error("only http and https addresses can be fetched")]
    Scheme,
    #[error("an address with a user name or a password in it is not fetched")]
    Credentials,
    #[error("{0} is not on the public web")]
    NotPublic(String),
}

/// Names that mean this machine or the network it is in, wherever they resolve to.
const LOCAL_NAMES: [&str; 6] = ["localhost", "local", "internal", "intranet", "home.arpa", "lan"];

/// What can be said of an address before its name is resolved. An IP address in any spelling (`0x7f.1`, `2130706433`)
/// is recognised here; what a name resolves to has to be checked with [`is_public`] when it is connected to.
pub fn check_host(url: &Url) -> Result<(), Unreachable> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Unreachable::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Unreachable::Credentials);
    }
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let public = match literal {
        Ok(address) => is_public(address),
        Err(_) => is_public_name(host),
    };
    if public { Ok(()) } else { Err(Unreachable::NotPublic(host.to_owned())) }
}

fn is_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_local = LOCAL_NAMES
        .iter()
        .any(|local| name == *local || name.strip_suffix(local).is_some_and(|before| before.ends_with('.')));
    // A name without a dot is one of the network's own.
    name.contains('.') && !is_local
}

/// Whether an address belongs to the public internet, and to nothing that is nearer.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || first == 0
        || first >= 240
        // Shared by the customers of a provider.
        || (first == 100 && (second & 0b1100_0000) == 64)
        // For protocols, and for relays that no longer are.
        || (first, second, third) == (192, 0, 0)
        || (first, second, third) == (192, 88, 99)
        // For measuring devices.
        || (first == 198 && (second & 0b1111_1110) == 18))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = v4_within(address) {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // Only this part of the space is given out to the world.
    let global = (first & 0xe000) == 0x2000;
    let teredo = (first, second) == (0x2001, 0);
    // For protocols (with ORCHID and benchmarks among them), and for examples.
    let special = first == 0x2001 && second < 0x0200;
    let examples = (first, second) == (0x2001, 0x0db8) || (first & 0xfff0) == 0x3ff0;
    global && !teredo && !special && !examples
}

/// The address of the old kind that one of the new kind leads to: mapped, translated or tunnelled.
fn v4_within(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        // ::ffff:a.b.c.d, ::a.b.c.d and ::ffff:0:a.b.c.d, of which nobody should use the latter two; and NAT64.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        // 6to4 has it in front.
        | [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
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
        ];
        for text in inside {
            let url = Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(matches!(check_host(&url), Err(Unreachable::NotPublic(_))), "{text} gets through");
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
        ] {
            assert_eq!(check_host(&Url::parse(text).unwrap()), Ok(()), "{text}");
        }
    }

    #[test]
    fn other_schemes_and_passwords_are_refused() {
        let cases = [
            ("file:///etc/passwd", Unreachable::Scheme),
            ("ftp://example.org/", Unreachable::Scheme),
            ("gopher://example.org/", Unreachable::Scheme),
            ("https://user:secret@example.org/", Unreachable::Credentials),
            ("https://example.org@127.0.0.1/", Unreachable::Credentials),
        ];
        for (text, expected) in cases {
            assert_eq!(check_host(&Url::parse(text).unwrap()), Err(expected), "{text}");
        }
    }
}
