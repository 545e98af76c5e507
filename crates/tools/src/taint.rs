use protocol::Origin;

/// The origins of all untrusted content in a prompt. They are collected over the whole prompt, not one turn: content
/// from the web stays marked in history and in summaries.
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

    /// Returns the taint without one server's tool descriptions, since these may ask for calls of that server's own
    /// tools.
    #[must_use]
    pub fn without_tools_of(&self, server: Option<&str>) -> Self {
        let is_own = |origin: &&Origin| matches!(origin, Origin::Tools(of) if Some(of.as_str()) == server);
        Self(self.0.iter().filter(|origin| !is_own(origin)).cloned().collect())
    }

    /// Returns true if all content comes from the workspace folder.
    pub fn is_of_workspace(&self) -> bool {
        self.0.iter().all(|origin| matches!(origin, Origin::Workspace(_)))
    }

    /// Describes the origins as part of a sentence: `the web page https://…, and 2 others`.
    pub fn in_words(&self) -> Option<String> {
        let (last, rest) = self.0.split_last()?;
        let last = named(last);
        Some(match rest {
            [] => last,
            [other] => format!("{last}, and {}", named(other)),
            more => format!("{last}, and {} others", more.len()),
        })
    }
}

/// Prefixes in the names of programs that call the companion.
const PROGRAMS: [&str; 2] = ["another program (", "the program that asks"];

fn named(origin: &Origin) -> String {
    match origin {
        Origin::Web(address) => format!("the web page {address}"),
        Origin::Search(address) => format!("the search result {address}"),
        Origin::File(name) => format!("the file {name}"),
        // The name of a calling program already says what it is.
        Origin::Mcp(program) if PROGRAMS.iter().any(|begins| program.starts_with(begins)) => program.clone(),
        // Access tokens of the user have such names too and are not servers; "program" fits both.
        Origin::Mcp(program) => format!("the program {program}"),
        Origin::Tools(server) => format!("what the server {server} says of its tools"),
        Origin::Picture(name) => format!("the picture {name}"),
        Origin::Workspace(name) => format!("the folder {name}"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_one_whether_it_came_with_a_token_or_is_a_server() {
        for (name, said) in [
            ("memory.write", "the program memory.write"),
            ("weather", "the program weather"),
            ("another program (Zed)", "another program (Zed)"),
        ] {
            let taint: Taint = [Origin::Mcp(name.into())].into_iter().collect();
            assert_eq!(taint.in_words().as_deref(), Some(said));
        }
    }
}
