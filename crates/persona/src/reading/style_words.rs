//! Words for a style, and the phrases that turn one into a wish: “be more formal”, “you are too serious”, “shorter
//! answers please”.

use std::ops::Range;

use protocol::Dimension;

use super::phrase::{DEGREES, is_negated, is_one_of};
use super::sentiment::is_a_task;
use super::signals::{Direction, Wish};
use super::user_words::MessageWord;

type Style = (Dimension, Direction, &'static str);

const STYLES: [Style; 16] = {
    use Direction::{Down, Up};
    [
        (Dimension::Mood, Up, "cheerful happy happier positive upbeat optimistic bubbly"),
        (Dimension::Mood, Down, "gloomy grumpy negative sad pessimistic moody"),
        (Dimension::Energy, Up, "energetic lively livelier enthusiastic excited hyper perky loud dramatic"),
        (Dimension::Energy, Down, "calm calmer quiet quieter mellow boring dull lethargic"),
        (
            Dimension::Formality,
            Up,
            "formal polite professional respectful stiff formally politely proper \
             robotic businesslike corporate",
        ),
        (
            Dimension::Formality,
            Down,
            "casual informal relaxed chill casually informally laidback vulgar \
             normal normally natural naturally",
        ),
        (
            Dimension::Humor,
            Up,
            "funny funnier playful silly witty wittier humorous goofy sarcastic cheeky childish",
        ),
        (Dimension::Humor, Down, "serious seriously humorless"),
        (
            Dimension::SupportNeed,
            Up,
            "supportive kind kinder gentle gentler warm warmer empathetic \
             understanding caring sweet sweeter nice nicer sympathetic compassionate soft comforting \
             encouraging patient friendly friendlier",
        ),
        (
            Dimension::SupportNeed,
            Down,
            "blunt direct straightforward practical cold harsh mean rude \
             critical heartless insensitive brutal objective strict",
        ),
        (
            Dimension::Verbosity,
            Up,
            "long longer wordy verbose chatty chattier talkative longwinded winded \
             lengthy rambling expansive",
        ),
        (
            Dimension::Verbosity,
            Down,
            "brief briefer short shorter concise terse succinct snappy quick \
             briefly concisely crisp compact curt laconic tight",
        ),
        (
            Dimension::Depth,
            Up,
            "detailed thorough deep deeper depth technical elaborate complicated \
             complex specific precise indepth thoroughly comprehensive abstract academic nerdy",
        ),
        (
            Dimension::Depth,
            Down,
            "simple simpler basic shallow superficial vague simply generic easy \
             easier plain",
        ),
        (Dimension::QuestionFrequency, Up, "curious inquisitive nosy nosey inquiring"),
        (Dimension::QuestionFrequency, Down, "uncurious incurious"),
    ]
};

/// Words of praise: “you are so formal” asks for less of it, “you are so funny” does not.
const WELCOME: &str = "funny kind warm sweet nice witty playful gentle supportive caring understanding \
     happy cheerful positive upbeat enthusiastic energetic excited patient friendly polite curious fun calm thorough deep precise sympathetic encouraging";

/// Words that are a complaint even without “too”: “you are cold”.
const UNWELCOME: &str = "mean rude cold harsh heartless insensitive brutal boring dull gloomy grumpy \
     wordy verbose longwinded winded rambling stiff robotic vague shallow superficial nosy nosey childish";

/// Things of the companion that can be long or formal.
const HERS: &str = "answer answers reply replies response responses message messages explanation \
     explanations sentences paragraphs tone style";
const ASKED_FOR: &str = "answer answers reply replies response responses explanation explanations version";

const BE: &str = "be being stay sound act";
const ANSWER: &str = "answer reply respond talk speak write explain text say address";
const OBJECTS: &str = "it this that things them me to your answers replies responses answer us";
const IS: &str = "is are was were sound sounds seem seems being";
const ASKS: &str = "give want prefer like need please love rather only";

/// Returns the wish expressed by the word at `at`, and the range of its words.
pub fn wish_at(words: &[MessageWord], at: usize) -> Option<(Range<usize>, Wish)> {
    let word = words.get(at)?.text.as_str();
    let (dimension, direction, _) = *STYLES.iter().find(|(_, _, list)| is_one_of(list, word))?;
    let degrees = words[..at].iter().rev().take(4).take_while(|word| is_degree(&word.text)).count();
    let style = Place { words, start: at - degrees, at, dimension };
    let (start, against) = style.complaint().or_else(|| {
        let start = style.command().or_else(|| style.order())?;
        Some((start, style.has("less") || style.has("too") || is_negated(words, start, REACH)))
    })?;
    let direction = if against { direction.reversed() } else { direction };
    Some((start..at + 1, Wish { dimension, direction }))
}

/// The distance of a “not” before a command: “you do not have to be”.
const REACH: usize = 4;

fn is_degree(word: &str) -> bool {
    is_one_of(DEGREES, word) || word == "less"
}

/// A style word with the words of degree before it.
struct Place<'a> {
    words: &'a [MessageWord],
    start: usize,
    at: usize,
    dimension: Dimension,
}

impl Place<'_> {
    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    fn word(&self) -> &str {
        self.text(self.at)
    }

    fn has(&self, degree: &str) -> bool {
        self.words[self.start..self.at].iter().any(|word| word.text == degree)
    }

    /// Returns the start of a command: “be serious”, “keep your answers short”, “talk to me casually”.
    fn command(&self) -> Option<usize> {
        let before = self.start.checked_sub(1)?;
        if is_one_of(BE, self.text(before)) {
            // As a subject it is no request: “being funny is hard”.
            let is_noun = self.words[before].opens && self.text(before) == "being";
            // A polite phrase: “would you be so kind”.
            let is_polite = self.word() == "kind" && self.has("so");
            return (!is_noun && !is_polite && addresses_companion(self.words, before)).then_some(before);
        }
        let objects =
            self.words[..self.start].iter().rev().take(3).take_while(|word| is_one_of(OBJECTS, &word.text));
        let verb = self.start.checked_sub(objects.count() + 1)?;
        let objects = &self.words[verb + 1..self.start];
        // “They keep us calm” is not about the companion's answers.
        let has_object = !objects.is_empty() && !objects.iter().any(|word| is_one_of("me us", &word.text));
        let fits = match self.text(verb) {
            // “Make it more formal” is about a text, and “make them happy” about other people.
            "make" => has_object && matches!(self.dimension, Dimension::Verbosity | Dimension::Depth),
            "keep" => has_object,
            // “Write a short story” describes the content, not the style of the answers.
            verb => is_one_of(ANSWER, verb) && self.ends_what_it_says(),
        };
        (fits && addresses_companion(self.words, verb)).then_some(verb)
    }

    /// Returns the start of a complaint, and true if it asks for less: “you are too formal”, “that was not detailed
    /// enough”, “too long”.
    fn complaint(&self) -> Option<(usize, bool)> {
        let lacks = self.text(self.at + 1) == "enough" && is_negated(self.words, self.start, 1);
        let start = if lacks { self.start.checked_sub(1)? } else { self.start };
        let too = self.has("too");
        let excessive = too
            || ["so", "super", "very", "really", "such"].iter().any(|degree| self.has(degree))
                && !is_one_of(WELCOME, self.word());
        if (too || lacks) && self.words.get(start).is_some_and(|word| word.opens) {
            return self.is_short_clause().then_some((start, too));
        }
        let verb = start.checked_sub(1)?;
        let subject = match self.text(verb) {
            // As in “why are you so formal”.
            "you" if start >= 2 && is_one_of(IS, self.text(start - 2)) => verb,
            is if is_one_of(IS, is) => {
                // As in “you are being”.
                let back = if is == "being" && start >= 3 { 2 } else { 1 };
                verb.checked_sub(back)?
            }
            _ => return None,
        };
        let is_hers = match self.text(subject) {
            "you" => true,
            "that" | "this" | "it" => {
                matches!(self.dimension, Dimension::Verbosity | Dimension::Depth)
                    && (too || lacks)
                    && self.is_short_clause()
            }
            thing => is_one_of(HERS, thing) && !(subject > 0 && self.text(subject - 1) == "my"),
        };
        let is_complaint = excessive || lacks || is_one_of(UNWELCOME, self.word());
        let is_meant = lacks || !is_negated(self.words, self.start, 2);
        (is_hers && is_complaint && is_meant).then_some((subject, !lacks))
    }

    /// Returns the start of a short order: “shorter please”, “I prefer short answers”.
    fn order(&self) -> Option<usize> {
        let start =
            if self.start > 0 && self.text(self.start - 1) == "not" { self.start - 1 } else { self.start };
        if is_one_of(ASKED_FOR, self.text(self.at + 1)) {
            let asks = self.words.len() <= 4 || self.words.iter().any(|word| is_one_of(ASKS, &word.text));
            let is_another = ["to", "for"].contains(&self.text(self.at + 2));
            return (asks && !is_another && !is_a_task(self.words)).then_some(self.start);
        }
        let clause_ends = |at: usize| self.words.get(at).is_none_or(|word| word.opens || word.text == "and");
        let please = self.text(self.at + 1) == "please" || self.text(0) == "please" || self.has("please");
        let follows =
            start > 0 && (self.text(start - 1) == "please" || please && self.text(start - 1) == "and");
        let opens = self.words[start].opens || follows;
        let after = if self.text(self.at + 1) == "please" { self.at + 2 } else { self.at + 1 };
        let compares = self.word().ends_with("er")
            || ["more", "less", "so", "too"].iter().any(|degree| self.has(degree));
        (opens && clause_ends(after) && (please || compares)).then_some(self.start)
    }

    /// Returns true if no noun follows.
    fn ends_what_it_says(&self) -> bool {
        let next = self.words.get(self.at + 1);
        next.is_none_or(|word| {
            word.opens || is_one_of("and or please when with to so if from about", &word.text)
        })
    }

    fn is_short_clause(&self) -> bool {
        let before = self.words[..=self.at].iter().rev().take_while(|word| !word.opens).count();
        let after = self.words[self.at + 1..].iter().take_while(|word| !word.opens).count();
        before + after <= 7
    }
}

/// Returns true if the verb at `at` is addressed to the companion: a command, or a request to “you”.
pub fn addresses_companion(words: &[MessageWord], at: usize) -> bool {
    const BETWEEN: &str = "please just always also even really now kindly maybe simply";
    const JOINS: &str = "and but so then or ok okay hey luna well";
    const MODALS: &str = "can could would will should may might";
    const HELPERS: &str = "to not never stop quit do need have";
    const OPENERS: &str = "do not never stop quit try no please just remember luna ok okay hey and but so \
             then";
    const OTHERS: &str = "i we he she they me my his her our their him it us who";
    let mut at = at;
    let previous = loop {
        match (words.get(at), at.checked_sub(1)) {
            (Some(word), Some(before)) if !word.opens => {
                let previous = words[before].text.as_str();
                if !is_one_of(BETWEEN, previous) {
                    break previous;
                }
                at = before;
            }
            _ => return true,
        }
    };
    let mut subjects = words[..at].iter().rev().take(6);
    match previous {
        "you" => at >= 2 && is_one_of(MODALS, &words[at - 2].text),
        joint if is_one_of(JOINS, joint) => true,
        modal if is_one_of(MODALS, modal) => subjects
            .find(|word| word.opens || is_one_of("you your", &word.text) || is_one_of(OTHERS, &word.text))
            .is_some_and(|word| is_one_of("you your", &word.text)),
        // “Stop being”, “you do not need to be” and “try to be” count, but not “he told me to be”.
        helper if is_one_of(HELPERS, helper) => subjects
            .find(|word| word.opens || is_one_of("you your", &word.text) || is_one_of(OTHERS, &word.text))
            .is_some_and(|word| is_one_of("you your", &word.text) || is_one_of(OPENERS, &word.text)),
        _ => false,
    }
}
