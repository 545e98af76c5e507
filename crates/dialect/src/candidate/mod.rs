//! What may turn out to be a call. It is held back until that is decided.

mod element;
mod embedded;
mod fence;
mod function;
mod mistral;
mod object;
mod sequence;
mod tag;
mod wait;
mod xml;

use self::element::Element;
use self::fence::Fence;
use self::function::Function;
use self::mistral::Mistral;
use self::object::Object;
use self::sequence::PythonTag;
use self::tag::Tag;
use self::wait::{Answer, Wait};
use self::xml::Xml;
use crate::Vocabulary;
use crate::openings::{At, Opening};
use crate::reading::Reading;

/// What is longer than this is not held back any more.
const LONGEST: usize = 1 << 20;

#[derive(Debug)]
pub enum Candidate {
    Opening(At),
    /// `<think>` has been read.
    Thought,
    Tag(Tag),
    Object(Object),
    Element(Box<Element>),
    Xml(Box<Xml>),
    Function(Function),
    Mistral(Mistral),
    PythonTag(PythonTag),
    Fence(Fence),
    /// Read, but perhaps only spoken of.
    Waiting(Reading, Wait),
}

/// Where a candidate begins.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Only white space and calls stand before it on its line.
    pub starts_line: bool,
    pub previous: Option<char>,
}

#[derive(Debug)]
pub enum Verdict {
    Undecided,
    /// It is none. What follows its first character is looked at again, so this is for short ones only.
    No,
    /// All of it is text.
    Text,
    /// Reasoning begins.
    Think,
    Read(Reading),
}

impl Candidate {
    /// The place among the openings to which a text leads from its first character, and how much of it does so.
    pub fn begin(text: &str, first: char, place: Place, vocabulary: &Vocabulary) -> Option<(At, usize)> {
        if !place.starts_line && !matches!(first, '[' | '<') {
            return None;
        }
        let (at, length) = vocabulary.openings().walk(text)?;
        is_in_place(at, place, vocabulary).then_some((at, length))
    }

    /// What the openings open where this text has led to.
    pub fn open(at: At, text: &str, vocabulary: &Vocabulary) -> Self {
        let start = text.len();
        match vocabulary.openings().opened(at) {
            None => Self::Opening(at),
            Some(Opening::Think) => Self::Thought,
            Some(Opening::Tag(name)) => Self::Tag(Tag::new(Some(name.clone()), start)),
            Some(Opening::ToolCall) => Self::Tag(Tag::new(None, start)),
            Some(Opening::Object) => Self::Object(Object::new(text)),
            Some(Opening::Element(closing)) => Self::Element(Box::new(Element::new(closing, start))),
            Some(Opening::Xml(name, closing)) => Self::Xml(Box::new(Xml::new(name.clone(), closing))),
            Some(Opening::Function(name)) => Self::Function(Function::new(name.clone(), start)),
            Some(Opening::Mistral) => Self::Mistral(Mistral::new(start)),
            Some(Opening::PythonTag) => Self::PythonTag(PythonTag::new(start)),
            Some(Opening::Fence) => Self::Fence(Fence::default()),
        }
    }

    /// Follows a text from a place in it, until it is decided what the candidate is and where it ends.
    pub fn follow(
        &mut self,
        text: &str,
        from: usize,
        place: Place,
        vocabulary: &Vocabulary,
    ) -> (Verdict, usize) {
        if matches!(self, Self::Thought) {
            return (Verdict::Think, from);
        }
        for (at, next) in text[from..].char_indices() {
            let (start, end) = (from + at, from + at + next.len_utf8());
            if let Self::Waiting(reading, wait) = self {
                match wait.answer(next) {
                    Answer::Wait if end < LONGEST => continue,
                    Answer::Meant => {
                        return (Verdict::Read(std::mem::replace(reading, Reading::Text)), start);
                    }
                    Answer::Wait | Answer::SpokenOf => return (Verdict::Text, start),
                }
            }
            match self.feed(&text[..end], next, place, vocabulary) {
                Verdict::Undecided if end < LONGEST => {}
                Verdict::Undecided => return (Verdict::Text, end),
                Verdict::Read(reading) => match self.waits_for(place) {
                    Some(wait) => *self = Self::Waiting(reading, wait),
                    None => return (Verdict::Read(reading), end),
                },
                decided => return (decided, end),
            }
        }
        (Verdict::Undecided, text.len())
    }

    /// Takes the next character. `text` is everything so far, with that character at its end.
    fn feed(&mut self, text: &str, next: char, place: Place, vocabulary: &Vocabulary) -> Verdict {
        match self {
            Self::Opening(at) => match vocabulary.openings().step(*at, next) {
                Some(further) if is_in_place(further, place, vocabulary) => {
                    *self = Self::open(further, text, vocabulary);
                    if matches!(self, Self::Thought) { Verdict::Think } else { Verdict::Undecided }
                }
                _ => Verdict::No,
            },
            Self::Tag(tag) => tag.feed(text, next, vocabulary),
            Self::Object(object) => object.feed(text, next, vocabulary),
            Self::Element(element) => element.feed(text, next, vocabulary),
            Self::Xml(xml) => xml.feed(text, next),
            Self::Function(function) => function.feed(text, next),
            Self::Mistral(calls) => calls.feed(text, next, vocabulary),
            Self::PythonTag(calls) => calls.feed(text, next, vocabulary),
            Self::Fence(fence) => fence.feed(text, vocabulary),
            Self::Waiting(..) | Self::Thought => Verdict::Undecided,
        }
    }

    /// What it is when nothing follows.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> Reading {
        match self {
            Self::Object(object) => object.finish(text, vocabulary),
            Self::Element(element) => element.finish(),
            Self::Xml(xml) => xml.finish(),
            Self::PythonTag(calls) => calls.finish(text, vocabulary),
            Self::Fence(fence) => fence.finish(text, vocabulary),
            Self::Waiting(reading, _) => reading,
            _ => Reading::Text,
        }
    }

    /// What has to follow for it to be meant, once it is read.
    fn waits_for(&self, place: Place) -> Option<Wait> {
        match self {
            Self::Tag(_) => place.previous.and_then(Wait::for_quote),
            Self::Element(_) | Self::Xml(_) if !place.starts_line => Some(Wait::LineEndOrElement),
            Self::Function(_) => Some(Wait::LineEnd),
            _ => None,
        }
    }
}

/// What opens only at the start of a line is nothing elsewhere.
fn is_in_place(at: At, place: Place, vocabulary: &Vocabulary) -> bool {
    place.starts_line || !vocabulary.openings().opened(at).is_some_and(Opening::starts_line)
}
