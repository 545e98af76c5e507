//! Recognises text that the user pasted to be read or worked on.

use super::names::KnownNames;
use super::verbs::{self, VerbForm};

fn words_of(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '-')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn has(words: &[String], list: &crate::wordlists::WordList) -> bool {
    words.iter().any(|word| list.contains(word.as_str()))
}

/// Returns true if the words name a kind of text that people paste.
fn names_a_text(words: &[String]) -> bool {
    has(
        words,
        words!(
            "mail email e-mail letter message text post bio essay article story poem paragraph passage comment review \
            tweet forum thread caption transcript log speech script draft statement abstract excerpt"
        ),
    )
}

fn speaks(words: &[String]) -> bool {
    let told = |pair: &[String]| {
        matches!(pair[0].as_str(), "told" | "texted" | "sent" | "asked" | "messaged") && pair[1] == "me"
    };
    words.last().is_some_and(|last| {
        words!("wrote said says writes texted replied replies answered posted commented")
            .contains(last.as_str())
    }) || words.len() > 1 && told(&words[words.len() - 2..])
}

/// Returns true if a line only announces the text that follows: *She wrote:*, *What do you think of this bio?*
pub fn announces(line: &str) -> bool {
    let line = line.trim();
    let words = words_of(line);
    let own = words.first().is_some_and(|word| matches!(word.as_str(), "my" | "about"));
    if line.ends_with(':') {
        return !own && (names_a_text(&words) || speaks(&words));
    }
    let points = has(&words, words!("this these following below"));
    line.ends_with('?') && points && names_a_text(&words)
}

/// Returns the position in a line where someone else's words begin: *she said: I'm pregnant*, *the following is from a
/// forum. I …*
pub fn quoted_from(line: &str) -> Option<usize> {
    if let Some(at) = line.find(": ") {
        let head = words_of(&line[..at]);
        let mine = head.iter().any(|word| matches!(word.as_str(), "i" | "we"));
        if head.len() <= 6 && speaks(&head) && !mine {
            return Some(at + 1);
        }
    }
    let at = line.find(". ")?;
    let head = words_of(&line[..at]);
    let from = head
        .windows(2)
        .any(|pair| pair[0] == "from" && matches!(pair[1].as_str(), "a" | "the" | "an" | "my"));
    let is_next = head.starts_with(&["the".to_owned(), "following".to_owned()]);
    (is_next && (names_a_text(&head) || from)).then_some(at + 1)
}

/// Returns true if a line is from a chat log: `[Alice]: …`, `[12:03] Mike: …`, `12/05/2024, 14:33 - Lena: …`
pub fn is_logged(line: &str) -> bool {
    let is_stamp = |letter: char| letter.is_ascii_digit() || "/.:,-–[]() ".contains(letter);
    let rest = line.trim_start_matches(is_stamp);
    let stamp = &line[..line.len() - rest.len()];
    let rest = rest.trim_start_matches("AM").trim_start_matches("PM").trim_start_matches(is_stamp);
    let dated = stamp.contains(|letter: char| letter.is_ascii_digit()) && stamp.contains([':', '/']);
    let bracketed = line.starts_with(['[', '<']);
    let Some((name, said)) = rest.split_once([':', '>']) else { return false };
    let closed = name.ends_with(']') || line.starts_with('<');
    let name = name.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_name = name.split(' ').count() <= 2
        && name.starts_with(char::is_uppercase)
        && name.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    is_name && said.starts_with(' ') && (dated || bracketed && closed)
}

/// Returns true if no part of a message is the user's statement: a forum post, sentences to choose from, a role play.
pub fn is_pasted(text: &str) -> bool {
    is_post(text) || asks_of_wording(text) || is_scene(text)
}

/// Returns true for forum posts: *I (32F) am married*, *AITA?*
fn is_post(text: &str) -> bool {
    let is_tag = |word: &str| {
        let inner = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let parts = inner.split_at_checked(2);
        word.starts_with(['(', '['])
            && parts.is_some_and(|(age, sex)| {
                age.bytes().all(|letter| letter.is_ascii_digit())
                    && matches!(sex, "F" | "M" | "f" | "m" | "NB" | "nb")
            })
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| is_tag(pair[1]) && matches!(pair[0], "I" | "i" | "my" | "My" | "me" | "I'm"))
        || words
            .iter()
            .any(|word| matches!(word.trim_matches(|c: char| !c.is_alphabetic()), "AITA" | "WIBTA" | "TIFU"))
}

/// Returns true for questions about wording: *Which of these sentences is nicer?*
fn asks_of_wording(text: &str) -> bool {
    text.split_inclusive(['?', '\n', '.', '!']).filter(|sentence| sentence.ends_with('?')).any(|sentence| {
        let words = words_of(sentence);
        has(&words, words!("sentence sentences wording phrasing grammatical grammatically"))
            && has(&words, words!("this these which following above below it"))
    })
}

/// Returns true for role play, which describes actions between asterisks: *\*draws sword\* I am Sir Galahad*.
fn is_scene(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('*')).any(|line| {
        let Some((acts, _)) = line.split_once('*') else { return false };
        let mut words = acts.split(' ');
        let first = words.next().unwrap_or_default();
        words.next().is_some() && verbs::lemma(first).is_some_and(|(_, form)| form == VerbForm::Third)
    })
}

/// Returns true if a message is a letter to another person: it has a greeting on a line of its own, and is signed.
pub fn is_letter(text: &str, names: &KnownNames) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = words_of(lines.next().unwrap_or_default());
    let greets = text.trim_start().lines().next().is_some_and(|line| line.trim_end().ends_with(','))
        && (2..=4).contains(&first.len())
        && matches!(first[0].as_str(), "hi" | "hello" | "hey" | "dear")
        && first[1] != "diary"
        && !first[1..].iter().any(|word| names.is_companion(word));
    let signs = |line: &str| {
        let words = words_of(line);
        line.ends_with(',')
            && words.len() <= 3
            && has(&words, words!("best regards cheers love yours sincerely thanks wishes xoxo"))
    };
    greets && lines.any(signs)
}

/// Returns true if a line is program code.
pub fn is_code(line: &str) -> bool {
    let line = line.trim();
    let words: Vec<&str> = line.split_whitespace().collect();
    let assigns = matches!(words.as_slice(), ["const" | "let" | "var" | "int" | "auto", _, "=", ..]);
    let queries = matches!(words.first(), Some(&("SELECT" | "INSERT" | "UPDATE" | "DELETE" | "CREATE")))
        && words.iter().any(|word| matches!(*word, "FROM" | "INTO" | "SET" | "TABLE"));
    assigns
        || queries
        || line.starts_with("//")
        || line.starts_with("#include")
        || ["/*", "*/", "();", ") {", "){", "};", " => ", "console.log("]
            .iter()
            .any(|sign| line.contains(sign))
}
