//! The lines of a quote, and how sure their matches in a text are.

use crate::canonical::key;

/// The weight of a line that has only punctuation, such as a bracket.
const SIGNS: f32 = 0.3;
/// A line of a quote.
pub struct QuotedLine {
    pub key: u64,
    pub weight: f32,
    /// True if the line stands for lines that were left out.
    pub is_elision: bool,
}

impl QuotedLine {
    pub fn new(line: &str) -> Self {
        let is_elision = is_elision(line);
        let has_letters = line.chars().any(char::is_alphanumeric);
        let weight = match () {
            () if is_elision || line.trim().is_empty() => 0.0,
            () if has_letters => 1.0,
            () => SIGNS,
        };
        Self { key: key(line), weight, is_elision }
    }
}

/// Returns true if a line says that others were left out: `...`, `// … existing code …`, `# ... (rest of the
/// function)`.
pub fn is_elision(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_start_matches(['/', '#', '-', '*', '<', '!', ';', '%', '{', '(', ' ']);
    let is_comment = line[..line.len() - bare.len()].contains(['/', '#', '-', '*', '!', ';', '%']);
    let Some(after) = bare.strip_prefix("...").or_else(|| bare.strip_prefix('…')) else { return false };
    // `...rest` is program code.
    if !is_comment && after.starts_with(char::is_alphanumeric) {
        return false;
    }
    let after = after.trim_matches(['.', '…', '*', '/', '-', '>', '}', ')', '(', ' ', '\t']);
    let known =
        ["existing", "rest", "code", "unchanged", "same", "omitted", "previous", "remaining", "other"];
    after.is_empty() || known.iter().any(|word| after.to_lowercase().contains(word))
}

/// For each line of the quote, the index of the matching line of the text.
pub type LinePairs = Vec<Option<usize>>;

/// The certainty about the lines to change.
pub enum MatchCertainty {
    Sure,
    /// A line to change matches two lines of the text equally well.
    Either(usize, usize),
    /// A line to change has no reliable match.
    Unknown,
}
