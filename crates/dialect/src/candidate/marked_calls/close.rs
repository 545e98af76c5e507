//! Decides where a block of calls ends and what it means.

use super::head::is_no_name;
use super::{MarkedCalls, State};
use crate::arguments::CallArguments;
use crate::candidate::context::closing_quote;
use crate::candidate::limits::LONGEST_TAG;
use crate::candidate::verdict::Verdict;
use crate::interpretation::Interpretation;
use crate::openings::MarkerTrust;
use crate::vocabulary::ReplyVocabulary;

impl MarkedCalls {
    /// Handles a character that does not belong to the block.
    pub(super) fn foreign(&mut self, next: char) -> Verdict {
        match self.call.take() {
            // The closing `</function>` is missing.
            Some((name, arguments)) if !arguments.is_empty() => {
                let start = self.start;
                self.add(Interpretation::call(&name, CallArguments::Named(arguments)), start);
                self.conclude(next)
            }
            None if self.interpretation.is_some() => self.conclude(next),
            _ => self.give_up(),
        }
    }

    /// Ends the block. The next character decides if its calls are meant or only mentioned.
    pub(super) fn conclude(&mut self, next: char) -> Verdict {
        let quote = self.context.previous.and_then(closing_quote);
        let alone = self.broke_line || next == '\n';
        let is_meant = match self.trust {
            MarkerTrust::Marker => quote.is_none_or(|quote| quote != next || self.broke_line),
            MarkerTrust::Own | MarkerTrust::Element if self.has_name_alone => alone || next == '<',
            MarkerTrust::Own if self.context.is_apart() => true,
            MarkerTrust::Own | MarkerTrust::Element => self.context.starts_line || alone || next == '<',
            MarkerTrust::Line => alone,
        };
        match self.interpretation.take() {
            Some(interpretation) if is_meant => Verdict::Read(interpretation),
            _ => Verdict::Text,
        }
    }

    /// Ends the block before a marker that ends the turn. The marker does not belong to the calls.
    pub(super) fn end_turn(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let begun = self.begun(&State::Between, text, vocabulary);
        let has_begun = self.call.as_ref().is_some_and(|(_, arguments)| arguments.is_empty());
        if !has_begun && self.flush(vocabulary) && self.interpretation.is_some() {
            return self.conclude('\n');
        }
        if begun == Interpretation::Text {
            return self.give_up();
        }
        self.end = self.start;
        self.interpretation = Some(match self.interpretation.take() {
            Some(earlier) => earlier.and_last(begun),
            None => begun,
        });
        self.conclude('\n')
    }

    /// Stops at text that fits no syntax. Complete calls before it count if their markers are evidence enough.
    pub(super) fn give_up(&mut self) -> Verdict {
        if self.interpretation.is_some()
            && self.end > 0
            && matches!(self.trust, MarkerTrust::Marker | MarkerTrust::Own)
        {
            return self.conclude(' ');
        }
        let is_short = self.interpretation.is_none() && self.read <= 2 * LONGEST_TAG;
        if is_short { Verdict::No } else { Verdict::Text }
    }

    /// Reads the block at the end of the reply. Returns the interpretation and its end.
    pub fn finish(mut self, text: &str, vocabulary: &ReplyVocabulary) -> (Interpretation, usize) {
        let all = text.len();
        let state = std::mem::replace(&mut self.state, State::Between);
        if let State::Value(parameter) = &state
            && let Some(end) = parameter.unclosed(text, vocabulary.call_markers())
            && let Some((name, mut arguments)) = self.call.take()
        {
            parameter.keep_up_to(text, end, &mut arguments);
            let call = Interpretation::call(&name, CallArguments::Named(arguments));
            return (self.interpretation.take().map_or(call.clone(), |earlier| earlier.and(call)), end);
        }
        let last = match state {
            State::Json { ended_in_string: true, .. } if self.interpretation.is_none() => {
                Interpretation::Flawed(
                    "the call is not valid JSON: a string in it has no closing quote".to_owned(),
                )
            }
            // Arguments after a name could continue after an inner bracket, so only whole calls are completed.
            State::Json { name: None, extent, .. } if extent.lacks_last_bracket() => {
                Interpretation::of_element_json(&text[self.start..], vocabulary)
            }
            State::Json { name: Some(name), .. }
            | State::UnquotedArguments { name, .. }
            | State::Python { name, .. } => self.cut(&name),
            State::Json { name: None, .. } => self.cut("the tool"),
            State::Broken { name, .. } => Interpretation::unreadable_arguments(&name),
            State::Marker(_) if text[self.start..].starts_with("</") && self.flush(vocabulary) => {
                Interpretation::Text
            }
            state => self.begun(&state, text, vocabulary),
        };
        let interpretation = match self.interpretation {
            Some(earlier) if last == Interpretation::Text => earlier,
            Some(earlier) => earlier.and_last(last),
            None => last,
        };
        (interpretation, all)
    }

    /// Reads a call of which only the beginning was received.
    fn begun(&self, state: &State, text: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
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
            State::Head => self.context.is_apart() && may_be_name(),
            State::Marker(_) | State::FenceLine => self.context.is_apart() && !part.starts_with("</"),
            State::Between => {
                let begins = |part: &String| is_no_name(part) || self.may_be_name(part, vocabulary);
                let follows = self.head.is_empty() && self.interpretation.is_some();
                self.context.is_apart() && !follows && self.head.iter().all(begins)
            }
            _ => false,
        };
        if is_begun { self.cut("the tool") } else { Interpretation::Text }
    }

    /// Reads a truncated call. It is not completed, since half of a call is not the intended one.
    fn cut(&self, name: &str) -> Interpretation {
        let is_meant =
            matches!(self.trust, MarkerTrust::Marker | MarkerTrust::Own) || self.context.is_apart();
        if is_meant { Interpretation::cut_off(name) } else { Interpretation::Text }
    }
}
