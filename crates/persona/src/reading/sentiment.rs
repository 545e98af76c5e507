//! The user's feeling: its valence and its strength.

use std::sync::LazyLock;

use super::lexicon::{self, Feeling};
use super::phrase::{self, PhrasePattern};
use super::user_words::{MessageWord, UserSentence, UserWords};

pub struct Mood {
    pub valence: f32,
    pub arousal: f32,
}

/// The amount of feeling that makes a message unambiguous.
const CLEAR: f32 = 6.0;
const REACH_OF_A_NEGATION: usize = 3;
const NEGATED: f32 = -0.6;

const STRONGER: &str = "very so really extremely super totally absolutely incredibly completely such \
     truly fucking freaking insanely utterly";
const WEAKER: &str = "bit little slightly somewhat fairly kind sort mildly";
const STATES: &str = "married engaged";
const NOT: &str = "not never no without hardly barely nobody neither";

/// Pairs in which a word has another, neutral sense.
const OTHER_SENSES: [&str; 13] = [
    "kind of",
    "sort of",
    "no problem",
    "pretty much",
    "not only",
    "thank god",
    "best regards",
    "kind regards",
    "make sure",
    "for sure",
    "not sure",
    "good night",
    "hell of",
];

pub fn of(own: &UserWords) -> Mood {
    let all_loud = own.sentences.iter().flat_map(|sentence| &sentence.words).all(|word| word.loud);
    let mut felt: Vec<Feeling> = Vec::new();
    for sentence in own.sentences.iter().filter(|sentence| !is_a_task(&sentence.words)) {
        felt.extend(in_sentence(sentence, all_loud));
    }
    felt.extend(own.faces.iter().filter_map(|face| lexicon::face(face)));
    let sum: f32 = felt.iter().map(|feeling| feeling.valence).sum();
    let loudest = felt.iter().map(|feeling| feeling.arousal).fold(0.2, f32::max);
    let shouts = own.sentences.iter().map(|sentence| sentence.exclamations).sum::<usize>().min(3);
    let shouted = own.count > 2 && all_loud;
    let excitement =
        small(shouts) * 0.1 + small(own.drawn_out.min(2)) * 0.1 + if shouted { 0.3 } else { 0.0 };
    let valence = sum * (1.0 + 0.1 * small(shouts));
    Mood {
        valence: valence / (valence * valence + CLEAR).sqrt(),
        arousal: (loudest + excitement).clamp(0.0, 1.0),
    }
}

fn in_sentence(sentence: &UserSentence, all_loud: bool) -> Vec<Feeling> {
    let words = &sentence.words;
    let turn = words.iter().position(|word| word.text == "but" || word.text == "however");
    let mut felt = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_meant = !word.named && !has_another_sense(words, at);
        let Some(mut feeling) = lexicon::word(&word.text).filter(|_| is_meant) else {
            continue;
        };
        let before = &words[at.saturating_sub(REACH_OF_A_NEGATION)..at];
        let near = &words[at.saturating_sub(2)..at];
        let has = |words: &[MessageWord], list| words.iter().any(|word| phrase::is_one_of(list, &word.text));
        if has(near, STRONGER) {
            feeling.valence *= 1.3;
            feeling.arousal = (feeling.arousal + 0.1).min(1.0);
        } else if has(near, WEAKER) {
            feeling.valence *= 0.6;
        }
        // A comma ends the negation, as in “no, great”.
        let clause = before.iter().rposition(|word| word.opens).map_or(before, |opening| &before[opening..]);
        if !word.opens && negates(clause, &word.text) {
            // “Not married” is not necessarily sad.
            if phrase::is_one_of(STATES, &word.text) {
                continue;
            }
            feeling.valence *= NEGATED;
            feeling.arousal *= 0.5;
        }
        if word.loud && !all_loud {
            feeling.valence *= 1.2;
            feeling.arousal = (feeling.arousal + 0.2).min(1.0);
        }
        feeling.valence *= match turn {
            Some(turn) if at < turn => 0.5,
            Some(_) => 1.2,
            None => 1.0,
        };
        felt.push(feeling);
    }
    felt
}

/// Returns true if the words negate `word`, which “I can't believe how good” and “never been better” do not.
fn negates(before: &[MessageWord], word: &str) -> bool {
    const CARRIES_ON: &str = "believe only just wait thank stop help";
    let is_negation = |(at, negation): (usize, &MessageWord)| {
        let next = before.get(at + 1).map_or(word, |next| next.text.as_str());
        let is_comparison = negation.text == "never" && word.ends_with("er");
        phrase::is_one_of(NOT, &negation.text) && !phrase::is_one_of(CARRIES_ON, next) && !is_comparison
    };
    before.iter().enumerate().any(is_negation)
}

fn has_another_sense(words: &[MessageWord], at: usize) -> bool {
    let pair = |first: usize| match words.get(first..first + 2) {
        Some([one, two]) => {
            OTHER_SENSES.iter().any(|known| known.split_once(' ') == Some((&one.text, &two.text)))
        }
        _ => false,
    };
    pair(at) || at.checked_sub(1).is_some_and(pair)
}

/// Returns true for a task: “write a sad poem” says nothing about the user's mood.
pub fn is_a_task(words: &[MessageWord]) -> bool {
    static TASKS: LazyLock<[PhrasePattern; 4]> = LazyLock::new(|| {
        [
        "^ ?please|ok|okay|so|hey|luna|and|now ?please ?can|could|would|will ?you ?please|kindly \
         write|translate|summarize|summarise|rewrite|rephrase|paraphrase|draft|proofread|define|generate|compose|\
         create|list|find|search|edit|correct|debug|fix|spell|play|remind|calculate|convert|draw|classify|name|compare",
        "i want|need|would|like ?like you to write|translate|summarize|rewrite|draft|find|compose|create|\
         play",
        "^ what is|are|does|did|was|were !wrong",
        "^ who|when|where|which|how is|are|do|does|did|was|were|to|many|much !you|times",
    ].map(PhrasePattern::of)
    });
    TASKS.iter().any(|task| task.find(words).is_some_and(|found| found.start == 0))
}

fn small(count: usize) -> f32 {
    u8::try_from(count).map_or(255.0, f32::from)
}
