//! Answers from stored facts about the user, without a model: a very small model answers *What is my name?* with a
//! greeting, even if the name precedes the question. Pure functions.

use protocol::{MemoryItem, MemoryKind};
use text::terms;

/// The first words of stored facts, and their form when addressed to the user. A longer entry stands before a shorter
/// one with the same beginning.
const BEGINNINGS: [(&str, &str); 24] = [
    ("Is called", "Your name is"),
    ("Goes by", "People call you"),
    ("Is", "You are"),
    ("Was", "You were"),
    ("Has", "You have"),
    ("Had", "You had"),
    ("Does", "You do"),
    ("Lives", "You live"),
    ("Works", "You work"),
    ("Studies", "You study"),
    ("Comes", "You come"),
    ("Likes", "You like"),
    ("Loves", "You love"),
    ("Prefers", "You prefer"),
    ("Dislikes", "You dislike"),
    ("Hates", "You hate"),
    ("Plays", "You play"),
    ("Collects", "You collect"),
    ("Speaks", "You speak"),
    ("Drives", "You drive"),
    ("Wears", "You wear"),
    ("Eats", "You eat"),
    ("Drinks", "You drink"),
    ("Wants", "You want"),
];
const NOT_TOLD: &str = "You have not told me yet. Tell me, and I will remember it.";
/// Questions of users about themselves, as [`plain`] returns them.
const ABOUT_ONESELF: [&str; 15] = [
    "what do i like",
    "what is my",
    "whats my",
    "what are my",
    "what am i called",
    "who is my",
    "whos my",
    "when is my",
    "whens my",
    "where do i live",
    "where do i work",
    "where am i from",
    "how old am i",
    "what do i do for",
    "do you know my",
];
/// Phrases that introduce the user's name.
const INTRODUCTIONS: [&str; 5] = ["my name is", "my names", "i am called", "im called", "call me"];
/// The greatest number of words of a name; a longer text says more than a name.
const LONGEST_NAME: usize = 3;

/// Returns a fact as a sentence to the user. `who` names the person that the fact is about and is empty for the user.
pub fn told(who: &str, text: &str) -> String {
    let known = BEGINNINGS.iter().find_map(|(fact, told)| {
        let rest = text.strip_prefix(fact).filter(|rest| rest.starts_with(' '))?;
        Some((*told, rest))
    });
    let text = match known {
        Some((told, rest)) if who.is_empty() => format!("{told}{}", rest.replace(" their ", " your ")),
        Some(_) => {
            let (first, rest) = text.split_at(1);
            format!("{who} {}{rest}", first.to_lowercase())
        }
        None if who.is_empty() => format!("This is what I know of you: {text}"),
        None => format!("This is what I know of {who}: {text}"),
    };
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}

/// Returns true if users ask about themselves.
pub fn asks_of_oneself(question: &str) -> bool {
    let plain = plain(question);
    question.contains('?') && ABOUT_ONESELF.iter().any(|asked| begins(&plain, asked).is_some())
}

/// Quotes a message of the user that contains all terms of the question, or says that there is none.
pub fn quoted(question: &str, items: &[MemoryItem]) -> String {
    let asked = terms(question);
    let is_told = |item: &&MemoryItem| {
        let told = terms(&item.text);
        let is_theirs = item.kind == MemoryKind::Message && item.who.is_empty() && item.origins.is_empty();
        is_theirs && !item.text.contains('?') && asked.iter().all(|word| told.contains(word))
    };
    let told = items.iter().find(is_told).filter(|_| !asked.is_empty());
    told.map_or(NOT_TOLD.to_owned(), |item| format!("You told me: \u{201c}{}\u{201d}", item.text.trim()))
}

/// Returns the reply to a message that only states the user's name.
pub fn introduced(message: &str) -> Option<String> {
    let plain = plain(message);
    let plain = ["hello", "hi", "hey"].iter().find_map(|greeting| begins(&plain, greeting)).unwrap_or(&plain);
    let name = INTRODUCTIONS.iter().find_map(|said| begins(plain, said))?;
    let words: Vec<&str> = name.split(' ').collect();
    // Takes the name in its original spelling: the same number of words at the end of the message.
    let written: Vec<&str> = message.split_whitespace().collect();
    let written = &written[written.len().checked_sub(words.len())?..];
    let is_name = |word: &&str| word.starts_with(|letter: char| letter.is_uppercase());
    if words.len() > LONGEST_NAME || !written.iter().all(is_name) {
        return None;
    }
    let name = written.join(" ");
    Some(format!("Nice to meet you, {}! I will remember your name.", name.trim_end_matches(['.', '!', ','])))
}

/// Returns the words of a message in lower case and without punctuation.
fn plain(message: &str) -> String {
    let letters = message.to_lowercase().replace(['\'', '\u{2019}'], "");
    let words = letters.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the text after the given words, if it begins with them.
fn begins<'m>(plain: &'m str, words: &str) -> Option<&'m str> {
    let rest = plain.strip_prefix(words)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

#[cfg(test)]
mod tests {
    use protocol::Origin;

    use super::*;

    #[test]
    fn a_fact_is_told_to_the_person_that_it_is_about() {
        for (who, text, expected) in [
            ("", "Is called Anna.", "Your name is Anna."),
            ("", "Is 34 years old", "You are 34 years old."),
            ("", "Lives in Lyon.", "You live in Lyon."),
            ("", "Has a dog called Max.", "You have a dog called Max."),
            ("", "Has their birthday on 3 May.", "You have your birthday on 3 May."),
            ("", "Does not eat meat.", "You do not eat meat."),
            ("", "Israel was nice.", "This is what I know of you: Israel was nice."),
            ("Max", "Is allergic to nuts.", "Max is allergic to nuts."),
            ("Max", "\u{c9}coute bien.", "This is what I know of Max: \u{c9}coute bien."),
            ("", "", "This is what I know of you: ."),
        ] {
            assert_eq!(told(who, text), expected, "{who} {text}");
        }
    }

    #[test]
    fn somebody_asks_about_themselves() {
        for (question, is_told) in [
            ("What is my name?", true),
            ("What's my favorite color?", true),
            ("Where do I live?", true),
            ("When is my birthday?", true),
            ("What is your name?", false),
            ("What is my computer doing when it sleeps", false),
            ("What is myrrh?", false),
            ("Where do I find stamps?", false),
            ("", false),
        ] {
            assert_eq!(asks_of_oneself(question), is_told, "{question}");
        }
    }

    #[test]
    fn what_somebody_said_is_quoted_where_it_answers() {
        let item = |kind: MemoryKind, who: &str, text: &str, origins: Vec<Origin>| MemoryItem {
            kind,
            id: "1".into(),
            text: text.into(),
            who: who.into(),
            at: None,
            score: 0.5,
            parts: Vec::new(),
            conversation_id: None,
            message_id: None,
            title: None,
            origins,
        };
        let message = |text: &str| item(MemoryKind::Message, "", text, Vec::new());
        let question = "Where do I live?";
        for (items, expected) in [
            (vec![], NOT_TOLD),
            (vec![message("Hello"), message("Where do I live?")], NOT_TOLD),
            (vec![item(MemoryKind::Message, "Luna", "I live here", Vec::new())], NOT_TOLD),
            (vec![item(MemoryKind::Message, "", "I live here", vec![Origin::File("a".into())])], NOT_TOLD),
            (
                vec![message("Hello"), message("I live on a houseboat. ")],
                "You told me: \u{201c}I live on a houseboat.\u{201d}",
            ),
        ] {
            assert_eq!(quoted(question, &items), expected);
        }
    }

    #[test]
    fn whoever_says_their_name_and_nothing_else_is_greeted_by_it() {
        for (message, name) in [
            ("My name is Anna", Some("Anna")),
            ("Hi, my name is Anna-Lena Berg.", Some("Anna-Lena Berg")),
            ("Hello! I'm called Tom", Some("Tom")),
            ("Call me Ishmael!", Some("Ishmael")),
            ("my name is anna and I need help", None),
            ("My name is not important", None),
            ("Call me later", None),
            ("My name is", None),
            ("Anna", None),
            ("", None),
        ] {
            let greeting = name.map(|name| format!("Nice to meet you, {name}! I will remember your name."));
            assert_eq!(introduced(message), greeting, "{message}");
        }
    }
}
