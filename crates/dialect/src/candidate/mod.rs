//! What may turn out to be a call. It is held back until that is decided.

mod aside;
mod fence;
mod function;
mod header;
mod object;
mod section;
mod sequence;
mod tag;

use std::ops::Range;

use self::aside::Aside;
use self::fence::Fence;
use self::function::Function;
pub use self::header::Header;
use self::header::Message;
use self::object::Object;
pub use self::object::{FIRST_KEYS, Key};
use self::section::Section;
use self::sequence::PythonTag;
use self::tag::Tag;
use crate::Vocabulary;
use crate::ending::Ending;
use crate::openings::{At, Opening, Openings, When};
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
    Function(Function),
    Section(Box<Section>),
    Header(Header),
    PythonTag(PythonTag),
    Fence(Fence),
    Aside(Aside),
    /// A mark that nobody reads.
    Leftover,
}

/// Where a candidate begins.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Only white space and calls stand before it on its line.
    pub starts_line: bool,
    pub previous: Option<char>,
    /// The last character before it on its line that is not white space.
    pub behind: Option<char>,
    /// The line closes a fence, if no more than marks that nobody reads follow.
    pub closes_fence: bool,
}

impl Place {
    /// Whether no sentence goes on with what begins here. Who speaks of a mark puts a blank before it, or a quote.
    pub fn is_apart(self) -> bool {
        let ends_word = |previous: char| previous.is_alphanumeric() || previous == ':';
        self.starts_line || self.previous.is_some_and(ends_word) || !self.behind.is_some_and(aside::goes_on)
    }

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
    /// A thought begins behind it.
    Thought(Ending),
    /// It is a part of the thought before it, which goes on behind it.
    StillThought(Ending),
    /// It is a whole thought, of which this is what was thought.
    Aside(Range<usize>),
    /// It may only speak of thoughts, or open one: until this closes it, no call is meant.
    Mention(Option<Ending>),
}

/// What has to follow a call that has been read, for it to be meant.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// Nothing on its line.
    LineEnd,
    /// Anything but this quote, which would close behind it.
    Quote(char),
    /// Nothing on its line but other marks.
    Marks,
}

impl Candidate {
    /// What has been opened by the whole of a text, unless that is a thought.
    pub fn new(opening: &Opening, text: &str, place: Place) -> Option<Self> {
        let start = text.len();
        let mut waiting = None;
        let syntax = match opening {
            Opening::Leftover(When::Apart) => {
                waiting = Some((Reading::Pieces(Vec::new()), Wait::Marks));
                Syntax::Leftover
            }
            Opening::Leftover(_) | Opening::Mark(_) => return None,
            Opening::Thought { close, .. } => Syntax::Aside(Aside::new(close.clone(), start, place)),
            Opening::Tag(name) => Syntax::Tag(Tag::new(Some(name.clone()), start)),
            Opening::ToolCall => Syntax::Tag(Tag::new(None, start)),
            Opening::Object(key) | Opening::Doubled(key) => Syntax::Object(Object::new(text, *key)),
            Opening::Function(name) => Syntax::Function(Function::new(name.clone(), start)),
            Opening::Section(trust) => {
                let section = Box::new(Section::new(*trust, place));
                return Some(Self { syntax: Syntax::Section(section), place, followed: 0, waiting: None });
            }
            Opening::Header => Syntax::Header(Header::new(place)),
            Opening::PythonTag => Syntax::PythonTag(PythonTag::new(start)),
            Opening::Fence => Syntax::Fence(Fence::default()),
        };
        Some(Self { syntax, place, followed: start, waiting })
    }

    /// A message that begins within a thought. Its mark is not part of its text.
    pub fn within_thought(mark: &'static str) -> Self {
        let place = Place { starts_line: true, previous: None, behind: None, closes_fence: false };
        let syntax = Syntax::Header(Header::within_thought(mark));
        Self { syntax, place, followed: 0, waiting: None }
    }

    /// The mark of such a message.
    pub fn mark_within_thought(&self) -> Option<&'static str> {
        match &self.syntax {
            Syntax::Header(header) => header.within(),
            _ => None,
        }
    }

    /// What would close the thought that it speaks of, perhaps.
    pub fn mention(&self) -> Option<Ending> {
        match &self.syntax {
            Syntax::Aside(aside) => Some(aside.ending()),
            _ => None,
        }
    }

    /// Whether it is JSON without anything around it, of which no bracket is shown if this is how it is read.
    pub fn is_object(&self, reading: &Reading) -> bool {
        match &self.syntax {
            Syntax::Object(object) => match reading {
                Reading::Pieces(_) => true,
                Reading::Flawed(_) => object.is_doubled(),
                Reading::Text => false,
            },
            _ => false,
        }
    }

    /// Follows its text further, until it is decided what it is and where it ends.
    pub fn follow(&mut self, text: &str, vocabulary: &Vocabulary) -> (Verdict, usize) {
        let from = self.followed;
        for (at, next) in text[from..].char_indices() {
            let (start, end) = (from + at, from + at + next.len_utf8());
            if let Some((reading, wait)) = &mut self.waiting {
                match (*wait, next) {
                    (Wait::LineEnd | Wait::Marks, ' ' | '\t' | '\r') if end < LONGEST => continue,
                    (Wait::LineEnd, '\n') | (Wait::Marks, '\n' | '<' | '[') => {}
                    (Wait::Quote(quote), _) if next != quote => {}
                    (Wait::LineEnd, _) if vocabulary.ends().has(&text[start..]) => {}
                    (Wait::LineEnd, _) if vocabulary.ends().leads(&text[start..]) => {
                        self.followed = start;
                        return (Verdict::Undecided, text.len());
                    }
                    _ => return (Verdict::Text, start),
                }
                return (Verdict::Read(std::mem::replace(reading, Reading::Text)), start);
            }
            match self.feed(&text[..end], next, vocabulary) {
                Verdict::Undecided if end < LONGEST => {}
                Verdict::Undecided if let Syntax::Aside(aside) = &self.syntax => {
                    return (Verdict::Mention(Some(aside.ending())), aside.start());
                }
                Verdict::Undecided => return (Verdict::Text, end),
                Verdict::Read(reading) => match (self.waits_for(), &self.syntax) {
                    (Some(wait), _) => self.waiting = Some((reading, wait)),
                    // The line break is none of its own.
                    (None, Syntax::Object(_)) if next == '\n' => return (Verdict::Read(reading), start),
                    (None, Syntax::Section(section)) => return (Verdict::Read(reading), section.end()),
                    (None, Syntax::Fence(fence)) => return (Verdict::Read(reading), fence.end()),
                    (None, _) => return (Verdict::Read(reading), end),
                },
                // The last character is none of its own.
                mention @ Verdict::Mention(_) => return (mention, start),
                Verdict::Text if matches!(self.syntax, Syntax::Section(_)) => {
                    return (Verdict::Text, if start == 0 { end } else { start });
                }
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
            Syntax::Function(function) => function.feed(text, next),
            Syntax::Section(section) => section.feed(text, next, vocabulary),
            Syntax::Header(header) => match header.feed(text, next, vocabulary) {
                Message::Undecided => Verdict::Undecided,
                Message::No => Verdict::No,
                Message::Stranger => Verdict::Text,
                Message::Words => Verdict::Read(Reading::Pieces(Vec::new())),
                Message::Thought(ending) => Verdict::Thought(ending),
                Message::StillThought(ending) => Verdict::StillThought(ending),
                Message::Call(section) => {
                    self.syntax = Syntax::Section(section);
                    Verdict::Undecided
                }
            },
            Syntax::PythonTag(calls) => calls.feed(text, next, vocabulary),
            Syntax::Fence(fence) => fence.feed(text, vocabulary),
            Syntax::Aside(aside) => aside.feed(text, next),
            Syntax::Leftover => Verdict::Text,
        }
    }

    /// What it is when nothing follows its text, and where that ends.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> (Reading, usize) {
        if let Some((reading, _)) = self.waiting {
            return (reading, text.len());
        }
        let reading = match self.syntax {
            Syntax::Section(section) => return section.finish(text, vocabulary),
            Syntax::Object(object) => object.finish(text, vocabulary),
            Syntax::PythonTag(calls) if calls.begins(text) && self.place.is_apart() => {
                Reading::cut_off("the tool")
            }
            Syntax::PythonTag(calls) => calls.finish(text, vocabulary),
            Syntax::Fence(fence) => return fence.finish(text, vocabulary),
            Syntax::Header(_) if text.contains("to=functions.") => Reading::cut_off("the tool"),
            Syntax::Header(_) => Reading::Pieces(Vec::new()),
            Syntax::Aside(aside) => return aside.finish(text),
            Syntax::Tag(_) | Syntax::Function(_) | Syntax::Leftover => Reading::Text,
        };
        (reading, text.len())
    }

    /// What has to follow for it to be meant, once it is read.
    fn waits_for(&self) -> Option<Wait> {
        match self.syntax {
            Syntax::Tag(_) => self.place.previous.and_then(closing_quote).map(Wait::Quote),
            Syntax::Function(_) => Some(Wait::LineEnd),
            _ => None,
        }
    }
}

/// What closes a quote that stands right before a call.
fn closing_quote(opening: char) -> Option<char> {
    Some(match opening {
        '"' | '\'' => opening,
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        '»' => '«',
        '„' => '“',
        '‚' => '‘',
        '「' => '」',
        _ => return None,
    })
}
