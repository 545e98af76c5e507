//! The words of a message, in the form in which they are compared.

/// Splits a text into lower-case words without apostrophes. After a file name with a known extension, the word `file`
/// is added.
pub fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let mut words = Vec::new();
    for part in lower.split_whitespace() {
        let part = part.trim_matches(|letter: char| !letter.is_alphanumeric());
        words.extend(
            part.split(|letter: char| !letter.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned),
        );
        if names_a_file(part) {
            words.push("file".to_owned());
        }
    }
    words
}

fn names_a_file(part: &str) -> bool {
    const ENDINGS: [&str; 14] =
        ["txt", "md", "csv", "json", "html", "pdf", "log", "py", "rs", "toml", "yaml", "xml", "ics", "doc"];
    !part.contains("//")
        && part.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && ENDINGS.contains(&end))
}

/// Returns the number of words of the phrase if all of them occur in a row in the message, otherwise 0.
pub fn times(words: &[String], phrase: &str) -> u32 {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let stands = words.windows(phrase.len()).any(|window| window.iter().zip(&phrase).all(|(a, b)| a == b));
    if stands { u32::try_from(phrase.len()).unwrap_or(1) } else { 0 }
}

/// Returns true if a list of words, separated by spaces, has this word.
pub fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}
