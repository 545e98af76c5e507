/// Capitalises the first letter of a sentence, unless its first word is a path or an identifier.
pub fn capital(text: &str) -> String {
    let first =
        text.split_whitespace().next().unwrap_or_default().trim_end_matches([':', ',', '.', '?', '!']);
    if first.contains(['.', '/', '\\', '_', ':', '(', '`']) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Turns a message into a complete sentence.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.ends_with(['.', '?', '…', ':']) || text.is_empty() { "" } else { "." };
    format!("{}{end}", capital(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_get_a_capital_and_names_stay() {
        for (text, expected) in [
            ("nothing is there", "Nothing is there"),
            ("ärger, und mehr.", "Ärger, und mehr."),
            ("no.", "No."),
            ("", ""),
            ("a.txt: the old text is not there", "a.txt: the old text is not there"),
            ("sub/thing is no file", "sub/thing is no file"),
            ("add_up in calc.py", "add_up in calc.py"),
            ("std::fs is not used", "std::fs is not used"),
        ] {
            assert_eq!(capital(text), expected);
        }
    }

    #[test]
    fn a_message_becomes_a_sentence() {
        for (given, expected) in [
            ("there is no such thing", "There is no such thing."),
            ("Already. ", "Already."),
            ("état", "État."),
            ("", ""),
        ] {
            assert_eq!(sentence(given), expected);
        }
    }
}
