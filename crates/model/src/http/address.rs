use std::net::IpAddr;

use reqwest::Url;

use crate::ModelError;
use crate::http::CHAT;

/// Returns true if a URL points to this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            let host = host.trim_start_matches('[').trim_end_matches(']');
            host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}

/// Formats a URL for display, without user, password and query.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().trim_end_matches('/').to_owned()
}

/// Returns the base of the OpenAI routes: the URL up to and including its version, without a trailing slash.
///
/// Accepts `http://host`, `http://host/v1/` and the full path of the chat route, which all mean the same.
pub(crate) fn openai_base(text: &str) -> Result<Url, ModelError> {
    let mut url = parse(text)?;
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path);
    let versioned = path.split('/').any(is_version);
    let path = if versioned { path.to_owned() } else { format!("{path}/v1") };
    url.set_path(&path);
    Ok(url)
}

/// Returns the base of Ollama's own routes, without a trailing slash.
pub(crate) fn ollama_root(text: &str) -> Result<Url, ModelError> {
    let mut url = parse(text)?;
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/v1").or_else(|| path.strip_suffix("/api")).unwrap_or(path).to_owned();
    url.set_path(&path);
    Ok(url)
}

/// Returns true if two URLs lead to the same server, so that a key for one may be sent to the other.
pub(crate) fn same_server(one: &str, other: &str) -> bool {
    match (parse(one), parse(other)) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}

fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

fn parse(text: &str) -> Result<Url, ModelError> {
    match Url::parse(text.trim()) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.host_str().is_some() => Ok(url),
        _ => Err(CHAT.bad_address()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_base_url_leads_to_the_routes() {
        let cases = [
            ("http://localhost:1234/v1", "http://localhost:1234/v1"),
            ("http://localhost:1234/v1/", "http://localhost:1234/v1"),
            ("http://localhost:1234", "http://localhost:1234/v1"),
            (" http://192.168.1.5:8000/ ", "http://192.168.1.5:8000/v1"),
            ("https://example.org/api", "https://example.org/api/v1"),
            ("https://example.org/v1beta/openai", "https://example.org/v1beta/openai"),
            ("https://example.org/openai/v1/chat/completions", "https://example.org/openai/v1"),
        ];
        for (written, expected) in cases {
            assert_eq!(openai_base(written).unwrap().as_str(), expected, "{written}");
        }
    }

    #[test]
    fn ollama_is_found_beneath_its_routes() {
        for written in [
            "http://localhost:11434",
            "http://localhost:11434/",
            "http://localhost:11434/v1",
            "http://localhost:11434/api/",
        ] {
            assert_eq!(shown(&ollama_root(written).unwrap()), "http://localhost:11434", "{written}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_in_words() {
        for written in ["", "file:///etc/passwd", "http://", "ftp://host", "http://[::bad"] {
            let error = openai_base(written).unwrap_err().to_string();
            assert!(error.contains("llm.base_url"), "{written}: {error}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        let url = Url::parse("https://me:hunter2@example.org/v1?key=hunter3#hunter4").unwrap();
        assert_eq!(shown(&url), "https://example.org/v1");
    }

    #[test]
    fn one_server_is_one_scheme_name_and_port() {
        for (one, other, same) in [
            ("https://example.org/v1", "https://me@EXAMPLE.org:443/other", true),
            ("http://example.org", "https://example.org", false),
            ("http://localhost:1234", "http://localhost:11434", false),
            ("https://example.org.evil.test", "https://example.org", false),
            ("https://example.org@evil.test", "https://example.org", false),
            ("nowhere", "nowhere", false),
        ] {
            assert_eq!(same_server(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn this_machine_is_recognised() {
        for (text, local) in [
            ("http://localhost/", true),
            ("http://127.0.0.2:1/", true),
            ("http://[::1]:80/", true),
            ("http://192.168.0.1/", false),
            ("http://localhost.example.org/", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(text).unwrap()), local, "{text}");
        }
    }
}
