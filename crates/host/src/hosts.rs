//! The hosts that a program may reach: patterns written by the user, and their application to a requested host.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use thiserror::Error;

use crate::address::is_public_name;

/// The ports allowed by a pattern without a port.
const WEB_PORTS: [u16; 2] = [80, 443];
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// The hosts that a program may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Only hosts that match these patterns.
    Only(Vec<HostPattern>),
    /// All hosts on the public internet.
    AnyPublic,
}

/// A pattern: `example.org`, `*.example.org` or an address, each with an optional port. Without one, 80 and 443 are
/// allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    names: HostNames,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostNames {
    Exactly(Host),
    /// All subdomains of this name, but not the name itself.
    Below(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    #[error("{0} is not a host: write example.org, *.example.org, 192.168.1.20 or example.org:8080")]
    NoHost(String),
    #[error("{0} is a name in your own network: write its address, such as 127.0.0.1:8080")]
    Inside(String),
    #[error("* already means every public host, so it must be the only entry")]
    NotAlone,
}

/// A host as written in a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    Address(IpAddr),
    /// A name in lower case, without a trailing dot.
    Name(String),
}

/// The addresses of a permitted host that may be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedAddresses {
    /// Any, because a pattern names this very address.
    Any,
    /// Only if all of them are public.
    PublicOnly,
}

impl AllowedHosts {
    /// Parses a list of patterns, or `*` for every public host.
    pub fn parse<T: AsRef<str>>(words: &[T]) -> Result<Self, HostError> {
        let mut words = words.iter().map(|word| word.as_ref().trim());
        if words.clone().any(|word| word == "*") {
            return if words.all(|word| word == "*") {
                Ok(Self::AnyPublic)
            } else {
                Err(HostError::NotAlone)
            };
        }
        Ok(Self::Only(words.map(str::parse).collect::<Result<_, _>>()?))
    }

    /// Returns the permission for a host, or `None` if it must not be reached.
    pub fn permits(&self, host: &Host, port: u16) -> Option<AllowedAddresses> {
        match self {
            Self::AnyPublic => WEB_PORTS.contains(&port).then_some(AllowedAddresses::PublicOnly),
            Self::Only(patterns) => {
                let pattern = patterns.iter().find(|pattern| pattern.fits(host, port))?;
                let is_literal = matches!(pattern.names, HostNames::Exactly(Host::Address(_)));
                Some(if is_literal { AllowedAddresses::Any } else { AllowedAddresses::PublicOnly })
            }
        }
    }

    /// Returns true if a pattern names this very address, with any port.
    pub fn names_address(&self, address: IpAddr) -> bool {
        let named = HostNames::Exactly(Host::Address(address));
        matches!(self, Self::Only(patterns) if patterns.iter().any(|pattern| pattern.names == named))
    }
}

impl fmt::Display for AllowedHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = match self {
            Self::AnyPublic => return f.write_str("every public host"),
            Self::Only(patterns) => patterns,
        };
        for (index, pattern) in patterns.iter().enumerate() {
            let joint = match index {
                0 => "",
                last if last + 1 == patterns.len() => " and ",
                _ => ", ",
            };
            write!(f, "{joint}{pattern}")?;
        }
        Ok(())
    }
}

impl HostPattern {
    fn fits(&self, host: &Host, port: u16) -> bool {
        let is_port = self.port.map_or(WEB_PORTS.contains(&port), |own| own == port);
        is_port
            && match (&self.names, host) {
                (HostNames::Exactly(own), host) => own == host,
                (HostNames::Below(parent), Host::Name(name)) => {
                    name.strip_suffix(parent.as_str()).is_some_and(|before| before.ends_with('.'))
                }
                (HostNames::Below(_), Host::Address(_)) => false,
            }
    }
}

impl FromStr for HostPattern {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let no_host = || HostError::NoHost(text.to_owned());
        let (rest, is_below) = text.strip_prefix("*.").map_or((text, false), |rest| (rest, true));
        let (host, port) = match rest.parse::<IpAddr>() {
            Ok(address) => (Host::Address(address.to_canonical()), None),
            Err(_) => parse_authority(rest).ok_or_else(no_host)?,
        };
        let names = match host {
            Host::Name(name) if !is_public_name(&name) => return Err(HostError::Inside(text.to_owned())),
            Host::Name(name) if is_below => HostNames::Below(name),
            Host::Address(_) if is_below => return Err(no_host()),
            // Connecting to the unspecified address connects to this machine.
            Host::Address(address) if address.is_unspecified() || address.is_multicast() => {
                return Err(no_host());
            }
            host => HostNames::Exactly(host),
        };
        Ok(Self { names, port })
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.names {
            HostNames::Exactly(host) => write!(f, "{host}")?,
            HostNames::Below(parent) => write!(f, "*.{parent}")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// Parses `host` or `host:port` as in a URL, with IPv6 addresses in brackets. Anything else is rejected: a host that
/// two programs read differently could bypass a rule.
pub fn parse_authority(text: &str) -> Option<(Host, Option<u16>)> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (inner, after) = rest.split_once(']')?;
        let address: Ipv6Addr = inner.parse().ok()?;
        let port = if after.is_empty() { None } else { Some(after.strip_prefix(':')?) };
        (Host::Address(IpAddr::V6(address).to_canonical()), port)
    } else {
        let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
        (Host::parse(host)?, port)
    };
    let port = match port {
        None => None,
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some(digits.parse().ok().filter(|port| *port != 0)?)
        }
        Some(_) => return None,
    };
    Some((host, port))
}

impl Host {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Some(Self::Address(address.into()));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_label = |label: &str| {
            let letters = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_');
            (1..=LONGEST_LABEL).contains(&label.len()) && label.bytes().all(letters)
        };
        // Some programs read `127.1`, `0x7f.1` and `2130706433` as addresses.
        let is_number = |label: &str| {
            let digits = label.strip_prefix("0x").unwrap_or(label);
            digits.bytes().all(|digit| digit.is_ascii_hexdigit())
                && (digits.len() < label.len() || digits.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let is_name = name.len() <= LONGEST_NAME
            && name.split('.').all(is_label)
            && !name.rsplit('.').next().is_some_and(is_number);
        is_name.then_some(Self::Name(name))
    }
}

/// Formats the host as in a URL.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Self::Address(address) => write!(f, "{address}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
#[path = "hosts_tests.rs"]
mod tests;
