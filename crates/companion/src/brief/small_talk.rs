//! What is said to the small talk of everyday, where the model is a toy. Pure.
//!
//! Of who Luna is, what becomes of what one tells her and what she can do, a toy of a model makes up something else each
//! time. So those answers are written down in `small_talk.txt`, like the answers of the fast path, and given where the
//! whole message asks for one of them and nothing else: of the same person, and of the same things.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use facts::words::{stem, terms};

const TEXT: &str = include_str!("small_talk.txt");
/// Stands for the name.
const NAME: &str = "{{name}}";
/// The same as a word that nobody writes.
const NAME_WORD: &str = "zqname";
/// A message that is less like a written question than this asks for something else, too.
const SAME: f32 = 0.6;
/// What a message may begin with before it comes to what it asks.
const GREETINGS: [&str; 7] = ["hello", "hi", "hey", "hiya", "good morning", "good evening", "ok"];
/// With one of these, a sentence says the opposite of what it says without.
const TURNING: [&str; 5] = ["not", "no", "never", "nobody", "without"];
/// Who is asked about. *Where do I live?* asks for something else than *Where do you live?*
const PERSONS: [&[&str]; 2] =
    [&["i", "me", "my", "mine", "myself", "we", "us", "our"], &["you", "your", "yours", "yourself"]];
/// Small words that a question is made of: with another one it is another question.
const ASKING: [&str; 10] = ["who", "what", "which", "when", "where", "why", "how", "whose", "whom", "doing"];
/// Words beside a question that change nothing of it.
const FILLING: [&str; 8] =
    ["really", "actually", "exactly", "please", "today", "tonight", "currently", "anyway"];
/// Two words in a row tell less than each of them, since they tell it again.
const PAIR: f32 = 0.6;
/// The first words of a longer message tell what it is about.
const MOST_WORDS: usize = 40;
/// A message that asks for more than this at once is no small talk.
const MOST_AT_ONCE: usize = 3;
/// How people shorten what they type.
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

/// The answer to a message that is nothing but small talk.
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

/// A written question that was found, and its answer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    near: f32,
    asked: &'static str,
    said: &'static str,
}

/// The same message without a greeting before it and the name of whom it greets.
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
    /// What is said, and the ways to ask for it.
    answers: Vec<&'static str>,
    askings: Vec<Asking>,
    /// How much a part of a question tells: the more, the fewer answers are asked for with it.
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

/// The meaning that a message and a written question must share, however each is put.
#[derive(PartialEq)]
struct Meant {
    persons: [bool; 2],
    /// The words that say what it is about.
    things: HashSet<String>,
    /// How often it says the opposite.
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

/// A word, or two in a row; nothing stands for the beginning and the end.
type Part = (String, Option<String>);

impl Bank {
    /// Questions begin with `>`; those of a block have the answer in common that follows them.
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

    /// The written question that a message asks, be it after a greeting.
    fn asked(&self, message: &str) -> Option<Found> {
        let ungreeted = without_greeting(message).and_then(|rest| self.nearest(&rest));
        let whole = self.nearest(message);
        [ungreeted, whole].into_iter().flatten().max_by(|one, other| one.near.total_cmp(&other.near))
    }

    /// The written questions that a message asks one after the other, if each of them is one.
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

    /// The written question that is the same as a message but for how it is put.
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

/// The words that tell something, as one writes them out: most questions to her are made of small words alone.
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
