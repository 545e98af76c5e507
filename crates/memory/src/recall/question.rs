//! Parses a question: the person and time it is about, and its significant words.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::dates::{self, NamedDate};

/// Stems of polite words, which say nothing about the content of a question.
const POLITE: &[&str] = &["pleas", "thank", "hello", "hi", "hey"];

/// Words that indicate a question about the past.
const PAST_WORDS: [&str; 12] = [
    "did",
    "was",
    "were",
    "had",
    "used",
    "before",
    "ago",
    "first",
    "earlier",
    "previously",
    "originally",
    "once",
];

/// Parses questions. It knows the names of the people whose messages are remembered: the first is the one who asks, the
/// second the one who is asked.
#[derive(Debug, Clone, Default)]
pub struct QuestionParser {
    names: Vec<Name>,
    stems: HashSet<String>,
}

#[derive(Debug, Clone)]
struct Name {
    text: String,
    /// Matches the name as a whole word, with an optional `'s`.
    pattern: Regex,
}

/// A parsed question.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedQuestion {
    /// The people named in it, in order.
    pub persons: Vec<String>,
    /// True if they are identified by name rather than by *I* or *you*.
    pub is_by_name: bool,
    /// True if it is about the first of several people: *What did Nate give Joanna?*
    pub is_about_first: bool,
    pub terms: Vec<String>,
    /// The question in the words of the person it is about. Names distort vectors, since a speaker calls only other
    /// people by name.
    pub first_person: String,
    pub dates: Vec<NamedDate>,
    /// True if it is about the past rather than the present.
    pub is_about_past: bool,
    /// True if it asks for a time or a duration, so that items that name a time answer it.
    pub asks_for_time: bool,
}

static CAPITALISED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[A-Z][a-z]+\b").ok());
static ASKS_TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let when = r"^\W*(?:and |so |but )?(?:since |until )?when\b|\b(?:do you (?:know|remember)|tell me|remember) when\b";
    let how_long = r"\bhow (?:long|many (?:days|weeks|months|years)|recently)\b";
    let which = r"\b(?:what|which) (?:date|day|month|year|week|weekend|season)\b";
    Regex::new(&format!("(?i){when}|{how_long}|{which}")).ok()
});
static JOINED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(?:and|or|both)\b").ok());

impl QuestionParser {
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut parser = Self::default();
        for text in names {
            let text = text.trim().to_owned();
            let known = parser.names.iter().any(|name| name.text == text);
            if known || text.is_empty() {
                continue;
            }
            if let Ok(pattern) = Regex::new(&format!(r"\b{}\b('s|’s)?", regex::escape(&text))) {
                parser.stems.extend(text::words(&text).map(|word| text::stem(&word)));
                parser.names.push(Name { text, pattern });
            }
        }
        parser
    }

    /// Returns true if a capitalized word is one of the names or the beginning of one.
    pub fn knows(&self, word: &str) -> bool {
        self.names.iter().any(|name| name.text.starts_with(word))
    }

    /// Returns a text without the names of the speakers.
    pub fn without_names(&self, text: &str) -> String {
        let text = self
            .names
            .iter()
            .fold(text.to_owned(), |text, name| name.pattern.replace_all(&text, "").into_owned());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Rephrases a text in the first person for the people in it.
    fn in_first_person(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, name| {
            let own = |found: &regex::Captures<'_>| if found.get(1).is_some() { "my" } else { "I" };
            name.pattern.replace_all(&text, own).into_owned()
        })
    }

    /// Completes short forms of names: `Mel` becomes Melanie.
    fn with_whole_names(&self, text: &str) -> String {
        let Some(capitalised) = &*CAPITALISED else { return text.to_owned() };
        let whole = |found: &regex::Captures<'_>| {
            let word = &found[0];
            let longer = |name: &&Name| name.text != word && name.text.starts_with(word);
            let name = self.names.iter().find(longer).filter(|_| word.len() >= 3);
            name.map_or_else(|| word.to_owned(), |name| name.text.clone())
        };
        capitalised.replace_all(text, whole).into_owned()
    }

    pub fn parse(&self, question: &str) -> ParsedQuestion {
        let text = self.with_whole_names(question);
        let mut positions: Vec<(usize, &str)> = self
            .names
            .iter()
            .filter_map(|name| Some((name.pattern.find(&text)?.start(), name.text.as_str())))
            .collect();
        positions.sort_unstable();
        let is_about_first = match positions.as_slice() {
            [(first, _), (second, _), ..] => {
                let joined = JOINED.as_ref().is_some_and(|joined| joined.is_match(&text[*first..*second]));
                !joined && !text.contains("both")
            }
            _ => false,
        };
        let plain = dates::without_dates(&text);
        let mut seen = HashSet::new();
        let terms = text::terms(&plain).into_iter();
        let terms = terms.filter(|term| !self.stems.contains(term) && !POLITE.contains(&term.as_str()));
        ParsedQuestion {
            terms: terms.filter(|term| seen.insert(term.clone())).collect(),
            first_person: self.in_first_person(&plain),
            dates: dates::named_dates(&text),
            asks_for_time: ASKS_TIME.as_ref().is_some_and(|asks| asks.is_match(&text)),
            is_about_past: text::words(&text).any(|word| PAST_WORDS.contains(&word.as_str())),
            is_by_name: !positions.is_empty(),
            persons: if positions.is_empty() {
                self.person_of_pronoun(&text).into_iter().map(ToOwned::to_owned).collect()
            } else {
                positions.into_iter().map(|(_, name)| name.to_owned()).collect()
            },
            is_about_first,
        }
    }

    /// Returns the person that *I* or *you* refers to.
    fn person_of_pronoun(&self, text: &str) -> Option<&str> {
        let has = |words: &[&str]| text::words(text).any(|word| words.contains(&word.as_str()));
        let position = if has(&["i", "im", "ive", "id", "ill", "me", "my", "mine", "myself"]) {
            0
        } else if has(&["you", "your", "yours", "yourself", "youre", "youve"]) {
            1
        } else {
            return None;
        };
        self.names.get(position).map(|name| name.text.as_str())
    }
}

/// Words that begin a question about something stated earlier.
const QUESTION_WORDS: [&str; 12] =
    ["what", "whats", "when", "whens", "where", "wheres", "who", "whos", "whose", "which", "whom", "how"];
const FIRST_PERSON: [&str; 7] = ["i", "im", "ive", "me", "my", "mine", "am"];
/// The maximum number of words of a mere question; a longer one usually states something as well.
const LONGEST_MERE_QUESTION: usize = 12;

/// Returns true if a text only asks about the user and states nothing: *Where do I work?* A question with a name or a
/// number may state something.
pub fn is_mere_question(text: &str) -> bool {
    let Some(asked) = text.trim().strip_suffix('?') else { return false };
    let is_one = !asked.contains(['.', '!', '?', ';', ':', '\n']);
    let all: Vec<String> = text::words(asked).collect();
    let asks = all.first().is_some_and(|first| QUESTION_WORDS.contains(&first.as_str()));
    let of_self = all.iter().any(|word| FIRST_PERSON.contains(&word.as_str()));
    let names = asked.split_whitespace().skip(1).any(|word| {
        let is_self = word == "I" || word.starts_with("I'") || word.starts_with("I’");
        !is_self && word.starts_with(char::is_uppercase) || word.contains(char::is_numeric)
    });
    is_one && asks && of_self && !names && all.len() <= LONGEST_MERE_QUESTION
}

impl ParsedQuestion {
    /// Returns the person it is about, if there is only one.
    pub fn only_person(&self) -> Option<&str> {
        match self.persons.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the person it names, if there is only one. *I* and *you* do not count: in a conversation each repeats
    /// what the other said.
    pub fn named_person(&self) -> Option<&str> {
        self.only_person().filter(|_| self.is_by_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_time_are_told_from_others() {
        for (text, asks_for_time) in [
            ("When did Melanie paint a sunrise?", true),
            ("And when was that?", true),
            ("Do you remember when I moved?", true),
            ("How long have I had the turtles?", true),
            ("Which month did we go?", true),
            ("What year was it?", true),
            ("What did I eat when I was ill?", false),
            ("How many dogs do I have?", false),
            ("Where do I live?", false),
        ] {
            assert_eq!(QuestionParser::default().parse(text).asks_for_time, asks_for_time, "{text}");
        }
    }

    #[test]
    fn a_mere_question_tells_nothing() {
        for (text, is_mere) in [
            ("Where do I work?", true),
            ("When is my dentist appointment?", true),
            ("What's my dog called?", true),
            ("What is my sister Anna doing?", false),
            ("Where do I work? I forgot.", false),
            ("What did you do last weekend?", false),
            ("Did I tell you that I moved?", false),
            ("How old was I in 1999?", false),
            ("I work at Bosch.", false),
        ] {
            assert_eq!(is_mere_question(text), is_mere, "{text}");
        }
    }
}
