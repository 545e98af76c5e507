use std::collections::VecDeque;

/// The bytes kept from the beginning, where a command says what it does.
const HEAD: usize = 4_000;
/// The bytes kept from the end, where a command reports errors.
const TAIL: usize = 11_000;

/// The output of a command, limited to its beginning and end.
#[derive(Default)]
pub struct CommandOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
}

impl CommandOutput {
    pub fn add(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend(first);
        // Of a large chunk only the last `TAIL` bytes can matter.
        let skipped = rest.len().saturating_sub(TAIL);
        self.tail.extend(&rest[skipped..]);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        self.left_out += skipped + surplus;
    }

    pub fn into_text(self) -> String {
        let tail: Vec<u8> = self.tail.into();
        if self.left_out == 0 {
            return clean(&[self.head, tail].concat());
        }
        let (head, tail, left_out) = (clean(&self.head), clean(&tail), self.left_out);
        format!("{head}\n[{left_out} bytes are left out]\n{tail}")
    }
}

/// Renders bytes as a terminal would: without colours and other control sequences, and an overwritten line as last
/// shown.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => clean.truncate(clean.rfind('\n').map_or(0, |line| line + 1)),
            '\u{8}' => {
                clean.pop();
            }
            '\n' | '\t' => clean.push(c),
            c if c.is_control() => {}
            c => clean.push(c),
        }
    }
    clean
}

/// Skips `ESC [ … letter` and `ESC ] … BEL`.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => while chars.next().is_some_and(|c| !matches!(c, '@'..='~')) {},
        Some(']') => while chars.next().is_some_and(|c| !matches!(c, '\u{7}' | '\u{1b}')) {},
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(parts: &[&[u8]]) -> String {
        let mut printed = CommandOutput::default();
        for part in parts {
            printed.add(part);
        }
        printed.into_text()
    }

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        assert_eq!(printed(&[b"one\n", b"two\n"]), "one\ntwo\n");
        let long = vec![b'x'; 100_000];
        let text = printed(&[b"begins\n", &long, b"\nends"]);
        assert!(text.starts_with("begins\n") && text.ends_with("\nends"));
        assert!(text.contains("bytes are left out]") && text.len() < HEAD + TAIL + 100, "{}", text.len());
    }

    #[test]
    fn what_is_meant_for_a_terminal_is_left_out() {
        for (printed_bytes, text) in [
            (&b"\x1b[1;31mred\x1b[0m"[..], "red"),
            (b"1%\r50%\r100%\ndone", "100%\ndone"),
            (b"a\r\nb", "a\nb"),
            (b"\x1b]0;title\x07here", "here"),
            (b"ab\x08c\x00", "ac"),
            (b"\xff\xfe", "\u{fffd}\u{fffd}"),
            (b"\x1b[", ""),
        ] {
            assert_eq!(printed(&[printed_bytes]), text);
        }
    }
}
