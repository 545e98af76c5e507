//! Decides the end of a section and its reading.

use super::head::is_no_name;
use super::{LONGEST_TAG, Section, State, broken};
use crate::candidate::{Verdict, closing_quote};
use crate::openings::Trust;
use crate::reading::Reading;
use crate::{Arguments, Vocabulary};

impl Section {
    /// Handles a character that does not belong to the section.
    pub(super) fn foreign(&mut self, next: char) -> Verdict {
        match self.call.take() {
            // The closing `</function>` is missing.
            Some((name, arguments)) if !arguments.is_empty() => {
                let start = self.start;
                self.add(Reading::call(&name, Arguments::Named(arguments)), start);
                self.conclude(next)
            }
            None if self.reading.is_some() => self.conclude(next),
            _ => self.give_up(),
        }
    }

    /// Ends the section. The next character decides if its calls were meant.
    pub(super) fn conclude(&mut self, next: char) -> Verdict {
        let quote = self.place.previous.and_then(closing_quote);
        let alone = self.broke_line || next == '\n';
        let is_meant = match self.trust {
            Trust::Mark => quote.is_none_or(|quote| quote != next || self.broke_line),
            Trust::Own | Trust::Element if self.has_name_alone => alone || next == '<',
            Trust::Own if self.place.is_apart() => true,
            Trust::Own | Trust::Element => self.place.starts_line || alone || next == '<',
            Trust::Line => alone,
        };
        match self.reading.take() {
            Some(reading) if is_meant => Verdict::Read(reading),
            _ => Verdict::Text,
        }
    }

    /// Ends the section before a marker that ends the turn. The marker does not belong to the calls.
    pub(super) fn end_turn(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let begun = self.begun(&State::Loose, text, vocabulary);
        let has_begun = self.call.as_ref().is_some_and(|(_, arguments)| arguments.is_empty());
        if !has_begun && self.flush(vocabulary) && self.reading.is_some() {
            return self.conclude('\n');
        }
        if begun == Reading::Text {
            return self.give_up();
        }
        self.end = self.start;
        self.reading = Some(match self.reading.take() {
            Some(earlier) => earlier.and_last(begun),
            None => begun,
        });
        self.conclude('\n')
    }

    pub(super) fn give_up(&mut self) -> Verdict {
        if self.reading.is_some() && self.end > 0 && matches!(self.trust, Trust::Mark | Trust::Own) {
            return self.conclude(' ');
        }
        let is_short = self.reading.is_none() && self.read <= 2 * LONGEST_TAG;
        if is_short { Verdict::No } else { Verdict::Text }
    }

    /// Reads the section at the end of the reply. Returns the reading and its end.
    pub fn finish(mut self, text: &str, vocabulary: &Vocabulary) -> (Reading, usize) {
        let all = text.len();
        let state = std::mem::replace(&mut self.state, State::Loose);
        if let State::Value(parameter) = &state
            && let Some(end) = parameter.unclosed(text, vocabulary.marks())
            && let Some((name, mut arguments)) = self.call.take()
        {
            parameter.keep_up_to(text, end, &mut arguments);
            let call = Reading::call(&name, Arguments::Named(arguments));
            return (self.reading.take().map_or(call.clone(), |earlier| earlier.and(call)), end);
        }
        let last = match state {
            State::Json { ended_in_string: true, .. } if self.reading.is_none() => {
                Reading::Flawed("the call is not valid JSON: a string in it has no closing quote".to_owned())
            }
            // Arguments with a name could continue after an inner bracket, so only whole calls are completed.
            State::Json { name: None, extent, .. } if extent.lacks_last_bracket() => {
                Reading::of_element_json(&text[self.start..], vocabulary)
            }
            State::Json { name: Some(name), .. }
            | State::Braces { name, .. }
            | State::Python { name, .. } => self.cut(&name),
            State::Json { name: None, .. } => self.cut("the tool"),
            State::Broken { name, .. } => broken::reading(&name),
            State::Mark(_) if text[self.start..].starts_with("</") && self.flush(vocabulary) => Reading::Text,
            state => self.begun(&state, text, vocabulary),
        };
        let reading = match self.reading {
            Some(earlier) if last == Reading::Text => earlier,
            Some(earlier) => earlier.and_last(last),
            None => last,
        };
        (reading, all)
    }

    /// Reads a call of which only the beginning was received.
    fn begun(&self, state: &State, text: &str, vocabulary: &Vocabulary) -> Reading {
        let part = &text[self.start..];
        let named = self.call.as_ref().map(|(name, _)| name.clone()).or_else(|| self.named(vocabulary));
        if let Some(name) = named {
            return self.cut(&name);
        }
        let may_be_name = || self.may_be_name(part, vocabulary);
        let is_begun = match state {
            State::Brace(Some(name)) => return self.cut(name),
            State::Brace(None) => true,
            State::Function => may_be_name(),
            // A word after a marker could continue a sentence.
            State::Head => self.place.is_apart() && may_be_name(),
            State::Mark(_) | State::FenceLine => self.place.is_apart() && !part.starts_with("</"),
            State::Loose => {
                let begins = |part: &String| is_no_name(part) || self.may_be_name(part, vocabulary);
                let follows = self.head.is_empty() && self.reading.is_some();
                self.place.is_apart() && !follows && self.head.iter().all(begins)
            }
            _ => false,
        };
        if is_begun { self.cut("the tool") } else { Reading::Text }
    }

    /// Reads a truncated call. It is not completed, since half of a call is not the intended one.
    fn cut(&self, name: &str) -> Reading {
        let is_meant = matches!(self.trust, Trust::Mark | Trust::Own) || self.place.is_apart();
        if is_meant { Reading::cut_off(name) } else { Reading::Text }
    }
}
