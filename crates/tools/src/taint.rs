/// Where words in a prompt came from that neither the user nor she wrote.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A page, or a search result, at this address.
    Web(String),
    File(String),
    /// A tool of another program.
    Mcp(String),
    Picture(String),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Web(address) => write!(f, "the web page {address}"),
            Origin::File(name) => write!(f, "the file {name}"),
            Origin::Mcp(server) => write!(f, "the server {server}"),
            Origin::Picture(name) => write!(f, "the picture {name}"),
        }
    }
}

/// All that others wrote in a prompt. It is gathered over the whole of it, not over one turn: what came from the
/// web stays marked in history and in summaries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taint(Vec<Origin>);

impl Taint {
    pub fn add(&mut self, origin: Origin) {
        if !self.0.contains(&origin) {
            self.0.push(origin);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn origins(&self) -> &[Origin] {
        &self.0
    }

    /// Whose words they are, in a sentence's part: `the web page https://…, and 2 others`.
    pub fn in_words(&self) -> Option<String> {
        let (last, rest) = self.0.split_last()?;
        Some(match rest.len() {
            0 => last.to_string(),
            1 => format!("{last}, and {}", rest[0]),
            more => format!("{last}, and {more} others"),
        })
    }
}

impl FromIterator<Origin> for Taint {
    fn from_iter<I: IntoIterator<Item = Origin>>(origins: I) -> Self {
        let mut taint = Self::default();
        for origin in origins {
            taint.add(origin);
        }
        taint
    }
}
