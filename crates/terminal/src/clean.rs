/// Makes untrusted text safe to print: it must not move the cursor, set the clipboard or reverse the reading direction.
/// Newlines and tabs are kept.
pub fn clean(text: &str) -> String {
    text.chars().filter(|letter| is_harmless(*letter)).collect()
}

/// Makes untrusted text safe to print on one line.
pub fn clean_line(text: &str) -> String {
    let spaced = |letter: char| if matches!(letter, '\n' | '\t' | '\r') { ' ' } else { letter };
    text.chars().map(spaced).filter(|letter| is_harmless(*letter)).collect()
}

fn is_harmless(letter: char) -> bool {
    match letter {
        '\n' | '\t' => true,
        // Line separators that only some terminals honour, and bidirectional controls, which can disguise a text.
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        letter => !letter.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_passes() {
        for (given, expected) in [
            ("plain\n\ttext", "plain\n\ttext"),
            ("\u{1b}[31mred\u{1b}[0m", "[31mred[0m"),
            ("\u{1b}]52;c;aGk=\u{7}", "]52;c;aGk="),
            ("\u{9b}2Jgone", "2Jgone"),
            ("back\u{8}\u{8}\u{7f}\r\0", "back"),
            ("exe\u{202e}gpj.\u{202c}", "exegpj."),
            ("café 月 👩‍🚀", "café 月 👩‍🚀"),
        ] {
            assert_eq!(clean(given), expected);
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(clean_line("a\nb\tc\r\u{1b}d"), "a b c d");
    }
}
