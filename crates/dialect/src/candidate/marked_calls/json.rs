//! Reads arguments or whole calls in JSON.

use super::broken::ended_by;
use super::unquoted_arguments::UnquotedArguments;
use super::{MarkedCalls, State};
use crate::candidate::limits::LONGEST_TAG;
use crate::candidate::verdict::Verdict;
use crate::interpretation::Interpretation;
use crate::json::{JsonExtent, JsonProgress};
use crate::openings::MarkerRole;
use crate::vocabulary::ReplyVocabulary;

impl MarkedCalls {
    /// Handles the first character after a brace, which tells JSON from arguments with unquoted keys.
    pub(super) fn brace(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        if next.is_whitespace() && text.len() - self.start <= LONGEST_TAG {
            return Verdict::Undecided;
        }
        let State::Brace(name) = &mut self.state else { return Verdict::Undecided };
        let (name, start) = (name.take(), self.start);
        let is_json = matches!(next, '"' | '\'' | '}' | '{');
        let (Some(name), false) = (&name, is_json) else {
            let extent = JsonExtent::opened_by('{');
            self.state = State::Json { name, extent, marker: None, ended_in_string: false };
            return self.json(text, next, vocabulary);
        };
        let scan = UnquotedArguments::new(vocabulary.call_syntax());
        self.begin(State::UnquotedArguments { name: name.clone(), scan }, start + 1);
        self.feed(text, next, vocabulary)
    }

    /// Handles a character of JSON, up to its end or to a marker that closes the call.
    pub(super) fn json(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let State::Json { name, extent, marker, ended_in_string } = &mut self.state else {
            return Verdict::Undecided;
        };
        let in_string = extent.is_in_string();
        let reach = extent.feed(next);
        // A marker that closes the call also ends the value if brackets are missing.
        let closed = ended_by(marker, text, before, vocabulary);
        match (reach, closed) {
            (JsonProgress::Closed, _) => {
                let value = &text[self.start..];
                let interpretation = match name {
                    Some(name) => Interpretation::of_arguments(name, value),
                    None => Interpretation::of_element_json(value, vocabulary),
                };
                return self.add(interpretation, text.len());
            }
            (JsonProgress::TooDeep, _) => {
                let name = name.take().unwrap_or_else(|| "the tool".to_owned());
                return self.break_off(&name);
            }
            (_, Some((role, from))) if !in_string => {
                let value = &text[self.start..from];
                let interpretation = match name {
                    Some(name) => Interpretation::of_arguments(name, value),
                    None => Interpretation::of_element_json(value, vocabulary),
                };
                if *role == MarkerRole::Close {
                    self.open = self.open.saturating_sub(1);
                    return self.add(interpretation, text.len());
                }
                return match self.add(interpretation, from) {
                    Verdict::Undecided => self.conclude('\n'),
                    verdict => verdict,
                };
            }
            (_, Some(_)) => *ended_in_string = true,
            _ => {}
        }
        Verdict::Undecided
    }
}
