use protocol::{Command, Origin};

/// What a tool has to say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// For the model.
    pub text: String,
    /// Something to be opened on the screen.
    pub command: Option<Command>,
    /// Who wrote the text, where that was neither the user nor she.
    pub origins: Vec<Origin>,
    /// It did not go well, whatever the text says.
    pub failed: bool,
    /// The skill that she has begun to follow: only the tools that it allows may run from here on.
    pub follows: Option<String>,
}

impl Output {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// At most so many characters, and a note of how many were cut.
    #[must_use]
    pub fn capped(mut self, limit: usize) -> Self {
        let Some((end, _)) = self.text.char_indices().nth(limit) else { return self };
        let cut = self.text[end..].chars().count();
        self.text.truncate(end);
        let note = format!("\n[{cut} more characters are left out]");
        self.text.push_str(&note);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_said() {
        assert_eq!(Output::text("moon").capped(4).text, "moon");
        assert_eq!(Output::text("月がきれい").capped(2).text, "月が\n[3 more characters are left out]");
        assert_eq!(Output::text("").capped(0).text, "");
    }
}
