//! Fixed answers to everyday small talk for very small models. Pure functions.
//!
//! A very small model invents a different answer each time to questions about who Luna is, what happens to the user's
//! data and what Luna can do. So these answers are stored in `small_talk.txt`, like those of the fast path. One is
//! given only if the whole message asks for exactly that: about the same person and the same things.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use text::{stem, terms};

const TEXT: &str = include_str!("small_talk.txt");
/// The placeholder of the name.
const NAME: &str = "{{name}}";
/// A word in place of the name that occurs in no message.
const NAME_WORD: &str = "zqname";
/// The least similarity to a stored question; below it, the message asks for something else as well.
const SAME: f32 = 0.6;
/// Greetings that may precede a question.
const GREETINGS: [&str; 7] = ["hello", "hi", "hey", "hiya", "good morning", "good evening", "ok"];
/// Words that negate a sentence.
const TURNING: [&str; 5] = ["not", "no", "never", "nobody", "without"];
/// Pronouns by person. *Where do I live?* is a different question from *Where do you live?*
const PERSONS: [&[&str]; 2] =
    [&["i", "me", "my", "mine", "myself", "we", "us", "our"], &["you", "your", "yours", "yourself"]];
/// Short words that decide what a question asks for.
const ASKING: [&str; 10] = ["who", "what", "which", "when", "where", "why", "how", "whose", "whom", "doing"];
/// Words that do not change the meaning of a question.
const FILLING: [&str; 8] =
    ["really", "actually", "exactly", "please", "today", "tonight", "currently", "anyway"];
/// The weight of a pair of adjacent words. It is lower than that of a single word, because both words count already.
const PAIR: f32 = 0.6;
/// The number of words of a message that are examined.
const MOST_WORDS: usize = 40;
/// The greatest number of questions in one message of small talk.
const MOST_AT_ONCE: usize = 3;
/// Common abbreviations and their full forms.
const SHORT_FORMS: [(&str, &str); 22] = [
    ("im", "i am"),
    ("ive", "i have"),
    ("id", "i would"),
    ("youre", "you are"),
    ("youve", "you have"),
    ("whats", "what is"),
    ("whos", "who is"),
    ("hows", "how is"),
    ("wheres", "where is"),
    ("thats", "that is"),
    ("its", "it is"),
    ("isnt", "is not"),
    ("dont", "do not"),
    ("didnt", "did not"),
    ("doesnt", "does not"),
    ("cant", "can not"),
    ("wont", "will not"),
    ("lets", "let us"),
    ("u", "you"),
    ("r", "are"),
    ("ur", "your"),
    ("thx", "thanks"),
];

static BANK: LazyLock<Bank> = LazyLock::new(|| Bank::read(TEXT));

/// Returns the answer to a message that is nothing but small talk.
pub fn answer(message: &str, name: &str) -> Option<String> {
    let plain = message.to_lowercase();
    let plain = if name.is_empty() { plain } else { plain.replace(&name.to_lowercase(), NAME) };
    let found = BANK.asked(&plain).map(|found| vec![found]).or_else(|| BANK.each_asked(&plain))?;
    let mut said: Vec<&str> = Vec::new();
    for one in found {
        if !said.contains(&one.said) {
            said.push(one.said);
        }
    }
    Some(said.join(" ").replace(NAME, name))
}

/// A matching stored question and its answer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    near: f32,
    asked: &'static str,
    said: &'static str,
}

/// Returns the message without the greeting and the name at its beginning.
fn without_greeting(message: &str) -> Option<String> {
    let without_name = message.replace(NAME, "");
    let is_gap = |letter: char| !letter.is_alphanumeric();
    let rest = without_name.trim_start_matches(is_gap);
    let rest = GREETINGS.iter().find_map(|greeting| {
        let rest = rest.strip_prefix(greeting)?;
        rest.starts_with(is_gap).then(|| rest.trim_start_matches(is_gap))
    });
    let rest = rest.unwrap_or(without_name.trim_matches(is_gap));
    (!rest.is_empty()).then(|| rest.to_owned())
}

struct Bank {
    /// The answers; each stored question refers to one of them.
    answers: Vec<&'static str>,
    askings: Vec<Asking>,
    /// The weight of each part of a question: the fewer answers it occurs with, the higher.
    telling: HashMap<Part, f32>,
    unknown: f32,
}

struct Asking {
    text: &'static str,
    answer: usize,
    meant: Meant,
    parts: HashSet<Part>,
    length: f32,
}

/// The meaning that a message and a stored question must share, however they are worded.
#[derive(PartialEq)]
struct Meant {
    persons: [bool; 2],
    /// The words that state the subject.
    things: HashSet<String>,
    /// The number of negations.
    turns: usize,
}

impl Meant {
    fn of(text: &str) -> Self {
        let words = spelled(text);
        let has = |those: &[&str]| those.iter().any(|word| words.iter().any(|said| said == word));
        let asking = words.iter().filter(|word| ASKING.contains(&word.as_str())).cloned();
        let things = terms(&words.join(" ")).into_iter().chain(asking);
        Self {
            persons: PERSONS.map(has),
            things: things.filter(|thing| thing != NAME_WORD).collect(),
            turns: words.iter().filter(|word| TURNING.contains(&word.as_str())).count(),
        }
    }
}

/// A word, or a pair of adjacent words. An empty word marks the beginning or the end.
type Part = (String, Option<String>);

impl Bank {
    /// Parses blocks of questions, which begin with `>`, followed by their common answer.
    fn read(text: &'static str) -> Self {
        let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
        let (mut answers, mut asked) = (Vec::new(), Vec::new());
        for block in blocks {
            let (questions, answer): (Vec<_>, Vec<_>) = block.lines().partition(|line| line.starts_with('>'));
            let Some(answer) = answer.first() else { continue };
            asked.extend(questions.into_iter().map(|line| (line[1..].trim(), answers.len())));
            answers.push(*answer);
        }
        let mut with: HashMap<Part, HashSet<usize>> = HashMap::new();
        for (question, answer) in &asked {
            for part in parts(question) {
                with.entry(part).or_default().insert(*answer);
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "some hundred")]
        let rarity = |answers_with: usize, all: usize| (1.0 + all as f32 / (answers_with as f32 + 0.5)).ln();
        let weight = |part: &Part| if part.1.is_some() { PAIR } else { 1.0 };
        let all = answers.len();
        let telling: HashMap<Part, f32> = with
            .into_iter()
            .map(|(part, with)| (part.clone(), rarity(with.len(), all) * weight(&part)))
            .collect();
        let mut bank = Self { answers, askings: Vec::new(), telling, unknown: rarity(0, all) };
        let askings = asked.into_iter().map(|(text, answer)| {
            let parts = parts(text);
            Asking { text, answer, meant: Meant::of(text), length: bank.length(&parts), parts }
        });
        bank.askings = askings.collect();
        bank
    }

    /// Returns the stored question that matches a message, with or without its greeting.
    fn asked(&self, message: &str) -> Option<Found> {
        let ungreeted = without_greeting(message).and_then(|rest| self.nearest(&rest));
        let whole = self.nearest(message);
        [ungreeted, whole].into_iter().flatten().max_by(|one, other| one.near.total_cmp(&other.near))
    }

    /// Returns the stored questions that the parts of a message match, if every part matches one.
    fn each_asked(&self, message: &str) -> Option<Vec<Found>> {
        let sentences = message.split(['?', '!', '.', ';', '\n']);
        let parts = sentences.flat_map(|sentence| sentence.split(" and "));
        let parts = parts.filter(|part| part.contains(char::is_alphanumeric));
        let parts: Vec<&str> = parts.take(MOST_AT_ONCE + 1).collect();
        if !(2..=MOST_AT_ONCE).contains(&parts.len()) {
            return None;
        }
        parts.into_iter().map(|part| self.asked(part)).collect()
    }

    /// Returns the stored question with the same meaning as a message and the most similar wording.
    fn nearest(&self, message: &str) -> Option<Found> {
        let (meant, parts) = (Meant::of(message), parts(message));
        let length = self.length(&parts);
        let near = |asking: &Asking| {
            let common: f32 = asking.parts.intersection(&parts).map(|part| self.weight(part).powi(2)).sum();
            common / (length * asking.length).max(f32::EPSILON)
        };
        let same = self.askings.iter().filter(|asking| asking.meant == meant);
        let best = same.map(|asking| (near(asking), asking)).max_by(|one, other| one.0.total_cmp(&other.0));
        let (near, asking) = best.filter(|(near, _)| *near >= SAME)?;
        Some(Found { near, asked: asking.text, said: self.answers[asking.answer] })
    }

    fn weight(&self, part: &Part) -> f32 {
        let unknown = if part.1.is_some() { self.unknown * PAIR } else { self.unknown };
        self.telling.get(part).copied().unwrap_or(unknown)
    }

    fn length(&self, parts: &HashSet<Part>) -> f32 {
        parts.iter().map(|part| self.weight(part).powi(2)).sum::<f32>().sqrt()
    }
}

fn parts(text: &str) -> HashSet<Part> {
    let words: Vec<String> = spelled(text).iter().map(|word| stem(word)).collect();
    let ends = std::iter::once(String::new());
    let framed: Vec<String> = ends.clone().chain(words.iter().cloned()).chain(ends).collect();
    let pairs = framed.windows(2).map(|pair| (pair[0].clone(), Some(pair[1].clone())));
    words.iter().map(|word| (word.clone(), None)).chain(pairs).collect()
}

/// Splits a text into words with abbreviations expanded and fillers removed. Short words are kept, because most
/// questions to Luna consist of them.
fn spelled(text: &str) -> Vec<String> {
    let lower = text.replace(NAME, NAME_WORD).to_lowercase().replace('\u{2019}', "'");
    let spelled =
        lower.replace("n't", " not").replace("'s", " is").replace("'m", " am").replace("'re", " are");
    let spelled = spelled.replace('\'', "");
    let words = spelled.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let long = words.flat_map(|word| {
        let whole = SHORT_FORMS.iter().find(|(short, _)| *short == word).map_or(word, |(_, whole)| whole);
        whole.split(' ').map(ToOwned::to_owned)
    });
    long.filter(|word| !FILLING.contains(&word.as_str())).take(MOST_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(message: &str) -> Option<&'static str> {
        BANK.asked(&message.to_lowercase().replace("luna", NAME)).map(|found| found.asked)
    }

    #[test]
    fn small_talk_is_known_however_it_is_put() {
        for (message, expected) in [
            ("who are you", "Who are you?"),
            ("hey luna, who r u??", "Who are you?"),
            ("Hello! Who are you?", "Who are you?"),
            ("Good morning Luna", "Good morning"),
            ("im bored", "I am bored"),
            ("how old r u", "How old are you?"),
            ("Are you a boy or a girl?", "Are you a girl or a boy?"),
            ("do you speak spanish", "Can you speak Spanish?"),
            ("THANKS!!!", "thx"),
            ("Hello Luna", "Hello"),
            ("can u play music", "Can you play music?"),
            ("who are you really", "Who are you?"),
            ("can you please play music", "Can you play music?"),
        ] {
            assert_eq!(asked(message), Some(expected), "{message}");
        }
    }

    #[test]
    fn what_says_more_than_that_is_for_the_model() {
        for message in [
            "",
            "???",
            "asdfghjkl",
            "I am not happy",
            "I am not sad today",
            "Who are you going to vote for?",
            "My name is Walter and I was a bus driver for 31 years.",
            "Hello, can you explain rain to a child?",
            "Thank you. And how do I boil an egg?",
            "What is the capital of France?",
            "Tell me a joke about cheese and trains",
            "i had a fight with my best friend and idk what to say to her",
            "Write a birthday message for my sister, she is turning 40",
            "Can you tell me the weather in Lisbon on Friday?",
            "Is this sentence private or public in Java?",
            "Where do I live?",
            "How old am I?",
            "What is my name?",
            "What is my favorite color?",
            "Do you remember my birthday?",
            "How much does milk cost?",
            "Where do lions live?",
            "Do robots have feelings?",
            "How do you spell banana?",
            "What are you doing?",
            "Can you speak louder?",
            "How old is the moon?",
            "When are you leaving?",
            "I want to die my hair",
            "Who made the Mona Lisa?",
        ] {
            assert_eq!(asked(message), None, "{message}");
        }
    }

    #[test]
    fn two_things_that_are_asked_at_once_are_both_answered() {
        let both = |one: &str, other: &str| {
            let said = |message: &str| answer(message, "Luna").unwrap();
            format!("{} {}", said(one), said(other))
        };
        for (message, expected) in [
            ("Who are you and what can you do?", both("Who are you?", "What can you do?")),
            ("Are you human? Do you sleep?", both("Are you human?", "Do you sleep?")),
            ("What's your name? What is your name?", answer("What is your name?", "Luna").unwrap()),
        ] {
            assert_eq!(answer(message, "Luna").as_deref(), Some(expected.as_str()), "{message}");
        }
        for message in [
            "Who are you and what is the capital of France?",
            "Thank you. And how do I boil an egg?",
            "Thanks and good night and who are you and what can you do?",
        ] {
            assert_eq!(answer(message, "Luna"), None, "{message}");
        }
    }

    #[test]
    fn the_name_is_the_one_that_is_set() {
        let said = answer("Who are you, Nova?", "Nova").unwrap();
        assert!(said.contains("Nova") && !said.contains("Luna"), "{said}");
        assert!(answer("hello", "").is_some());
    }

    #[test]
    fn every_block_has_questions_and_one_short_answer() {
        let blocks = TEXT.split("\n\n").filter(|block| !block.trim().is_empty());
        for block in blocks {
            let (questions, answers): (Vec<_>, Vec<_>) =
                block.trim().lines().partition(|line| line.starts_with("> "));
            assert!(!questions.is_empty() && answers.len() == 1, "{block}");
            assert!(answers[0].split_whitespace().count() <= 40, "{block}");
        }
    }

    #[test]
    fn what_is_huge_is_looked_at_as_far_as_it_tells() {
        assert_eq!(answer(&"joke ".repeat(100_000), "Luna"), None);
    }
}
