//! Common colour names.

/// The `#rrggbb` values of common colours, in softer tones for scenes made from words.
const TONES: [(&str, &str); 30] = [
    ("red", "#d64545"),
    ("green", "#4caf6d"),
    ("blue", "#4a7fd6"),
    ("yellow", "#f2c94c"),
    ("orange", "#f2994a"),
    ("purple", "#8e5bd0"),
    ("violet", "#8e5bd0"),
    ("pink", "#f28ab2"),
    ("brown", "#8a5a3b"),
    ("black", "#22252b"),
    ("white", "#f5f5f2"),
    ("gray", "#8f959e"),
    ("grey", "#8f959e"),
    ("cyan", "#3cc4d8"),
    ("turquoise", "#40c9b8"),
    ("teal", "#2a8c8c"),
    ("magenta", "#d648b0"),
    ("gold", "#e0b040"),
    ("golden", "#e0b040"),
    ("silver", "#c3c8d0"),
    ("bronze", "#b07a45"),
    ("copper", "#b8734a"),
    ("beige", "#e6d9b8"),
    ("cream", "#f4ecd4"),
    ("maroon", "#7a2e38"),
    ("navy", "#26396b"),
    ("indigo", "#4b4ba8"),
    ("lime", "#a6d94a"),
    ("olive", "#84843c"),
    ("wooden", "#a97142"),
];

/// Returns the tone of a named colour.
pub fn tone(word: &str) -> Option<&'static str> {
    TONES.iter().find(|(name, _)| *name == word).map(|(_, tone)| *tone)
}

const LONGEST_WORD: usize = 24;

/// Normalises a colour to the web app's format, `#rrggbb` or one word; `None` if it is neither.
pub fn repair(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
        return match digits.len() {
            3 if is_hex => Some(digits.chars().fold("#".to_owned(), |all, c| format!("{all}{c}{c}"))),
            6 if is_hex => Some(text.to_owned()),
            _ => None,
        };
    }
    let word: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).collect();
    let is_word = (3..=LONGEST_WORD).contains(&word.len()) && word.chars().all(|c| c.is_ascii_alphabetic());
    is_word.then(|| word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_hex_or_a_word() {
        let cases = [
            ("#aabbcc", Some("#aabbcc")),
            ("#ABC", Some("#AABBCC")),
            (" Light blue ", Some("lightblue")),
            ("red", Some("red")),
            ("#12", None),
            ("#gggggg", None),
            ("url(https://evil.example/)", None),
            ("red;background:x", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(repair(text).as_deref(), expected, "{text}");
        }
    }
}
