//! Distinguishes public internet addresses from those of this machine and its networks.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Names of this machine or its network, regardless of the address they resolve to.
const LOCAL_NAMES: [&str; 13] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "intra",
    "private",
    "corp",
    "home",
    "home.arpa",
    "lan",
    "test",
    "invalid",
];

/// Returns true if a name may belong to the public internet. The addresses it resolves to still have to be checked with
/// [`is_public`].
pub fn is_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_local = LOCAL_NAMES
        .iter()
        .any(|local| name == *local || name.strip_suffix(local).is_some_and(|before| before.ends_with('.')));
    // A name without a dot belongs to the local network.
    name.contains('.') && !is_local
}

/// Returns true if an address belongs to the public internet and not to this machine, a local network or a reserved
/// range.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Returns true if the host of a URL is this machine or in its network, so that no proxy must be used for it.
pub fn is_local_host(host: &str) -> bool {
    match host.trim_matches(['[', ']']).parse() {
        Ok(address) => !is_public(address),
        Err(_) => !is_public_name(host),
    }
}

/// Returns true if an address belongs to this machine or to the network of its address `own`. Machines in a home
/// network also have public IPv6 addresses and are reachable without a firewall in between.
pub fn is_same_network(address: IpAddr, own: IpAddr) -> bool {
    match (address.to_canonical(), own.to_canonical()) {
        (IpAddr::V6(address), IpAddr::V6(own)) => address.segments()[..4] == own.segments()[..4],
        (address, own) => address == own,
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
        // Carrier-grade NAT, shared by the customers of a provider.
        || (first == 100 && (second & 0b1100_0000) == 64)
        // Protocol assignments, and the former 6to4 relays.
        || (first, second, third) == (192, 0, 0)
        || (first, second, third) == (192, 88, 99)
        // Benchmarking.
        || (first == 198 && (second & 0b1111_1110) == 18))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    match embedded_v4(segments) {
        EmbeddedV4::Direct(inner) => return is_public_v4(inner),
        // The rest of the address still has to be public.
        EmbeddedV4::Tunnel(inner) if !is_public_v4(inner) => return false,
        EmbeddedV4::Tunnel(_) | EmbeddedV4::None => {}
    }
    let [first, second, ..] = segments;
    // Only this range is assigned for global use.
    let global = (first & 0xe000) == 0x2000;
    let teredo = (first, second) == (0x2001, 0);
    // Protocol assignments (including ORCHID and benchmarking) and documentation.
    let special = first == 0x2001 && second < 0x0200;
    let examples = (first, second) == (0x2001, 0x0db8) || (first & 0xfff0) == 0x3ff0;
    global && !teredo && !special && !examples
}

/// The IPv4 address embedded in an IPv6 address.
enum EmbeddedV4 {
    None,
    /// A mapped or translated address: connecting to it connects to the IPv4 address.
    Direct(Ipv4Addr),
    /// An IPv4 address at the end, behind a prefix that has to be public as well.
    Tunnel(Ipv4Addr),
}

fn embedded_v4(segments: [u16; 8]) -> EmbeddedV4 {
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        // ::ffff:a.b.c.d; NAT64; 6to4, which has it after its prefix. Other, deprecated notations within ::/8 are
        // outside of the public range.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => EmbeddedV4::Direct(v4(high, low)),
        // ISATAP: any prefix, followed by the address of an internal machine.
        [.., 0 | 0x0200, 0x5efe, high, low] => EmbeddedV4::Tunnel(v4(high, low)),
        _ => EmbeddedV4::None,
    }
}

/// Resolves a name.
pub async fn resolve_name(name: &str) -> io::Result<Vec<IpAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    Ok(found.map(|address| address.ip()).collect())
}

/// Returns the local address from which a connection to another address would come. No packet is sent.
pub fn local_address_for(address: IpAddr) -> Option<IpAddr> {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    // Connecting a UDP socket only looks up the route.
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((address, 443)).ok()?;
    socket.local_addr().ok().map(|own| own.ip())
}

/// Returns this machine's addresses in private networks, that of the default route first. No packet is sent.
pub fn lan_addresses() -> Vec<Ipv4Addr> {
    // A documentation address, for the default route, and networks common in homes and offices.
    let elsewhere =
        [[192, 0, 2, 1], [192, 168, 0, 1], [192, 168, 1, 1], [10, 0, 0, 1], [172, 16, 0, 1], [100, 64, 0, 1]];
    let mut own = Vec::new();
    for address in elsewhere {
        if let Some(IpAddr::V4(found)) = local_address_for(IpAddr::from(address))
            && !found.is_loopback()
            && !found.is_unspecified()
            && !is_public_v4(found)
            && !own.contains(&found)
        {
            own.push(found);
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_its_network_are_near() {
        for (host, near) in [
            ("localhost", true),
            ("127.0.0.1", true),
            ("[::1]", true),
            ("192.168.1.2", true),
            ("nas", true),
            ("printer.local", true),
            ("api.example.org", false),
            ("1.1.1.1", false),
            ("[2606:4700:4700::1111]", false),
        ] {
            assert_eq!(is_local_host(host), near, "{host}");
        }
    }

    #[test]
    fn only_what_is_given_out_to_the_world_is_public() {
        for (address, expected) in [
            ("93.184.216.34", true),
            ("100.128.0.1", true),
            ("172.32.0.1", true),
            ("2606:4700:4700::1111", true),
            ("::ffff:1.1.1.1", true),
            ("64:ff9b::101:101", true),
            ("127.0.0.1", false),
            ("0.0.0.0", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("169.254.169.254", false),
            ("192.168.1.1", false),
            ("224.0.0.1", false),
            ("::1", false),
            ("::ffff:10.0.0.1", false),
            ("64:ff9b::a00:1", false),
            ("2002:a00:1::1", false),
            ("2606:4700::5efe:10.0.0.1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn names_of_the_inside_are_known_by_their_ends() {
        for (name, expected) in [
            ("example.org", true),
            ("localhost.example.org", true),
            ("localhost", false),
            ("api.localhost.", false),
            ("printer.LOCAL", false),
            ("router", false),
        ] {
            assert_eq!(is_public_name(name), expected, "{name}");
        }
    }

    #[test]
    fn neighbours_are_known_by_their_network() {
        for (address, own, expected) in [
            ("93.184.216.34", "93.184.216.34", true),
            ("::ffff:93.184.216.34", "93.184.216.34", true),
            ("93.184.216.35", "93.184.216.34", false),
            ("2606:4700:1:2::1", "2606:4700:1:2:aa:bb:cc:dd", true),
            ("2606:4700:1:3::1", "2606:4700:1:2::1", false),
            ("93.184.216.34", "2606:4700:1:2::1", false),
        ] {
            assert_eq!(
                is_same_network(address.parse().unwrap(), own.parse().unwrap()),
                expected,
                "{address} {own}"
            );
        }
    }
}
