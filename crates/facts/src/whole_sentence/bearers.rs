//! Determines the bearer of a name and the person that a clause is about.

use super::name_mention::NameMention;
use super::sentence_view::SentenceView;
use crate::lexicon::is_function_word;
use crate::verbs::{self, VerbForm};

impl SentenceView<'_> {
    /// Returns the noun that a name belongs to: *a dragon named Steve*. `None` for *she is named Steve*.
    pub fn called(&self, name: &NameMention) -> Option<&str> {
        let at = name.range.start.checked_sub(2)?;
        if !matches!(self.words[at + 1], "called" | "named") {
            return None;
        }
        let is_noun = verbs::lemma(self.words[at]).is_none()
            && !words!("is was someone somebody man woman person guy girl boy one it now")
                .contains(self.words[at]);
        let has_article = self.words[at.saturating_sub(4)..at]
            .iter()
            .rev()
            .take_while(|word| verbs::lemma(word).is_none() && !matches!(**word, "is" | "was" | "," | "."))
            .any(|word| matches!(*word, "a" | "an" | "the" | "my" | "our" | "this" | "one"));
        (is_noun && has_article).then(|| self.words[at])
    }

    /// Returns true if a position is in a clause about the subject of the view and after no other person's name.
    pub fn is_theirs(&self, at: usize) -> bool {
        let Some(person) = self.names.iter().find(|name| self.subject.ends_with(name.text.as_str())) else {
            return true;
        };
        let clause = self.clause_range(at);
        let both =
            matches!((self.word(person.range.end), self.word(person.range.end + 1)), ("and", "i" | "me"));
        // *Priya and I share a flat in Rome*
        if both && clause.start <= person.range.end && clause.contains(&(person.range.end + 1)) {
            return false;
        }
        if clause.contains(&person.range.start) {
            return true;
        }
        // *Aoibhe is out in Lyon, Emma is a guard*: words before a name belong to the person named earlier.
        let acts = |at: usize| {
            matches!(self.word(at), "is" | "'s" | "has" | "was")
                || verbs::lemma(self.word(at))
                    .is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past))
        };
        let is_named = |at: usize| {
            let token = &self.tokens[at];
            token.is_capital
                && token.low != "i"
                && !is_function_word(&token.low)
                && verbs::lemma(&token.low).is_none()
        };
        let is_earlier = person.range.start > at && (0..at).any(|at| is_named(at) && acts(at + 1));
        !is_earlier
    }
}
