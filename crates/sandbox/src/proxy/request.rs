//! A strict parser for the head of a request: anything that two programs could interpret differently is rejected.

use host::{Host, parse_authority};

use super::refusal::ProxyRefusal;

/// Headers that are not forwarded: hop-by-hop headers, and those that the proxy writes itself.
const OURS: [&str; 11] = [
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
const WEB: u16 = 80;

#[derive(Debug, PartialEq, Eq)]
pub struct ProxyRequest {
    pub host: Host,
    pub port: u16,
    pub kind: RequestKind,
}

#[derive(Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// `CONNECT`: bytes are relayed in both directions.
    Tunnel,
    /// One request to a web server, in the form to be sent to it, and the length of its body.
    Plain { head: Vec<u8>, body: u64 },
}

/// Parses the whole head, including the empty line at its end.
pub fn parse(head: &[u8]) -> Result<ProxyRequest, ProxyRefusal> {
    let text = head.strip_suffix(b"\r\n\r\n").ok_or(ProxyRefusal::Malformed)?;
    let mut lines = lines(text)?.into_iter();
    let first =
        lines.next().and_then(|line| std::str::from_utf8(line).ok()).ok_or(ProxyRefusal::Malformed)?;
    let headers = lines.map(header).collect::<Result<Vec<_>, _>>()?;
    let [method, target, version] = first.split(' ').collect::<Vec<_>>()[..] else {
        return Err(ProxyRefusal::Malformed);
    };
    let is_plain = target.bytes().all(|letter| letter.is_ascii_graphic());
    if !is_token(method) || !matches!(version, "HTTP/1.0" | "HTTP/1.1") || !is_plain {
        return Err(ProxyRefusal::Malformed);
    }
    if method == "CONNECT" {
        let (host, Some(port)) = parse_authority(target).ok_or(ProxyRefusal::Malformed)? else {
            return Err(ProxyRefusal::Malformed);
        };
        check_host(&headers, &host, port, port)?;
        return Ok(ProxyRequest { host, port, kind: RequestKind::Tunnel });
    }
    let (authority, path) = split_target(target)?;
    let (host, port) = parse_authority(authority).ok_or(ProxyRefusal::Malformed)?;
    let number = port.unwrap_or(WEB);
    check_host(&headers, &host, number, WEB)?;
    let body = length(&headers)?;
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let length = body.map_or_else(String::new, |body| format!("Content-Length: {body}\r\n"));
    let mut head = format!("{method} {path} {version}\r\nHost: {host}{port}\r\n{length}").into_bytes();
    for (name, value) in kept(&headers) {
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value);
        head.extend_from_slice(b"\r\n");
    }
    // One request per connection, so that no second request can be smuggled in behind it.
    head.extend_from_slice(b"Connection: close\r\n\r\n");
    Ok(ProxyRequest { host, port: number, kind: RequestKind::Plain { head, body: body.unwrap_or(0) } })
}

type Header<'a> = (&'a str, &'a [u8]);

fn lines(text: &[u8]) -> Result<Vec<&[u8]>, ProxyRefusal> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let last = lines.len().saturating_sub(1);
    for line in &mut lines[..last] {
        *line = line.strip_suffix(b"\r").ok_or(ProxyRefusal::Malformed)?;
    }
    let is_whole = |line: &&[u8]| !line.iter().any(|byte| matches!(byte, 0 | b'\r'));
    if lines.iter().all(is_whole) { Ok(lines) } else { Err(ProxyRefusal::Malformed) }
}

fn header(line: &[u8]) -> Result<Header<'_>, ProxyRefusal> {
    let colon = line.iter().position(|byte| *byte == b':').ok_or(ProxyRefusal::Malformed)?;
    let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
    let name = std::str::from_utf8(name).ok().filter(|name| is_token(name));
    Ok((name.ok_or(ProxyRefusal::Malformed)?, value))
}

fn is_token(word: &str) -> bool {
    let is_part = |letter: u8| letter.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&letter);
    !word.is_empty() && word.bytes().all(is_part)
}

/// Splits a target into authority and path.
fn split_target(target: &str) -> Result<(&str, String), ProxyRefusal> {
    let (scheme, rest) = target.split_once("://").ok_or(ProxyRefusal::Malformed)?;
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(ProxyRefusal::Scheme);
    }
    if rest.contains('#') {
        return Err(ProxyRefusal::Malformed);
    }
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    Ok((authority, if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }))
}

fn values<'a>(headers: &[Header<'a>], wanted: &str) -> Vec<&'a [u8]> {
    let named = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    named.map(|(_, value)| *value).collect()
}

/// Rejects a `Host` header that differs from the target, since a server may go by that header instead.
fn check_host(headers: &[Header<'_>], host: &Host, port: u16, default: u16) -> Result<(), ProxyRefusal> {
    let said = match values(headers, "host")[..] {
        [] => return Ok(()),
        [said] => std::str::from_utf8(said).ok().and_then(parse_authority).ok_or(ProxyRefusal::Malformed)?,
        _ => return Err(ProxyRefusal::TwoHosts),
    };
    if said.0 == *host && said.1.unwrap_or(default) == port { Ok(()) } else { Err(ProxyRefusal::TwoHosts) }
}

fn length(headers: &[Header<'_>]) -> Result<Option<u64>, ProxyRefusal> {
    if !values(headers, "transfer-encoding").is_empty() {
        return Err(ProxyRefusal::NoLength);
    }
    let digits = match values(headers, "content-length")[..] {
        [] => return Ok(None),
        [digits] if digits.iter().all(u8::is_ascii_digit) => digits,
        _ => return Err(ProxyRefusal::Malformed),
    };
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    number.map(Some).ok_or(ProxyRefusal::Malformed)
}

/// Returns the headers to forward, without hop-by-hop headers and those named in `Connection`.
fn kept<'a>(headers: &[Header<'a>]) -> Vec<Header<'a>> {
    let named = values(headers, "connection");
    let named: Vec<&[u8]> =
        named.iter().flat_map(|value| value.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii).collect();
    let passes = |name: &str| {
        !OURS.iter().any(|own| name.eq_ignore_ascii_case(own))
            && !named.iter().any(|other| name.as_bytes().eq_ignore_ascii_case(other))
    };
    headers.iter().filter(|(name, _)| passes(name)).copied().collect()
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
