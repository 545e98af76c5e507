//! A year of life: a diary of 365 days with moves, changed jobs, renamed pets and contradicted tastes, and questions
//! about the present and the past.
//!
//! Pure: a seed produces the same diary everywhere. Start with [`Diary::new`].

mod diary;
mod noise;
pub mod random;
pub mod wordings;

use jiff::civil::Date;

pub use diary::Diary;
pub use wordings::Wordings;

/// The messages of one day.
#[derive(Debug, Clone)]
pub struct Day {
    pub date: Date,
    pub messages: Vec<String>,
}

/// The time that a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    Now,
    Then,
    /// Something that was never said; only no answer is right.
    Unknown,
}

/// A question after the year.
#[derive(Debug, Clone)]
pub struct DiaryQuestion {
    pub question: String,
    /// Values of which a right answer contains one. Empty for something that was never said.
    pub gold: Vec<String>,
    /// Values that held at another time than the one that is asked about.
    pub wrong: Vec<String>,
    pub time: Time,
    /// The subject, for the report.
    pub kind: &'static str,
}

/// The result of the answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    pub asked: usize,
    pub right: usize,
    /// The number of answers about the present that name an outdated value.
    pub superseded: usize,
}

/// Compares the first recalled fact for each question, if any, with the truth.
pub fn score<'a>(asked: &[DiaryQuestion], answers: impl IntoIterator<Item = Option<&'a str>>) -> Score {
    let mut score = Score::default();
    for (asked, answer) in asked.iter().zip(answers) {
        score.asked += 1;
        match verdict(asked, answer) {
            AnswerVerdict::Right => score.right += 1,
            AnswerVerdict::Superseded => score.superseded += 1,
            AnswerVerdict::Wrong => {}
        }
    }
    score
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerVerdict {
    Right,
    Wrong,
    Superseded,
}

/// Judges an answer.
pub fn verdict(asked: &DiaryQuestion, answer: Option<&str>) -> AnswerVerdict {
    let Some(answer) = answer else {
        return if asked.gold.is_empty() { AnswerVerdict::Right } else { AnswerVerdict::Wrong };
    };
    let names = |value: &String| contains(answer, value);
    if !asked.gold.is_empty() && asked.gold.iter().any(names) {
        return AnswerVerdict::Right;
    }
    if asked.time == Time::Now && asked.wrong.iter().any(names) {
        AnswerVerdict::Superseded
    } else {
        AnswerVerdict::Wrong
    }
}

/// Returns true if a text contains the words as whole words.
fn contains(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(&words).any(|(at, _)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + words.len()..].chars().next())
    })
}
