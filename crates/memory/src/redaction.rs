//! Finds words that are to be forgotten and replaces them with a mark.

use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use regex::{Captures, Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use store::Redact;

/// The mark that replaces forgotten words.
pub const FORGOTTEN_MARK: &str = "[forgotten]";

/// The minimum length of a word without a digit: shorter ones occur in too many places with another meaning.
const MIN_CHARS: usize = 3;
/// The minimum length in scripts without spaces, where one character can be a word.
const MIN_UNSPACED_CHARS: usize = 2;
/// A name with at least this many letters may take a plural *s*, and words with at least this many letters may be
/// joined into one.
const LONG_WORD: usize = 5;
const JOINABLE: usize = 12;
/// Longer texts are searched for in pieces.
const LONGEST_PIECE: usize = 400;
/// The context before a sentence: the start of the text or of a line, or a punctuation character other than a comma.
const BEGINNING: &str = r"(?m:^)\s*|[^\p{L}\p{N},\s]\s*";
/// The same for the bytes of a database, where any byte may precede it.
const BEGINNING_IN_BYTES: &str = r"(?m:^)\s*|\S|[^\p{L}\p{N},\s]\s+";

/// The texts to look for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needles {
    /// Words, matched in any position.
    pub words: Vec<String>,
    /// Sentences without a subject, as facts are written: *Lives in Rome* must not match within *Anna lives in Rome*.
    pub statements: Vec<String>,
}

/// Finds words in any spelling: in upper or lower case, across line breaks, in bold or in a URL, with accents composed
/// or not.
#[derive(Debug, Clone)]
pub struct Redaction {
    words: Vec<String>,
    pattern: Regex,
    /// The same pattern, which also matches inside longer words.
    within: Regex,
}

impl Redaction {
    /// Returns `None` if the needles contain no usable word.
    pub fn new(needles: &Needles) -> Option<Self> {
        let words = pieces(&needles.words);
        let statements = pieces(&needles.statements);
        if words.is_empty() && statements.is_empty() {
            return None;
        }
        let pattern_of = |whole: bool| {
            let beginning = if whole { BEGINNING } else { BEGINNING_IN_BYTES };
            let words = words.iter().map(|text| words_pattern(text, whole));
            let statements =
                statements.iter().map(|text| words_pattern(text, whole)).collect::<Vec<_>>().join("|");
            let statements =
                (!statements.is_empty()).then(|| format!("(?P<before>{beginning})(?:{statements})"));
            let pattern = words.chain(statements).collect::<Vec<_>>().join("|");
            RegexBuilder::new(&pattern).case_insensitive(true).size_limit(64 << 20).build().ok()
        };
        let (pattern, within) = (pattern_of(true)?, pattern_of(false)?);
        let mut all = words;
        all.extend(statements);
        all.sort_by(longest_first);
        all.dedup();
        Some(Self { pattern, within, words: all })
    }

    /// Creates a redaction of words, matched in any position.
    pub fn of_words(words: impl IntoIterator<Item = String>) -> Option<Self> {
        Self::new(&Needles { words: words.into_iter().collect(), statements: Vec::new() })
    }

    /// Returns everything that is looked for, longest first.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns true if the words occur in the text, even inside longer words.
    pub fn occurs_anywhere_in(&self, text: &str) -> bool {
        self.within.is_match(text)
    }

    pub fn occurs_in(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }
}

impl Redact for Redaction {
    fn redact(&self, text: &str) -> Option<String> {
        let marked = |found: &Captures<'_>| {
            let before = found.name("before").map_or("", |before| before.as_str());
            format!("{before}{FORGOTTEN_MARK}")
        };
        self.occurs_in(text).then(|| self.pattern.replace_all(text, marked).into_owned())
    }

    fn mark(&self) -> &'static str {
        FORGOTTEN_MARK
    }
}

/// Returns the texts worth looking for, longest first: a part must not be replaced before the whole has been found.
fn pieces(texts: &[String]) -> Vec<String> {
    let texts = texts.iter().map(|text| normalized(text));
    let mut pieces: Vec<String> =
        texts.flat_map(|text| cut(&text)).filter(|text| is_specific(text)).collect();
    pieces.sort_by(longest_first);
    pieces.dedup();
    pieces
}

fn longest_first(one: &String, other: &String) -> std::cmp::Ordering {
    other.len().cmp(&one.len()).then(one.cmp(other))
}

/// Splits a long text between words.
fn cut(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in text.split(' ') {
        let last = pieces.last_mut().map_or(0, |last| last.len());
        if last > 0 && last + word.len() > LONGEST_PIECE {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            if !piece.is_empty() {
                piece.push(' ');
            }
            piece.push_str(word);
        }
    }
    pieces
}

/// Normalizes a text: removes surrounding punctuation and the mark itself.
fn normalized(text: &str) -> String {
    let text = text.replace(FORGOTTEN_MARK, " ");
    let text = ComposingNormalizer::new_nfc().normalize(&text);
    let text =
        text.trim_matches(|letter: char| letter.is_whitespace() || ".,;:!?\"'“”‘’()[]".contains(letter));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_specific(text: &str) -> bool {
    let least = if text.chars().any(is_unspaced) { MIN_UNSPACED_CHARS } else { MIN_CHARS };
    text.chars().filter(|letter| letter.is_alphanumeric()).count() >= least
        || text.chars().any(char::is_numeric)
}

/// Returns true for a character of a script that puts no spaces between words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns a pattern for the words in sequence, separated by white space, line breaks, markup or URL-encoded spaces.
/// With `whole`, it does not match inside a longer word, except for the plural *s* of a name.
fn words_pattern(text: &str, whole: bool) -> String {
    let has_edge = |letter: char| whole && letter.is_alphanumeric() && !is_unspaced(letter);
    // `_` is markup here, although regex patterns treat it as a letter. For short words it does not count as an edge:
    // the *max* in `max_tokens` is another word.
    let is_long = letters(text) >= LONG_WORD;
    let edge = |letter: Option<char>| match letter.is_some_and(has_edge) {
        true if is_long => r"(?:\b|_)",
        true => r"\b",
        false => "",
    };
    let between = if letters(text) >= JOINABLE { r"(?:[\s*_~`+\-]|%20)*" } else { r"(?:[\s*_~`+\-]|%20)+" };
    let words: Vec<String> = text.split(' ').map(word_pattern).collect();
    let is_name = whole && words.len() == 1 && is_long;
    let plural = if is_name && text.chars().all(char::is_alphabetic) { "s?" } else { "" };
    let (first, last) = (edge(text.chars().next()), edge(text.chars().next_back()));
    let words = words.join(between);
    let marked = if is_long || !whole { String::new() } else { format!("|_{words}_") };
    format!("{first}{words}{plural}{last}{marked}")
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// Returns a pattern for all spellings of a word: *ö* may be one code point or two, and *ß* may be written as *ss*.
fn word_pattern(word: &str) -> String {
    let mut pattern = String::new();
    let mut rest = word.chars().peekable();
    while let Some(letter) = rest.next() {
        let is_sharp =
            letter == 'ß' || letter == 'ẞ' || is_s(letter) && rest.next_if(|next| is_s(*next)).is_some();
        if is_sharp {
            pattern.push_str("(?:ss|ß|ẞ)");
            continue;
        }
        let one = letter.to_string();
        let several = DecomposingNormalizer::new_nfd().normalize(&one).into_owned();
        let one = regex::escape(&one);
        let spellings = if several == one { one } else { format!("(?:{one}|{})", regex::escape(&several)) };
        pattern.push_str(&spellings);
    }
    pattern
}

fn is_s(letter: char) -> bool {
    matches!(letter, 's' | 'S')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction(words: &[&str]) -> Redaction {
        Redaction::of_words(words.iter().map(|text| (*text).to_owned())).unwrap()
    }

    #[test]
    fn words_are_found_however_they_are_written() {
        let redaction = redaction(&["My dog is called Max.", "Max"]);
        for (text, after) in [
            ("my DOG is\ncalled max, you know", "[forgotten], you know"),
            ("Max barked at Maxine", "[forgotten] barked at Maxine"),
            ("«MAX»", "«[forgotten]»"),
        ] {
            assert_eq!(redaction.redact(text).as_deref(), Some(after), "{text}");
        }
        for text in ["", "Maximum", "the dog", FORGOTTEN_MARK] {
            assert_eq!(redaction.redact(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_found_in_markup_and_in_addresses() {
        let redaction = redaction(&["Quorbix Tandril", "Zebulon", "Max"]);
        for (text, after) in [
            ("_Zebulon_ and Zebulons", "[forgotten] and [forgotten]"),
            ("zebulon_dog", "[forgotten]dog"),
            ("_Max_ and max_tokens", "[forgotten] and max_tokens"),
            ("Quorbix *Tandril*, **Quorbix** Tandril", "[forgotten]*, **[forgotten]"),
            ("#QuorbixTandril", "#[forgotten]"),
            ("/a?q=Quorbix%20Tandril&b=quorbix+tandril", "/a?q=[forgotten]&b=[forgotten]"),
            ("quorbix-tandril.md", "[forgotten].md"),
        ] {
            assert_eq!(redaction.redact(text).as_deref(), Some(after), "{text}");
        }
        assert_eq!(redaction.redact("Zebulonia, Quorbixen and Tandril"), None);
    }

    #[test]
    fn accents_and_sharp_s_are_found_in_every_spelling() {
        let redaction = redaction(&["J\u{f6}rgen", "Weißensteinstraße", "Ro\u{308}schen"]);
        for text in [
            "J\u{f6}rgen",
            "Jo\u{308}rgen",
            "JO\u{308}RGEN",
            "WEISSENSTEINSTRASSE 9",
            "Weissensteinstrasse",
            "R\u{f6}schen",
        ] {
            assert!(redaction.redact(text).is_some_and(|after| after.starts_with(FORGOTTEN_MARK)), "{text}");
        }
        assert!(!redaction.occurs_in("Jorgen"));
    }

    #[test]
    fn what_is_too_short_is_not_looked_for() {
        for words in [&[""][..], &["a"], &["is"], &["  . "], &[FORGOTTEN_MARK]] {
            assert!(Redaction::of_words(words.iter().map(|text| (*text).to_owned())).is_none(), "{words:?}");
        }
        assert!(redaction(&["42"]).occurs_in("I am 42 years old"));
    }

    #[test]
    fn letters_that_mean_something_to_patterns_are_only_letters() {
        let redaction = redaction(&["C++ (2011)", "a.c"]);
        assert!(redaction.occurs_in("I write c++ (2011) at home") && !redaction.occurs_in("abc"));
    }

    #[test]
    fn what_was_taken_out_is_not_found_again() {
        let redaction = redaction(&["forgotten things", "ünïcode Straße"]);
        let text = redaction.redact("All forgotten things, and ÜNÏCODE straße.").unwrap();
        assert_eq!(text, "All [forgotten], and [forgotten].");
        assert!(!redaction.occurs_in(&text));
    }

    #[test]
    fn what_a_fact_states_is_not_taken_out_of_what_is_said_of_others() {
        let needles = Needles { statements: vec!["Lives in Rome.".to_owned()], ..Needles::default() };
        let redaction = Redaction::new(&needles).unwrap();
        for (text, after) in [
            ("Lives in Rome.", "[forgotten]."),
            ("You remember:\n- lives in Rome\n- Likes tea", "You remember:\n- [forgotten]\n- Likes tea"),
            ("Lives in Bern (before: Lives in Rome.)", "Lives in Bern (before: [forgotten].)"),
            ("Nice. Lives in Rome!", "Nice. [forgotten]!"),
        ] {
            assert_eq!(redaction.redact(text).as_deref(), Some(after), "{text}");
        }
        for text in ["Sister Anna lives in Rome.", "Anna, who works and lives in Rome"] {
            assert_eq!(redaction.redact(text), None, "{text}");
            assert!(!redaction.occurs_anywhere_in(text), "{text}");
        }
        assert!(redaction.occurs_anywhere_in("\u{1}\u{2}homeRomeLives in Rome.quote"));
    }

    #[test]
    fn writing_without_spaces_has_words_too() {
        let redaction = redaction(&["東京"]);
        assert_eq!(
            redaction.redact("私は東京に住んでいます").as_deref(),
            Some("私は[forgotten]に住んでいます")
        );
    }

    #[test]
    fn a_long_text_is_found_piece_by_piece() {
        let text = "The tide was out and the harbour smelled of diesel. ".repeat(400);
        let after = redaction(&[&text]).redact(&format!("He wrote: {text}")).unwrap();
        assert!(!after.contains("harbour"), "{after}");
    }
}
