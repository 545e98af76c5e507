//! Converts the output of a program to the lines that a terminal would show.

/// The maximum number of lines; of longer output, the beginning and the end are used.
pub const MOST_LINES: usize = 20_000;
/// The maximum length of a line in bytes.
pub const LONGEST_LINE: usize = 2_000;

/// Returns the lines without colours and other control sequences. An overwritten line has its last content.
pub fn lines(output: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut returned = false;
    let mut chars = output.chars();
    while let Some(c) = chars.next() {
        match c {
            '\n' => {
                returned = false;
                lines.push(std::mem::take(&mut line));
            }
            '\r' => returned = true,
            '\u{1b}' => skip_sequence(&mut chars),
            '\u{8}' => drop(line.pop()),
            c if c.is_control() && c != '\t' => {}
            c => {
                // A carriage return alone does not clear the line; only text after it does.
                if std::mem::take(&mut returned) {
                    line.clear();
                }
                if line.len() < LONGEST_LINE {
                    line.push(c);
                }
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > MOST_LINES {
        lines.drain(MOST_LINES / 2..lines.len() - MOST_LINES / 2);
    }
    lines
}

/// Skips an escape sequence: `ESC [ … letter`, `ESC ] … BEL`, `ESC ] … ESC \`, or two characters.
fn skip_sequence(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => {
            let mut ahead = chars.clone();
            // Sequences are short; one without an end is not treated as a sequence, so no text is lost.
            for _ in 0..40 {
                match ahead.next() {
                    Some('@'..='~') => {
                        *chars = ahead;
                        return;
                    }
                    Some(' '..='?') => {}
                    _ => return,
                }
            }
        }
        Some(']') => {
            let mut ahead = chars.clone();
            for _ in 0..400 {
                match ahead.next() {
                    Some('\u{7}') => {
                        *chars = ahead;
                        return;
                    }
                    Some('\u{1b}') => {
                        ahead.next();
                        *chars = ahead;
                        return;
                    }
                    Some('\n') | None => return,
                    Some(_) => {}
                }
            }
        }
        _ => {}
    }
}

/// Returns at most so many bytes from the beginning of a text, with an ellipsis if it was cut.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_they_were_seen() {
        for (output, expected) in [
            ("\u{1b}[1;31mred\u{1b}[0m\nb", vec!["red", "b"]),
            ("1%\r50%\r100%\ndone\n", vec!["100%", "done"]),
            ("a\r\nb\r\r\nc", vec!["a", "b", "c"]),
            ("\u{1b}]0;title\u{7}here\u{1b}]8;;x\u{1b}\\link", vec!["herelink"]),
            ("ab\u{8}c\u{0}\n\n", vec!["ac", ""]),
            ("\u{1b}[", vec![]),
            ("\u{1b}[31\nkept", vec!["31", "kept"]),
            ("\tat x", vec!["\tat x"]),
            ("", vec![]),
        ] {
            assert_eq!(lines(output), expected, "{output:?}");
        }
    }

    #[test]
    fn endless_output_is_bounded() {
        let many = "x\n".repeat(100_000) + "last";
        let found = lines(&many);
        assert_eq!((found.len(), found.last().map(String::as_str)), (MOST_LINES, Some("last")));
        assert!(lines(&"x".repeat(1 << 20))[0].len() <= LONGEST_LINE);
        assert_eq!(cut("äöü", 3), "ä…");
        assert_eq!(cut("abc", 3), "abc");
    }
}
