//! Reads arguments or whole calls in JSON.

use super::braces::Braces;
use super::broken::ended_by;
use super::{LONGEST_TAG, Section, State};
use crate::Vocabulary;
use crate::candidate::Verdict;
use crate::json::{self, Extent};
use crate::openings::Role;
use crate::reading::Reading;

impl Section {
    pub(super) fn brace(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        if next.is_whitespace() && text.len() - self.start <= LONGEST_TAG {
            return Verdict::Undecided;
        }
        let State::Brace(name) = &mut self.state else { return Verdict::Undecided };
        let (name, start) = (name.take(), self.start);
        let is_json = matches!(next, '"' | '\'' | '}' | '{');
        let (Some(name), false) = (&name, is_json) else {
            let extent = Extent::opened_by('{');
            self.state = State::Json { name, extent, mark: None, ended_in_string: false };
            return self.json(text, next, vocabulary);
        };
        let braces = Braces::new(vocabulary.calls());
        self.begin(State::Braces { name: name.clone(), braces }, start + 1);
        self.feed(text, next, vocabulary)
    }

    pub(super) fn json(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let State::Json { name, extent, mark, ended_in_string } = &mut self.state else {
            return Verdict::Undecided;
        };
        let in_string = extent.is_in_string();
        let reach = extent.feed(next);
        // A marker that closes the call also ends the value if brackets are missing.
        let closed = ended_by(mark, text, before, vocabulary);
        match (reach, closed) {
            (json::Reach::Closed, _) => {
                let value = &text[self.start..];
                let reading = match name {
                    Some(name) => Reading::of_arguments(name, value),
                    None => Reading::of_element_json(value, vocabulary),
                };
                return self.add(reading, text.len());
            }
            (json::Reach::TooDeep, _) => {
                let name = name.take().unwrap_or_else(|| "the tool".to_owned());
                return self.break_off(&name);
            }
            (_, Some((role, from))) if !in_string => {
                let value = &text[self.start..from];
                let reading = match name {
                    Some(name) => Reading::of_arguments(name, value),
                    None => Reading::of_element_json(value, vocabulary),
                };
                if *role == Role::Close {
                    self.open = self.open.saturating_sub(1);
                    return self.add(reading, text.len());
                }
                return match self.add(reading, from) {
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
