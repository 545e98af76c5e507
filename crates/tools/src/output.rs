use protocol::{Command, Origin};

/// The output of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolOutput {
    /// The text for the model.
    pub text: String,
    /// Something to open on the screen.
    pub command: Option<Command>,
    /// The sources of the text other than the user and the companion.
    pub origins: Vec<Origin>,
    /// True if the tool failed, whatever the text says.
    pub failed: bool,
    /// The skill that the companion has begun to follow: from then on only the tools that it allows may run.
    pub follows: Option<String>,
}

impl ToolOutput {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Cuts the text to `limit` characters and notes how many were cut.
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
        assert_eq!(ToolOutput::text("moon").capped(4).text, "moon");
        assert_eq!(ToolOutput::text("月がきれい").capped(2).text, "月が\n[3 more characters are left out]");
        assert_eq!(ToolOutput::text("").capped(0).text, "");
    }
}
