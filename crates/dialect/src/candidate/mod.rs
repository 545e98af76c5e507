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
pub use self::object::{FIRST_KEYS, Key};
use self::sequence::PythonTag;
use self::tag::Tag;
use self::wait::{Answer, Wait};
use self::xml::Xml;
use crate::Vocabulary;
use crate::openings::{At, Opening, Openings};
use crate::reading::Reading;

/// What is longer than this is not held back any more.
pub const LONGEST: usize = 1 << 18;
/// White space before a call that something else has opened.
const MOST_SPACE: usize = 64;

/// A text that was opened like a call.
#[derive(Debug)]
pub struct Candidate {
    syntax: Syntax,
    place: Place,
    /// How much of its text has been followed.
    followed: usize,
    /// It has been read, but is perhaps only spoken of.
    waiting: Option<(Reading, Wait)>,
}

#[derive(Debug)]
enum Syntax {
    Tag(Tag),
    Object(Object),
    Element(Element),
    Xml(Xml),
    Function(Function),
    Mistral(Mistral),
    PythonTag(PythonTag),
    Fence(Fence),
}

/// Where a candidate begins.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Only white space and calls stand before it on its line.
    pub starts_line: bool,
    pub previous: Option<char>,
}

impl Place {
    /// Where a text leads among the openings, and how much of it does so. What opens only at the start of a line
    /// is nothing elsewhere.
    pub fn walk(self, openings: &Openings, from: At, text: &str) -> Option<(At, usize)> {
        let (at, length) = openings.walk(from, text)?;
        let suits = self.starts_line || !openings.opened(at).is_some_and(Opening::starts_line);
        suits.then_some((at, length))
    }
}

#[derive(Debug)]
pub enum Verdict {
    Undecided,
    /// It is none. What follows its first character is looked at again, so this is for short ones only.
    No,
    /// All of it is text.
    Text,
    Read(Reading),
}

impl Candidate {
    /// What has been opened by the whole of a text, unless that is a thought.
    pub fn new(opening: &Opening, text: &str, place: Place) -> Option<Self> {
        let start = text.len();
        let syntax = match opening {
            Opening::Think => return None,
            Opening::Tag(name) => Syntax::Tag(Tag::new(Some(name.clone()), start)),
            Opening::ToolCall => Syntax::Tag(Tag::new(None, start)),
            Opening::Object(key) => Syntax::Object(Object::new(text, *key)),
            Opening::Element(closing) => Syntax::Element(Element::new(closing, start)),
            Opening::Xml(name, closing) => Syntax::Xml(Xml::new(name.clone(), closing)),
            Opening::Function(name) => Syntax::Function(Function::new(name.clone(), start)),
            Opening::Mistral => Syntax::Mistral(Mistral::new(start)),
            Opening::PythonTag => Syntax::PythonTag(PythonTag::new(start)),
            Opening::Fence => Syntax::Fence(Fence::default()),
        };
        Some(Self { syntax, place, followed: start, waiting: None })
    }

    /// Follows its text further, until it is decided what it is and where it ends.
    pub fn follow(&mut self, text: &str, vocabulary: &Vocabulary) -> (Verdict, usize) {
        let from = self.followed;
        for (at, next) in text[from..].char_indices() {
            let (start, end) = (from + at, from + at + next.len_utf8());
            if let Some((reading, wait)) = &mut self.waiting {
                match wait.answer(next) {
                    Answer::Wait if end < LONGEST => continue,
                    Answer::Meant => {
                        return (Verdict::Read(std::mem::replace(reading, Reading::Text)), start);
                    }
                    Answer::Wait | Answer::SpokenOf => return (Verdict::Text, start),
                }
            }
            match self.feed(&text[..end], next, vocabulary) {
                Verdict::Undecided if end < LONGEST => {}
                Verdict::Undecided => return (Verdict::Text, end),
                Verdict::Read(reading) => match self.waits_for() {
                    Some(wait) => self.waiting = Some((reading, wait)),
                    None => return (Verdict::Read(reading), end),
                },
                decided => return (decided, end),
            }
        }
        self.followed = text.len();
        (Verdict::Undecided, text.len())
    }

    /// Takes the next character. `text` is everything so far, with that character at its end.
    fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        match &mut self.syntax {
            Syntax::Tag(tag) => tag.feed(text, next, vocabulary),
            Syntax::Object(object) => object.feed(text, next, vocabulary),
            Syntax::Element(element) => element.feed(text, next, vocabulary),
            Syntax::Xml(xml) => xml.feed(text, next),
            Syntax::Function(function) => function.feed(text, next),
            Syntax::Mistral(calls) => calls.feed(text, next, vocabulary),
            Syntax::PythonTag(calls) => calls.feed(text, next, vocabulary),
            Syntax::Fence(fence) => fence.feed(text, vocabulary),
        }
    }

    /// What it is when nothing follows its text.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> Reading {
        if let Some((reading, _)) = self.waiting {
            return reading;
        }
        match self.syntax {
            Syntax::Object(object) => object.finish(text, vocabulary),
            Syntax::Element(element) => element.finish(),
            Syntax::Xml(xml) => xml.finish(),
            Syntax::PythonTag(calls) => calls.finish(text, vocabulary),
            Syntax::Fence(fence) => fence.finish(text, vocabulary),
            Syntax::Tag(_) | Syntax::Function(_) | Syntax::Mistral(_) => Reading::Text,
        }
    }

    /// What has to follow for it to be meant, once it is read.
    fn waits_for(&self) -> Option<Wait> {
        match self.syntax {
            Syntax::Tag(_) | Syntax::Mistral(_) => self.place.previous.and_then(Wait::for_quote),
            Syntax::Element(_) | Syntax::Xml(_) if !self.place.starts_line => Some(Wait::LineEndOrElement),
            Syntax::Function(_) => Some(Wait::LineEnd),
            _ => None,
        }
    }
}
