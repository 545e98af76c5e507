//! A year of life: a diary of 365 days with moves, changed jobs, renamed pets and contradicted tastes, and then
//! questions about today and about then.
//!
//! Pure: a seed makes the same diary everywhere. Start with [`Diary::new`].

mod diary;
mod noise;
pub mod random;
pub mod wordings;

use jiff::civil::Date;

pub use diary::Diary;
pub use wordings::Wordings;

/// What is said on one day.
#[derive(Debug, Clone)]
pub struct Day {
    pub date: Date,
    pub messages: Vec<String>,
}

/// Which time a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    Now,
    Then,
    /// Nobody ever said it: only silence is right.
    Unknown,
}

/// A question after the year.
#[derive(Debug, Clone)]
pub struct Asked {
    pub question: String,
    /// Any of these in the answer makes it right; none of them for what nobody said.
    pub gold: Vec<String>,
    /// What held once, and does not at the time that is asked about.
    pub wrong: Vec<String>,
    pub time: Time,
    /// What it is about, for the report.
    pub kind: &'static str,
}

/// How the answers did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    pub asked: usize,
    pub right: usize,
    /// Answers about today that name what held once.
    pub superseded: usize,
}

/// Compares the first fact that was recalled for each question, if there was one, with what is true.
pub fn score<'a>(asked: &[Asked], answers: impl IntoIterator<Item = Option<&'a str>>) -> Score {
    let mut score = Score::default();
    for (asked, answer) in asked.iter().zip(answers) {
        score.asked += 1;
        match verdict(asked, answer) {
            Verdict::Right => score.right += 1,
            Verdict::Superseded => score.superseded += 1,
            Verdict::Wrong => {}
        }
    }
    score
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong,
    Superseded,
}

/// Whether an answer is right.
pub fn verdict(asked: &Asked, answer: Option<&str>) -> Verdict {
    let Some(answer) = answer else {
        return if asked.gold.is_empty() { Verdict::Right } else { Verdict::Wrong };
    };
    let names = |value: &String| contains(answer, value);
    if !asked.gold.is_empty() && asked.gold.iter().any(names) {
        return Verdict::Right;
    }
    if asked.time == Time::Now && asked.wrong.iter().any(names) {
        Verdict::Superseded
    } else {
        Verdict::Wrong
    }
}

/// Whether the words stand in a text as whole words.
fn contains(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(&words).any(|(at, _)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + words.len()..].chars().next())
    })
}
