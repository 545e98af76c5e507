//! The minimal prompt of a very small model. Such a model repeats whatever precedes the question, be it notes, dates or
//! its own last mistake, so its prompt holds only one sentence about Luna, a few examples of short answers, the last
//! exchange, and the question. Small talk is answered without the model.

mod own_words;
mod small_talk;

use jiff::Zoned;
use model::Sampling;
use protocol::{MemoryItem, MemoryKind};
use store::PathMessage;

/// The number of messages of a conversation in the prompt: the last question and answer, and the new question.
const LAST_MESSAGES: usize = 3;
/// Examples of questions and answers in Luna's manner. The last one sets the tone.
const EXAMPLES: [(&str, &str); 5] = [
    ("Can you see me?", "No, I can't see you. I am {{name}}, a small AI program on your computer."),
    ("I lost my keys", "Oh no, that is annoying. I hope you find them soon."),
    (
        "Why is the sky blue?",
        "Sunlight has many colors. The air scatters the blue light the most, so the sky looks blue.",
    ),
    ("Bye for now", "Goodbye! It was nice to talk with you."),
    ("Good morning", "Good morning! I am {{name}}. It is nice to hear from you."),
];
/// Words that refer to an earlier message, anywhere in the text.
const REFERRING: [&str; 14] = [
    "that", "this", "it", "them", "they", "he", "she", "him", "another", "again", "more", "else", "instead",
    "both",
];
/// Words that refer to an earlier message at the beginning of a text.
const REFERRING_FIRST: [&str; 12] =
    ["and", "but", "so", "why", "yes", "no", "ok", "okay", "sure", "really", "then", "because"];
/// The answer to a request that calls for a tool.
pub const NEEDS_A_TOOL: &str = "I would need one of my tools for that, and the tiny model that I run on now cannot use them. Choose a larger \
     one under Models, and ask me again.";
/// A low temperature, because one unlikely token leads a very small model astray.
const TEMPERATURE: f32 = 0.2;
const LONGEST_ANSWER: u32 = 200;
/// Words of questions about the date or the time.
const ABOUT_NOW: [&str; 14] = [
    "time",
    "date",
    "day",
    "today",
    "tonight",
    "tomorrow",
    "yesterday",
    "week",
    "month",
    "year",
    "weekday",
    "morning",
    "evening",
    "clock",
];

pub use self::own_words::{asks_of_oneself, introduced, quoted, told};
pub use self::small_talk::answer as small_talk;

/// Returns the examples with the companion's name in them.
pub fn examples(name: &str) -> Vec<(String, String)> {
    EXAMPLES.iter().map(|(asked, said)| ((*asked).to_owned(), said.replace("{{name}}", name))).collect()
}

/// Reduces a conversation to the question. The exchange before it stays only if the question refers to it and its
/// context does not already hold an answer; otherwise the model would repeat its last answer.
pub fn reduce(path: &mut Vec<PathMessage>) {
    let has_answer = |question: &PathMessage| question.context.as_ref().is_some_and(|told| !told.is_empty());
    let refers = path.last().is_some_and(|question| !has_answer(question) && refers_back(&question.content));
    let told = if refers { LAST_MESSAGES } else { 1 };
    path.drain(..path.len().saturating_sub(told));
    let first_question = path.iter().position(|message| message.role == protocol::Role::User);
    path.drain(..first_question.unwrap_or(0));
}

/// Returns true if a message only makes sense after the one before it.
fn refers_back(message: &str) -> bool {
    let lower = message.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let of_oneself = message.contains('?') && words.iter().any(|word| ["my", "i", "me"].contains(word));
    of_oneself
        || words.first().is_some_and(|first| REFERRING_FIRST.contains(first))
        || words.iter().any(|word| REFERRING.contains(word))
}

/// Returns the context of a question: the time, if the question asks about it, and the attachments.
pub fn context(now: &Zoned, question: &str, attached: &[String]) -> String {
    let lower = question.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    let asks = question.contains('?') && words.any(|word| ABOUT_NOW.contains(&word));
    let hour = asks.then(|| format!("It is {}.", now.strftime("%A, %-d %B %Y, %H:%M")));
    hour.into_iter().chain(attached.iter().cloned()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the fact that may answer a question, if it is the best match. Luna does not state facts from untrusted
/// content as its own.
pub fn fact(items: &[MemoryItem]) -> Option<&MemoryItem> {
    items.first().filter(|item| item.kind == MemoryKind::Fact && item.origins.is_empty())
}

/// Lowers the temperature, unless the settings change it, and limits the length of the answer.
pub fn adjusted(sampling: Sampling) -> Sampling {
    let usual = Sampling::default();
    let is_usual = (sampling.temperature - usual.temperature).abs() < f32::EPSILON;
    Sampling {
        temperature: if is_usual { TEMPERATURE } else { sampling.temperature },
        max_tokens: sampling.max_tokens.min(LONGEST_ANSWER),
        ..sampling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hour_is_told_where_it_is_asked_for() {
        let now: Zoned = "2026-11-15T22:04:00+01:00[Europe/Berlin]".parse().unwrap();
        for (question, expected) in [
            ("Is it late today?", "It is Sunday, 15 November 2026, 22:04."),
            ("I feel sad today", ""),
            ("hello", ""),
            ("Is it sometimes cold?", ""),
        ] {
            assert_eq!(context(&now, question, &[]), expected, "{question}");
        }
        let attached = ["Attached file a.txt".to_owned()];
        assert_eq!(context(&now, "Read it", &attached), "Attached file a.txt");
    }

    #[test]
    fn the_last_exchange_is_told_where_a_message_refers_to_it() {
        for (message, refers) in [
            ("hello", false),
            ("What is your name?", false),
            ("What is my name?", true),
            ("My name is Anna", false),
            ("Tell me a joke", false),
            ("Tell me another", true),
            ("Why?", true),
            ("Why is that so?", true),
            ("yes", true),
            ("What is the moon?", false),
            ("", false),
        ] {
            assert_eq!(refers_back(message), refers, "{message}");
        }
    }

    #[test]
    fn what_is_set_goes_before_what_is_usual() {
        let steady = adjusted(Sampling::default());
        assert!((steady.temperature - TEMPERATURE).abs() < f32::EPSILON);
        assert_eq!(steady.max_tokens, LONGEST_ANSWER);
        let wished = Sampling { temperature: 1.5, max_tokens: 20, ..Sampling::default() };
        assert_eq!(adjusted(wished.clone()), wished);
    }
}
