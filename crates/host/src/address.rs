//! Which addresses are the public internet's, and which are nearer.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Names that mean this machine or the network it is in, wherever they resolve to.
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

/// Whether a name may be one of the public internet. What it resolves to still has to be checked with [`is_public`].
pub fn is_public_name(name: &str) -> bool {
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

/// Whether the host of a web address is this machine or one of its network: nothing leads there through a proxy.
pub fn is_near(host: &str) -> bool {
    match host.trim_matches(['[', ']']).parse() {
        Ok(address) => !is_public(address),
        Err(_) => !is_public_name(host),
    }
}

/// Whether an address belongs to this machine, or to a network that it is in by this address of its own. Machines at
/// home have public addresses too, and nothing stands between them.
pub fn is_beside(address: IpAddr, own: IpAddr) -> bool {
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
        // Shared by the customers of a provider.
        || (first == 100 && (second & 0b1100_0000) == 64)
        // For protocols, and for relays that no longer are.
        || (first, second, third) == (192, 0, 0)
        || (first, second, third) == (192, 88, 99)
        // For measuring devices.
        || (first == 198 && (second & 0b1111_1110) == 18))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    match v4_within(segments) {
        Within::Leads(inner) => return is_public_v4(inner),
        // What is left of the address still has to be public.
        Within::Tunnel(inner) if !is_public_v4(inner) => return false,
        Within::Tunnel(_) | Within::Nothing => {}
    }
    let [first, second, ..] = segments;
    // Only this part of the space is given out to the world.
    let global = (first & 0xe000) == 0x2000;
    let teredo = (first, second) == (0x2001, 0);
    // For protocols (with ORCHID and benchmarks among them), and for examples.
    let special = first == 0x2001 && second < 0x0200;
    let examples = (first, second) == (0x2001, 0x0db8) || (first & 0xfff0) == 0x3ff0;
    global && !teredo && !special && !examples
}

/// The address of the old kind that stands in one of the new kind.
enum Within {
    Nothing,
    /// Connecting to the one connects to the other: mapped, translated.
    Leads(Ipv4Addr),
    /// The last part of an address that is public or not by its first.
    Tunnel(Ipv4Addr),
}

fn v4_within(segments: [u16; 8]) -> Within {
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        // ::ffff:a.b.c.d; NAT64; 6to4 has it in front. Other spellings within ::/8, which nobody should use any
        // more, are in no public part of the space.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Within::Leads(v4(high, low)),
        // ISATAP: any prefix, and a machine of the inside behind it.
        [.., 0 | 0x0200, 0x5efe, high, low] => Within::Tunnel(v4(high, low)),
        _ => Within::Nothing,
    }
}

/// What a name stands for.
pub async fn addresses_of(name: &str) -> io::Result<Vec<IpAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    Ok(found.map(|address| address.ip()).collect())
}

/// The address of ours from which a connection to another one would come. Nothing is sent to find out.
pub fn comes_from(address: IpAddr) -> Option<IpAddr> {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    // Connecting such a socket only asks for the way.
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((address, 443)).ok()?;
    socket.local_addr().ok().map(|own| own.ip())
}

/// This machine's addresses in private networks, that of the way out first. Nothing is sent to find out.
pub fn own_addresses() -> Vec<Ipv4Addr> {
    // One of nobody, and a few of the nets that homes and offices use.
    let elsewhere =
        [[192, 0, 2, 1], [192, 168, 0, 1], [192, 168, 1, 1], [10, 0, 0, 1], [172, 16, 0, 1], [100, 64, 0, 1]];
    let mut own = Vec::new();
    for address in elsewhere {
        if let Some(IpAddr::V4(found)) = comes_from(IpAddr::from(address))
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
            assert_eq!(is_near(host), near, "{host}");
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
                is_beside(address.parse().unwrap(), own.parse().unwrap()),
                expected,
                "{address} {own}"
            );
        }
    }
}
