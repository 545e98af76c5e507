//! Examples of everyday talk, of which the nearest to a message are shown with it. Pure.
//!
//! A toy of a model answers well what it has just seen answered, so what it sees is chosen by what it is asked.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use facts::words::stem;

const TEXT: &str = include_str!("examples.txt");
/// Stands for the name.
const NAME: &str = "{{name}}";
/// The same as a word that nobody writes.
const NAME_WORD: &str = "zqname";
/// A message that is less like any question of the bank than this has nothing to do with it.
const NEAR: f32 = 0.3;
/// Two words in a row tell less than each of them, since they tell it again.
const PAIR: f32 = 0.6;
/// The first words of a longer message tell what it is about.
const MOST_WORDS: usize = 40;
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

/// A question as somebody may ask it, and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub asked: String,
    pub said: String,
}

/// The examples nearest to a message, the nearest last, without those whose answer was just given.
pub fn nearest(message: &str, name: &str, most: usize, just_said: &[&str]) -> Vec<Example> {
    let named = |text: &str| text.replace(NAME, name);
    let plain = message.to_lowercase();
    let plain = if name.is_empty() { plain } else { plain.replace(&name.to_lowercase(), NAME) };
    let found = BANK.nearest(&plain).into_iter();
    let examples = found.map(|(asked, said)| Example { asked: named(asked), said: named(said) });
    let new = examples.filter(|example| !just_said.iter().any(|said| said.contains(&example.said)));
    let mut chosen: Vec<Example> = new.take(most).collect();
    chosen.reverse();
    chosen
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
    parts: HashSet<Part>,
    length: f32,
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
            Asking { text, answer, length: bank.length(&parts), parts }
        });
        bank.askings = askings.collect();
        bank
    }

    /// How a message may be asked that is in the bank, and what is said to it: the best first.
    fn nearest(&self, message: &str) -> Vec<(&'static str, &'static str)> {
        let parts = parts(message);
        let length = self.length(&parts);
        let mut best: HashMap<usize, (f32, &'static str)> = HashMap::new();
        for asking in &self.askings {
            let common: f32 = asking.parts.intersection(&parts).map(|part| self.weight(part).powi(2)).sum();
            let near = common / (length * asking.length).max(f32::EPSILON);
            let known = best.entry(asking.answer).or_insert((0.0, asking.text));
            if near > known.0 {
                *known = (near, asking.text);
            }
        }
        let mut near: Vec<_> = best.into_iter().filter(|(_, (near, _))| *near >= NEAR).collect();
        near.sort_by(|one, other| other.1.0.total_cmp(&one.1.0).then(one.0.cmp(&other.0)));
        near.into_iter().map(|(answer, (_, asked))| (asked, self.answers[answer])).collect()
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
    let words = words(text);
    let ends = std::iter::once(String::new());
    let framed: Vec<String> = ends.clone().chain(words.iter().cloned()).chain(ends).collect();
    let pairs = framed.windows(2).map(|pair| (pair[0].clone(), Some(pair[1].clone())));
    words.iter().map(|word| (word.clone(), None)).chain(pairs).collect()
}

/// Stems of the words, all of them: most questions to her are made of small words alone.
fn words(text: &str) -> Vec<String> {
    let lower = text.replace(NAME, NAME_WORD).to_lowercase().replace('\u{2019}', "'");
    let spelled =
        lower.replace("n't", " not").replace("'s", " is").replace("'m", " am").replace("'re", " are");
    let spelled = spelled.replace('\'', "");
    let words = spelled.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let long = words.flat_map(|word| {
        let whole = SHORT_FORMS.iter().find(|(short, _)| *short == word).map_or(word, |(_, whole)| whole);
        whole.split(' ').map(stem).collect::<Vec<_>>()
    });
    long.take(MOST_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(message: &str) -> Option<String> {
        nearest(message, "Luna", 1, &[]).pop().map(|example| example.asked)
    }

    #[test]
    fn a_message_brings_what_is_like_it() {
        for (message, expected) in [
            ("who are you", Some("Who are you?")),
            ("hey luna, who r u??", Some("Who are you?")),
            ("im bored", Some("I am bored")),
            ("whats the capital of australia", Some("What is the capital of Spain?")),
            ("Are you a boy or a girl?", Some("Are you a girl or a boy?")),
            ("Write a birthday message for my sister", Some("Help me write a birthday message")),
            ("do you speak spanish", Some("Can you speak Spanish?")),
            ("asdfghjkl", None),
            ("", None),
            ("???", None),
            ("What is the difference between a list and a tuple in Python?", None),
        ] {
            assert_eq!(first(message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn the_nearest_stands_last_and_no_answer_comes_twice() {
        let near = nearest("tell me a joke", "Luna", 2, &[]);
        assert_eq!(near.len(), 2);
        assert_eq!(near[1].asked, "Tell me a joke");
        let joke = near[1].said.clone();
        let told = nearest("tell me a joke", "Luna", 2, &[&joke]);
        assert!(told.iter().all(|example| example.said != joke), "{told:?}");
    }

    #[test]
    fn the_name_is_the_one_that_is_set() {
        let near = nearest("Why are you called Nova?", "Nova", 1, &[]);
        assert!(near[0].asked.contains("Nova") && near[0].said.contains("Nova"), "{near:?}");
    }

    #[test]
    fn every_block_of_the_bank_has_questions_and_one_short_answer() {
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
        assert!(nearest(&"joke ".repeat(100_000), "Luna", 2, &[]).len() <= 2);
    }
}
