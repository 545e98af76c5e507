use reqwest::Url;
use tools::ToolError;

/// The target to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenTarget {
    Address(String),
    /// A path that must be in a granted folder.
    Path(String),
    /// A file of that name in a granted folder, otherwise an application.
    Name(String),
}

const LONGEST: usize = 2_000;
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];
/// Top-level domains by which a bare `example.com` is recognised.
const EXTENSIONS: [&str; 24] = [
    "com", "org", "net", "edu", "gov", "io", "dev", "ai", "app", "eu", "de", "at", "ch", "uk", "fr", "es",
    "it", "nl", "ca", "us", "jp", "au", "info", "me",
];

impl OpenTarget {
    pub fn read(written: &str) -> Result<Self, ToolError> {
        let written = written.trim();
        let impossible = |why: &str| Err(ToolError::Impossible(why.to_owned()));
        if written.is_empty() || written.len() > LONGEST || written.chars().any(char::is_control) {
            return impossible("Name an application, a web address, or a file in a granted folder.");
        }
        if let Some(scheme) = scheme(written) {
            if !SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) {
                return impossible("I open web addresses (http, https) and mail addresses (mailto) only.");
            }
            return address(written);
        }
        if written.starts_with(['/', '~', '\\'])
            || written.starts_with("./")
            || written.get(1..3) == Some(":\\")
        {
            return Ok(Self::Path(written.to_owned()));
        }
        if is_bare_address(written) {
            return address(&format!("https://{written}"));
        }
        if written.contains(['/', '\\']) {
            return Ok(Self::Path(written.to_owned()));
        }
        if written.starts_with('-') {
            return impossible("The name of an application does not begin with a dash.");
        }
        Ok(Self::Name(written.to_owned()))
    }
}

/// Returns `https` of `https://…`. A colon before a space belongs to a name, and a single letter before a colon is a
/// drive.
fn scheme(written: &str) -> Option<&str> {
    let (scheme, rest) = written.split_once(':')?;
    let well_formed = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c));
    // `localhost:8080` is an address without a scheme.
    let port = rest.starts_with(|c: char| c.is_ascii_digit());
    (well_formed && scheme.len() > 1 && !port && !rest.starts_with(' ')).then_some(scheme)
}

fn is_bare_address(written: &str) -> bool {
    let host = written.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let mut labels = host.split('.').rev();
    let ending = labels.next().unwrap_or_default().to_ascii_lowercase();
    let well_formed =
        host.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '.') && !host.contains("..");
    let has_name = labels.next().is_some_and(|label| !label.is_empty());
    well_formed && has_name && (host.starts_with("www.") || EXTENSIONS.contains(&ending.as_str()))
}

fn address(written: &str) -> Result<OpenTarget, ToolError> {
    let refused =
        |why: &str| Err(ToolError::Impossible(format!("{written} is not an address that I open: {why}.")));
    match Url::parse(written) {
        Ok(url) if url.scheme() == "mailto" => Ok(OpenTarget::Address(url.into())),
        Ok(url) if !url.has_host() => refused("it has no host"),
        // A user name before the @ is often made to look like the site.
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            refused("it has a user name in it")
        }
        Ok(url) => Ok(OpenTarget::Address(url.into())),
        Err(_) => refused("it is malformed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant() {
        let address = |text: &str| Ok(OpenTarget::Address(text.to_owned()));
        let path = |text: &str| Ok(OpenTarget::Path(text.to_owned()));
        let name = |text: &str| Ok(OpenTarget::Name(text.to_owned()));
        let cases = [
            ("https://example.org/a?b=c", address("https://example.org/a?b=c")),
            (" HTTP://Example.org ", address("http://example.org/")),
            ("mailto:ada@example.org", address("mailto:ada@example.org")),
            ("example.com", address("https://example.com/")),
            ("www.example.museum", address("https://www.example.museum/")),
            ("example.org/a/b", address("https://example.org/a/b")),
            ("example.com:8080/x", address("https://example.com:8080/x")),
            ("~/Documents/a.pdf", path("~/Documents/a.pdf")),
            ("/etc/passwd", path("/etc/passwd")),
            ("sub/a.pdf", path("sub/a.pdf")),
            ("report.pdf", name("report.pdf")),
            ("Firefox", name("Firefox")),
            ("Visual Studio Code", name("Visual Studio Code")),
            ("Alien: Isolation", name("Alien: Isolation")),
            ("org.gnome.Calculator", name("org.gnome.Calculator")),
        ];
        for (written, expected) in cases {
            assert_eq!(OpenTarget::read(written), expected, "{written}");
        }
    }

    #[test]
    fn what_is_refused() {
        for written in [
            "",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "ssh://host",
            "vscode://x",
            "https://",
            "https://bank.example@evil.example/",
            "https://user:pw@host.example/",
            "a\nb",
            "-rf",
            "JaVaScRiPt:x",
            "http:///x y",
            "smb://x",
            "ms-settings:x",
            "http://[::1",
        ] {
            let read = OpenTarget::read(written);
            assert!(read.is_err(), "{written:?}: {read:?}");
        }
    }
}
