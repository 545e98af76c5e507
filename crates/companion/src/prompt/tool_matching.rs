//! Selects the tools that the wording of a request calls for. Pure functions of a text and the tool specifications.
//!
//! A small model calls every tool that it is shown, so it is shown none for a greeting or for a message that only tells
//! news.

mod following;
mod message_words;
mod tongue;

use tools::ToolDefinition;

pub use following::goes_on;
use message_words::{times, words};

/// The weight of each word of a matched phrase. A tool with any matched phrase gets one point more.
const OF_PHRASE: u32 = 2;
/// The least weight for a tool without phrases, such as those of MCP servers, which is matched by the words of its name
/// and description alone.
const LEAST: u32 = 3;
/// Words that do not distinguish one tool from another.
const COMMON: [&str; 24] = [
    "about", "after", "from", "gets", "give", "list", "make", "name", "read", "tell", "tells", "text",
    "that", "them", "there", "this", "user", "what", "when", "which", "with", "would", "your", "some",
];
/// First words of sentences that only tell something.
const TELLING: [&str; 26] = [
    "i",
    "im",
    "ive",
    "my",
    "mine",
    "we",
    "our",
    "were",
    "he",
    "she",
    "his",
    "her",
    "it",
    "its",
    "they",
    "their",
    "the",
    "a",
    "an",
    "today",
    "yesterday",
    "this",
    "that",
    "there",
    "thanks",
    "thank",
];
/// Phrases that begin questions which ask for an explanation and not for an action.
const EXPLAINING: [&str; 24] = [
    "how do i",
    "how do you",
    "how do we",
    "how does",
    "how did",
    "how to",
    "how can i",
    "how should i",
    "why",
    "explain",
    "define",
    "describe",
    "can you explain",
    "could you explain",
    "please explain",
    "what does a",
    "what do you",
    "tell me about",
    "tell me a story",
    "who invented",
    "who discovered",
    "should i",
    "do you like",
    "do you know what",
];
/// Words after *What is …?* that ask about the current situation and not for a definition.
const OF_HERE: [&str; 11] =
    ["the", "my", "our", "in", "on", "at", "it", "this", "new", "todays", "tomorrows"];
/// Phrases that express a wish anywhere in a message.
const WANTING: [&str; 18] = [
    "please",
    "can you",
    "could you",
    "would you",
    "will you",
    "want you to",
    "need you to",
    "like you to",
    "want to know",
    "like to know",
    "want to see",
    "like to see",
    "i need",
    "i want",
    "id like",
    "i would like",
    "show me",
    "tell me",
];

/// Returns at most `most` tools that a request calls for, the best match first.
pub fn for_tools<'a>(message: &str, specs: &[&'a ToolDefinition], most: usize) -> Vec<&'a ToolDefinition> {
    let words = words(message);
    if most == 0 || !wants_something(message, &words) {
        return Vec::new();
    }
    let mut found: Vec<(u32, &ToolDefinition)> = specs
        .iter()
        .map(|spec| (weight(&words, spec, specs), *spec))
        .filter(|(weight, _)| *weight > 0)
        .collect();
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.name.cmp(&other.1.name)));
    // A tool with less than half the weight of the best match was probably not meant.
    let best = found.first().map_or(0, |found| found.0);
    found.into_iter().filter(|(weight, _)| weight * 2 >= best).take(most).map(|(_, spec)| spec).collect()
}

/// Returns true if the user asks for something in a language other than English, of which only a few words are known.
pub fn asks_elsewhere(message: &str) -> bool {
    let words = words(message);
    let wants = asks(message) || tongue::wants(&words);
    !words.is_empty() && wants && !tongue::is_english(&words) && !tongue::greets(&words)
}

/// Returns true if a request mentions tools, so that the tool search may be offered.
pub fn names_tools(message: &str) -> bool {
    let words = words(message);
    wants_something(message, &words) && ["tool", "tools"].iter().any(|tool| times(&words, tool) > 0)
}

/// Returns true if a request mentions skills.
pub fn names_skills(message: &str) -> bool {
    let words = words(message);
    wants_something(message, &words) && ["skill", "skills"].iter().any(|skill| times(&words, skill) > 0)
}

/// Returns true if a request contains a name of at least two words: `meeting notes` for `meeting-notes`.
pub fn names(message: &str, name: &str) -> bool {
    let words = words(message);
    wants_something(message, &words) && times(&words, &name.replace(['-', '_'], " ")) > 1
}

/// Returns true if the user wants an explanation: how, what or why. In such a question a word that usually calls for a
/// tool is only the subject.
pub fn asks_to_explain(message: &str) -> bool {
    let words = words(message);
    let begins = |phrase: &str| phrase.split(' ').zip(&words).filter(|(one, other)| one == other).count();
    let is_asked = EXPLAINING.iter().any(|phrase| begins(phrase) == phrase.split(' ').count());
    let named = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["what", "is" | "are", named, ..] | ["whats", named, ..] => Some(named),
        _ => None,
    };
    // *What is RAM?* and *What is a forecast?*, but not *What is the time?* or *What is 3 plus 4?*
    let is_a_thing = |named: &str| named.starts_with(char::is_alphabetic) && !OF_HERE.contains(&named);
    is_asked || named.is_some_and(is_a_thing) || times(&words, "in python") > 0
}

/// Returns true if the user asks a question or wants something done. Other messages are news, feelings or greetings.
fn wants_something(message: &str, words: &[String]) -> bool {
    let is_english = tongue::is_english(words);
    let tells = words
        .first()
        .is_none_or(|first| TELLING.contains(&first.as_str()) || !is_english && tongue::tells(first));
    let wants =
        || WANTING.iter().any(|phrase| times(words, phrase) > 0) || !is_english && tongue::wants(words);
    !tells || asks(message) || wants()
}

fn asks(message: &str) -> bool {
    message.contains(['?', '？', '؟'])
}

fn weight(words: &[String], spec: &ToolDefinition, specs: &[&ToolDefinition]) -> u32 {
    let phrases = spec.asked_by.iter().map(|phrase| times(words, phrase) * OF_PHRASE);
    let asked: u32 = phrases.sum();
    if asked > 0 || !spec.asked_by.is_empty() {
        return asked + u32::from(asked > 0);
    }
    let name = self::words(&spec.name).into_iter().filter(|word| is_telling(word));
    let about = self::words(&spec.description).into_iter().filter(|word| is_telling(word));
    let rare = |word: &String| specs.iter().filter(|other| mentions(&other.description, word)).count() <= 2;
    let mut said: Vec<String> = words.iter().filter(|word| is_telling(word)).cloned().collect();
    said.sort();
    said.dedup();
    let of_name = name.filter(|part| said.iter().any(|word| is_same(word, part))).count() * 3;
    let mut about: Vec<String> = about.filter(rare).collect();
    about.sort();
    about.dedup();
    let of_about = about.iter().filter(|part| said.iter().any(|word| is_same(word, part))).count() * 2;
    let weight = u32::try_from(of_name + of_about).unwrap_or(u32::MAX);
    if weight >= LEAST { weight } else { 0 }
}

fn mentions(text: &str, word: &str) -> bool {
    words(text).iter().any(|other| is_same(other, word))
}

/// Compares two words, ignoring a plural `s`.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

fn is_telling(word: &str) -> bool {
    word.chars().count() > 3 && !COMMON.contains(&word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn spec(name: &str, about: &str, asked_by: &[&str]) -> ToolDefinition {
        let mut spec = ToolDefinition::new(name, about, json!({"type": "object"})).unwrap();
        spec.asked_by = asked_by.iter().map(|phrase| (*phrase).to_owned()).collect();
        spec
    }

    fn chosen(message: &str) -> Vec<String> {
        let specs = [
            spec(
                "weather",
                "Tells the weather of a place.",
                &["weather", "forecast", "will it rain", "wetter", "quel temps", "qué tiempo"],
            ),
            spec("web_search", "Searches the web.", &["search", "look up", "news"]),
            spec("web_research", "Looks a question up in several pages.", &["research"]),
            spec("read_file", "Reads a text file.", &["file"]),
            spec("list_files", "Lists files.", &["which files", "folder"]),
            spec("skill", "Reads how to do something.", &["skill", "skills"]),
            spec("door_lock", "Locks or unlocks the front door of the house.", &[]),
            spec("lamp_dim", "Dims a lamp of the living room.", &[]),
        ];
        let specs: Vec<&ToolDefinition> = specs.iter().collect();
        for_tools(message, &specs, 4).into_iter().map(|spec| spec.name.clone()).collect()
    }

    #[test]
    fn a_request_calls_for_tools_by_its_words() {
        for (message, expected) in [
            ("What's the weather in Porto?", &["weather"][..]),
            ("Weather in Porto tomorrow", &["weather"]),
            ("I want to know the forecast for Kiel", &["weather"]),
            ("Will it rain?", &["weather"]),
            ("Please look up the latest news", &["web_search"]),
            ("Read notes.txt for me", &["read_file"]),
            ("which files are in my folder?", &["list_files"]),
            ("Which skills do you have?", &["skill"]),
            ("Lock the front door", &["door_lock"]),
            ("please dim the lamps", &["lamp_dim"]),
        ] {
            assert_eq!(chosen(message), expected, "{message}");
        }
    }

    #[test]
    fn an_explanation_is_no_errand() {
        for (message, explains) in [
            ("How do I open a file in Rust?", true),
            ("How does a weather forecast work?", true),
            ("What is a map?", true),
            ("What's RAM?", true),
            ("What are pounds?", true),
            ("Why is the weather so bad?", true),
            ("Who invented the umbrella?", true),
            ("Can you explain what a clock is?", true),
            ("Write a file reader in Python", true),
            ("What's the weather in Porto?", false),
            ("What is my battery level?", false),
            ("What is 12 percent of 640?", false),
            ("What is in my clipboard?", false),
            ("What time is it?", false),
            ("How warm is it in Oslo?", false),
            ("How much memory does this computer have?", false),
            ("What does https://example.org say?", false),
            ("Show me Paris on a map", false),
            ("", false),
        ] {
            assert_eq!(asks_to_explain(message), explains, "{message}");
        }
    }

    #[test]
    fn a_greeting_and_news_call_for_none() {
        for message in [
            "Hello! Who are you?",
            "Hi",
            "",
            "?",
            "How are you today?",
            "My sister moved to Porto",
            "The weather was lovely yesterday.",
            "I feel sad today",
            "I read a good file about foxes.",
            "Thank you for the weather report",
            "Tell me a joke",
            "Explain rain to a child",
            "What is the capital of France?",
            "Give me an idea for dinner",
            "Good night",
            "My front door is green.",
            "🙂",
        ] {
            assert_eq!(chosen(message), Vec::<String>::new(), "{message}");
        }
    }

    #[test]
    fn what_is_known_of_other_languages_calls_for_tools_too() {
        for (message, expected) in [
            ("Wie ist das Wetter in Kiel?", &["weather"][..]),
            ("Ich möchte wissen, wie das Wetter wird", &["weather"]),
            ("Wetter Kiel", &["weather"]),
            ("Quel temps fait-il à Lyon ?", &["weather"]),
            ("¿Qué tiempo hace en Madrid?", &["weather"]),
            ("Das Wetter war gestern schön.", &[]),
            ("Danke für das Wetter", &[]),
            ("Ich habe das Wetter verpasst", &[]),
            ("Los Angeles weather", &["weather"]),
        ] {
            assert_eq!(chosen(message), expected, "{message}");
        }
    }

    #[test]
    fn somebody_who_asks_in_another_language_is_told_from_one_who_greets() {
        for message in [
            "Wer hat gestern gewonnen?",
            "Kannst du mir helfen?",
            "Zeig mir bitte die Karte",
            "Qui a gagné hier ?",
            "Je voudrais un café à Lyon",
            "¿Quién ganó el partido?",
            "Quiero saber la hora",
            "Chi ha vinto la partita?",
            "Quem ganhou o jogo ontem?",
            "Wie heeft er gewonnen?",
            "Kto wygrał wczorajszy mecz?",
            "今日の天気は？",
        ] {
            assert!(asks_elsewhere(message), "{message}");
        }
        for message in [
            "Hallo",
            "Bonjour",
            "Hola",
            "Ciao",
            "Guten Abend",
            "Guten Morgen, Luna!",
            "Danke",
            "Danke schön",
            "Bitte",
            "Merci beaucoup",
            "Wie geht's?",
            "Wie geht es dir?",
            "Comment ça va ?",
            "¿Qué tal?",
            "Come stai?",
            "Tudo bem?",
            "Hoe gaat het?",
            "Wer bist du?",
            "Meine Schwester wohnt in Porto.",
            "Mi hermana vive en Madrid",
            "Who won the match?",
            "What was that?",
            "",
            "?",
        ] {
            assert!(!asks_elsewhere(message), "{message}");
        }
    }

    #[test]
    fn no_more_than_are_wanted_are_chosen_and_the_clearest_first() {
        let specs =
            [spec("a", "", &["news"]), spec("b", "", &["latest news"]), spec("c", "", &["news", "latest"])];
        let specs: Vec<&ToolDefinition> = specs.iter().collect();
        let names = |most: usize| -> Vec<&str> {
            for_tools("the latest news?", &specs, most).into_iter().map(|spec| spec.name.as_str()).collect()
        };
        assert_eq!(names(3), ["b", "c", "a"]);
        assert_eq!(names(1), ["b"]);
        assert!(names(0).is_empty());
    }
}
