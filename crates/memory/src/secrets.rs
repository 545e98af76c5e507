//! Recognizes private content by its words and by what was in context when it was written; such content must not leave
//! this machine.

use std::collections::HashSet;

use facts::FactSlot;
use protocol::{FactStatus, MessageId};
use store::StoredFact;
use text::{terms, words};

/// Capitalized words that are not names of people.
const NOT_NAMES: &str = "dr mr mrs ms prof i monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays \
    saturday saturdays sunday sundays january february march april may june july august september october november \
    december";
/// The minimum number of digits that identify something; shorter numbers are mostly counts.
const MIN_DIGITS: usize = 4;

/// The private facts of a user, in a form that recognizes them in other words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The messages that they were extracted from.
    pub(crate) sources: HashSet<MessageId>,
    /// The companion's answers that were given with one of them in context.
    pub(crate) answers: HashSet<MessageId>,
    /// Sets of words that reveal one of them if they occur together.
    pub(crate) revealing: Vec<Vec<String>>,
    /// True if passwords and the like count as private even if no fact was extracted from them.
    is_strict: bool,
}

impl Secrets {
    /// Collects the secrets of facts. `own` are names that occur everywhere: those of the user and the companion.
    pub(crate) fn of<'a>(facts: impl Iterator<Item = &'a StoredFact>, own: &[&str]) -> Self {
        let (private, others): (Vec<&StoredFact>, Vec<&StoredFact>) =
            facts.partition(|fact| fact.said.private);
        let mut secrets = Self { is_strict: true, ..Self::default() };
        let mut names = HashSet::new();
        for fact in private {
            secrets.sources.extend(fact.said.message);
            let quote = fact.said.quote.as_deref().map(terms);
            let all = [Some(terms(&fact.said.content)), quote, subject_and_value(fact)];
            secrets.revealing.extend(all.into_iter().flatten().filter(|words| !words.is_empty()));
            names.extend(revealing_names(fact));
        }
        if names.is_empty() {
            return secrets;
        }
        // A name that a public fact contains reveals nothing by itself. A number does, wherever it occurs.
        let open = others.into_iter().filter(|fact| is_public(fact));
        for known in open.map(|fact| fact.said.content.as_str()).chain(own.iter().copied()) {
            for word in words(known).filter(|word| !is_number(word)) {
                names.remove(&word);
            }
        }
        secrets.revealing.extend(names.iter().map(|name| terms(name)).filter(|words| !words.is_empty()));
        secrets
    }

    /// Adds a message that states something private by its kind.
    pub(crate) fn add_message(&mut self, id: MessageId) {
        self.sources.insert(id);
    }

    /// Adds words each of which reveals something private.
    pub(crate) fn add_words<'a>(&mut self, words: impl Iterator<Item = &'a String>) {
        self.revealing.extend(words.map(|word| terms(word)).filter(|words| !words.is_empty()));
    }

    /// Returns true if a text reveals one of them.
    pub fn are_in(&self, text: &str) -> bool {
        self.is_strict && facts::has_secret(text) || self.are_repeated_in(text)
    }

    /// Returns true if a text repeats what is known to be private. Content that is private only by its kind does not
    /// count, since the user may have made it public.
    pub(crate) fn are_repeated_in(&self, text: &str) -> bool {
        let has: HashSet<String> = terms(text).into_iter().collect();
        self.revealing.iter().any(|words| words.iter().all(|word| has.contains(word)))
    }

    /// Returns a text without the lines that reveal one of them, with a note on how many lines were left out.
    pub fn without(&self, text: &str) -> String {
        let kept: Vec<&str> = text.lines().filter(|line| !self.are_in(line)).collect();
        match text.lines().count() - kept.len() {
            0 => text.to_owned(),
            left_out => {
                format!("{}\n[private lines left out: {left_out}]", kept.join("\n")).trim().to_owned()
            }
        }
    }

    /// Returns true if an answer was given with one of them in context.
    pub fn were_in_context_of(&self, answer: MessageId) -> bool {
        self.answers.contains(&answer)
    }
}

/// Returns true if the user has made the text of a fact public. Statements by programs do not count: a program that
/// guesses a private name would only have to write it down.
pub(crate) fn is_public(fact: &StoredFact) -> bool {
    let said = &fact.said;
    !said.private && said.status == FactStatus::Current && said.origins.is_empty()
}

/// Returns what the fact is about and its value, such as *dog* and *a beagle*, which reveal something only together.
fn subject_and_value(fact: &StoredFact) -> Option<Vec<String>> {
    let slot: FactSlot = fact.said.slot.as_deref()?.parse().ok()?;
    let (of, value) = (terms(&slot.of), terms(&fact.said.value));
    (!of.is_empty() && !value.is_empty() && of != value).then(|| [of, value].concat())
}

/// Returns the names and numbers of a fact, each of which reveals it by itself: *Quimby* in *The therapist is called
/// Quimby*. The subject is not included.
fn revealing_names(fact: &StoredFact) -> HashSet<String> {
    let said = &fact.said;
    let in_sentences = [Some(said.content.as_str()), said.quote.as_deref()];
    let mut found: HashSet<String> = in_sentences.into_iter().flatten().flat_map(inner_names).collect();
    found.extend(said.value.split_whitespace().filter(|word| is_name(word)).flat_map(words));
    let about: HashSet<String> = words(&said.subject).collect();
    found.retain(|word| !is_no_name(word) && !about.contains(word) && word.chars().count() > 1);
    found
}

/// Returns the names inside sentences. The first word of a sentence is skipped, since it is always capitalized.
fn inner_names(text: &str) -> Vec<String> {
    let mut begins = true;
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let is_told = is_name(word) && !begins || is_number(word);
        begins = word.ends_with(['.', '!', '?', ':']) && !is_no_name(word.trim_end_matches('.'));
        if is_told {
            found.extend(words(word));
        }
    }
    found
}

fn is_no_name(word: &str) -> bool {
    NOT_NAMES.split_whitespace().any(|other| other.eq_ignore_ascii_case(word))
}

fn is_name(word: &str) -> bool {
    word.chars().find(|letter| letter.is_alphanumeric()).is_some_and(char::is_uppercase) || is_number(word)
}

fn is_number(word: &str) -> bool {
    word.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_found_and_beginnings_are_not() {
        for (text, expected) in [
            ("The therapist is called Quimby.", vec!["quimby"]),
            ("Sees Dr. Anna Quimby-Hall on Thursdays", vec!["dr", "anna", "quimby", "hall", "thursdays"]),
            ("The alarm code is 4711", vec!["4711"]),
            ("Is allergic to peanuts. Carries a pen.", vec![]),
            ("Has 3 cats", vec![]),
        ] {
            assert_eq!(inner_names(text), expected, "{text}");
        }
    }
}
