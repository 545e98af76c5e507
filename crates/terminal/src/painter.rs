use std::fmt::Write as _;

/// The style of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextStyle {
    pub bold: bool,
    pub italic: bool,
    pub dim: bool,
    pub underlined: bool,
    pub struck: bool,
    pub colour: Option<AnsiColour>,
}

/// The terminal's own colours, which follow its theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsiColour {
    Red,
    Green,
    Yellow,
    Cyan,
}

impl TextStyle {
    pub const PLAIN: Self =
        Self { bold: false, italic: false, dim: false, underlined: false, struck: false, colour: None };
    pub const BOLD: Self = Self { bold: true, ..Self::PLAIN };
    pub const DIM: Self = Self { dim: true, ..Self::PLAIN };

    pub const fn coloured(colour: AnsiColour) -> Self {
        Self { colour: Some(colour), ..Self::PLAIN }
    }
}

/// Applies styles to text, or leaves it plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Painter {
    on: bool,
}

impl Painter {
    pub const fn new(on: bool) -> Self {
        Self { on }
    }

    /// Returns false if `NO_COLOR` is set or the terminal supports no styles.
    pub fn is_wanted() -> bool {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        !no_colour && !dumb
    }

    pub fn is_on(self) -> bool {
        self.on
    }

    pub fn apply(self, style: TextStyle, text: &str) -> String {
        let mut out = String::new();
        self.write(&mut out, style, text);
        out
    }

    pub fn dim(self, text: &str) -> String {
        self.apply(TextStyle::DIM, text)
    }

    pub fn bold(self, text: &str) -> String {
        self.apply(TextStyle::BOLD, text)
    }

    pub fn write(self, out: &mut String, style: TextStyle, text: &str) {
        if !self.on || style == TextStyle::PLAIN || text.is_empty() {
            out.push_str(text);
            return;
        }
        let colour = style.colour.map(|colour| match colour {
            AnsiColour::Red => 31,
            AnsiColour::Green => 32,
            AnsiColour::Yellow => 33,
            AnsiColour::Cyan => 36,
        });
        let flags =
            [(style.bold, 1), (style.dim, 2), (style.italic, 3), (style.underlined, 4), (style.struck, 9)];
        let set = flags.into_iter().filter_map(|(on, code)| on.then_some(code)).chain(colour);
        let codes: Vec<String> = set.map(|code: u8| code.to_string()).collect();
        // Writing to a string cannot fail.
        let _ = write!(out, "\u{1b}[{}m{text}\u{1b}[0m", codes.join(";"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_show_only_where_they_are_wanted() {
        let style = TextStyle { colour: Some(AnsiColour::Cyan), ..TextStyle::BOLD };
        assert_eq!(Painter::new(true).apply(style, "x"), "\u{1b}[1;36mx\u{1b}[0m");
        assert_eq!(Painter::new(false).apply(style, "x"), "x");
        assert_eq!(Painter::new(true).apply(TextStyle::PLAIN, "x"), "x");
        assert_eq!(Painter::new(true).dim(""), "");
    }
}
