//! Text that may turn out to be a call. It is held back until that is decided.

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

/// The maximum number of bytes to hold back.
pub const LONGEST: usize = 1 << 18;
/// The maximum amount of whitespace before a call inside another construct.
const MOST_SPACE: usize = 64;

/// A text with the opening of a call.
#[derive(Debug)]
pub struct Candidate {
    syntax: Syntax,
    place: Place,
    /// The number of bytes read so far.
    followed: usize,
    /// A complete call that may only be mentioned, and the condition for it to be meant.
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
    /// A marker without meaning.
    Leftover,
}

/// The context in which a candidate begins.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// True if only whitespace and calls precede it on its line.
    pub starts_line: bool,
    pub previous: Option<char>,
    /// The last character before it on its line that is not whitespace.
    pub behind: Option<char>,
    /// True if the line closes a fence, provided that only meaningless markers follow.
    pub closes_fence: bool,
}

impl Place {
    /// Returns true if the candidate does not continue a sentence. A marker that is only mentioned has a space or a
    /// quote before it.
    pub fn is_apart(self) -> bool {
        let ends_word = |previous: char| previous.is_alphanumeric() || previous == ':';
        self.starts_line || self.previous.is_some_and(ends_word) || !self.behind.is_some_and(aside::goes_on)
    }

    /// Follows a text through the openings. Returns the position reached and the number of bytes matched. An opening
    /// that requires the start of a line matches only there.
    pub fn walk(self, openings: &Openings, from: At, text: &str) -> Option<(At, usize)> {
        let (at, length) = openings.walk(from, text)?;
        let suits = self.starts_line || !openings.opened(at).is_some_and(Opening::starts_line);
        suits.then_some((at, length))
    }
}

/// The decision on a candidate after a character.
#[derive(Debug)]
pub enum Verdict {
    Undecided,
    /// Not a call. The text after its first character is read again, so this is only for short candidates.
    No,
    /// All of the candidate is text.
    Text,
    Read(Reading),
    /// A thought begins after the candidate.
    Thought(Ending),
    /// The candidate belongs to the previous thought, which continues after it.
    StillThought(Ending),
    /// The candidate is a complete thought with this content.
    Aside(Range<usize>),
    /// The candidate may mention a thought marker or open a thought: no call is made until this ending.
    Mention(Option<Ending>),
}

/// The condition on the text after a complete call for it to be meant.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// The rest of the line is empty.
    LineEnd,
    /// The next character is not this quote, which would close a quotation.
    Quote(char),
    /// The rest of the line has only other markers.
    Marks,
}

impl Candidate {
    /// Creates the candidate for an opening that is the whole text. `None` for openings that begin no candidate.
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

    /// Creates the candidate for a message header within a thought. Its marker is not part of its text.
    pub fn within_thought(mark: &'static str) -> Self {
        let place = Place { starts_line: true, previous: None, behind: None, closes_fence: false };
        let syntax = Syntax::Header(Header::within_thought(mark));
        Self { syntax, place, followed: 0, waiting: None }
    }

    /// Returns the marker of a message header within a thought.
    pub fn mark_within_thought(&self) -> Option<&'static str> {
        match &self.syntax {
            Syntax::Header(header) => header.within(),
            _ => None,
        }
    }

    /// Returns the ending of the thought that the candidate may mention.
    pub fn mention(&self) -> Option<Ending> {
        match &self.syntax {
            Syntax::Aside(aside) => Some(aside.ending()),
            _ => None,
        }
    }

    /// Returns true for JSON without markers that is not shown at all when read like this.
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

    /// Reads further until the kind and end of the candidate are decided.
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
                    // The line break does not belong to the candidate.
                    (None, Syntax::Object(_)) if next == '\n' => return (Verdict::Read(reading), start),
                    (None, Syntax::Section(section)) => return (Verdict::Read(reading), section.end()),
                    (None, Syntax::Fence(fence)) => return (Verdict::Read(reading), fence.end()),
                    (None, _) => return (Verdict::Read(reading), end),
                },
                // The last character does not belong to the candidate.
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
                Message::UnknownTool => Verdict::Text,
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

    /// Reads the candidate at the end of the reply. Returns the reading and its end.
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

    /// Returns the condition on the text after the candidate once it has been read.
    fn waits_for(&self) -> Option<Wait> {
        match self.syntax {
            Syntax::Tag(_) => self.place.previous.and_then(closing_quote).map(Wait::Quote),
            Syntax::Function(_) => Some(Wait::LineEnd),
            _ => None,
        }
    }
}

/// Returns the quote that closes a quotation opened right before a call.
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
