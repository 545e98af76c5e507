//! Splits texts into markers and words.

/// The maximum length of a marker. Longer text is prose.
pub const LONGEST_MARKER: usize = 64;

/// Returns the markers and words of a text in order, without whitespace and separate brackets.
pub fn markers_and_words(text: &str) -> Vec<String> {
    spans(text).into_iter().map(|(start, end)| text[start..end].to_owned()).collect()
}

/// Returns the start of the marker or word that contains a position, or the position itself.
pub fn boundary(text: &str, place: usize) -> usize {
    let cut = spans(text).into_iter().find(|(start, end)| *start < place && place < *end);
    cut.map_or(place, |(start, _)| start)
}

/// Returns the end of the marker or word that contains a position, or the position itself.
pub fn next_boundary(text: &str, place: usize) -> usize {
    let cut = spans(text).into_iter().find(|(start, end)| *start < place && place < *end);
    cut.map_or(place, |(_, end)| end)
}

fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let length = marker(&text[at..]).unwrap_or_else(|| word(&text[at..]));
        if !text[at..at + length].chars().all(|next| "[](){},;\"'".contains(next)) {
            spans.push((at, at + length));
        }
        at += length;
    }
    spans
}

/// Returns the length of the marker at the start of a text.
fn marker(text: &str) -> Option<usize> {
    let (close, fits): (char, fn(char) -> bool) = match text.chars().next()? {
        '<' => ('>', |next| !matches!(next, '<' | '\n' | '{' | '}')),
        '◁' => ('▷', |next| next != '\n'),
        '[' => (']', |next| next.is_ascii_uppercase() || matches!(next, '_' | '/' | ' ')),
        '`' if text.starts_with("```") => {
            let name = text[3..].find(|next: char| !next.is_alphanumeric() && next != '_');
            return Some(3 + name.unwrap_or(text.len() - 3));
        }
        _ => return None,
    };
    let mut rest = text.char_indices().skip(1);
    let (end, last) = rest.find(|(place, next)| *next == close || !fits(*next) || *place > LONGEST_MARKER)?;
    (last == close && end > 1).then(|| end + close.len_utf8())
}

/// Returns the length of the word at the start of a text.
fn word(text: &str) -> usize {
    let mut characters = text.char_indices();
    characters.next();
    let end = characters.find(|(place, next)| {
        next.is_whitespace()
            || matches!(next, '<' | '[' | '{' | '◁') && marker(&text[*place..]).is_some()
            || "[](){},;".contains(*next)
    });
    end.map_or(text.len(), |(place, _)| place).max(text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_marks_and_words() {
        let cases: [(&str, &[&str]); 8] = [
            ("<tool_call>\n{", &["<tool_call>"]),
            ("[TOOL_CALLS] [", &["[TOOL_CALLS]"]),
            ("<|a|><|b|>function<｜c｜>", &["<|a|>", "<|b|>", "function", "<｜c｜>"]),
            ("<|channel>thought\n<channel|>", &["<|channel>", "thought", "<channel|>"]),
            ("Action: ```json\n[", &["Action:", "```json"]),
            ("[BEGIN FINAL RESPONSE]\n", &["[BEGIN FINAL RESPONSE]"]),
            ("call:", &["call:"]),
            ("\n\n", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(markers_and_words(text), expected, "{text:?}");
        }
        assert_eq!((boundary("a <tool>b", 5), next_boundary("a <tool>b", 5)), (2, 8));
    }
}
