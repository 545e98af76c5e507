//! Decides if a text is a call, a thought or neither. The text is held back until then.

mod context;
mod fence;
mod function;
mod header;
mod inline_thought;
mod limits;
mod marked_calls;
mod object;
mod sequence;
mod tag;
mod verdict;

pub use self::context::CandidateContext;
use self::context::closing_quote;
use self::fence::FencedCalls;
use self::function::FunctionCall;
use self::header::HeaderVerdict;
pub use self::header::MessageHeader;
use self::inline_thought::InlineThought;
pub use self::limits::LONGEST_CANDIDATE;
use self::marked_calls::MarkedCalls;
use self::object::JsonCall;
use self::sequence::PythonTag;
use self::tag::BracketTag;
pub use self::verdict::Verdict;
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;
use crate::openings::{DropCondition, Opening};
use crate::vocabulary::ReplyVocabulary;

/// A text that begins like a call or a thought.
#[derive(Debug)]
pub struct Candidate {
    kind: CandidateKind,
    context: CandidateContext,
    /// The number of bytes read so far.
    followed: usize,
    /// The interpretation of the complete candidate, and the condition on the text after it that makes it valid.
    complete: Option<(Interpretation, Condition)>,
}

/// The syntax that the candidate may turn out to have.
#[derive(Debug)]
enum CandidateKind {
    Tag(BracketTag),
    Object(JsonCall),
    Function(FunctionCall),
    MarkedCalls(Box<MarkedCalls>),
    Header(MessageHeader),
    PythonTag(PythonTag),
    Fence(FencedCalls),
    InlineThought(InlineThought),
    /// A marker to drop.
    Dropped,
}

/// A condition on the text after a complete call. If it fails, the call is only mentioned and stays text.
#[derive(Debug, Clone, Copy)]
enum Condition {
    /// The rest of the line is empty.
    LineEnd,
    /// The next character is not this quote, which would close a quotation.
    Quote(char),
    /// The rest of the line has only other markers.
    Markers,
}

impl Candidate {
    /// Creates the candidate for an opening that is the whole text. `None` for openings that begin no candidate.
    pub fn new(opening: &Opening, text: &str, context: CandidateContext) -> Option<Self> {
        let start = text.len();
        let mut complete = None;
        let kind = match opening {
            Opening::Dropped(DropCondition::Apart) => {
                complete = Some((Interpretation::Parts(Vec::new()), Condition::Markers));
                CandidateKind::Dropped
            }
            Opening::Dropped(_) | Opening::CallMarker(_) => return None,
            Opening::Thought { close, .. } => {
                CandidateKind::InlineThought(InlineThought::new(close.clone(), start, context))
            }
            Opening::Tag(name) => CandidateKind::Tag(BracketTag::new(Some(name.clone()), start)),
            Opening::ToolCall => CandidateKind::Tag(BracketTag::new(None, start)),
            Opening::Object(key) | Opening::DoubledObject(key) => {
                CandidateKind::Object(JsonCall::new(text, *key))
            }
            Opening::Function(name) => CandidateKind::Function(FunctionCall::new(name.clone(), start)),
            Opening::MarkedCalls(trust) => {
                let calls = Box::new(MarkedCalls::new(*trust, context));
                return Some(Self {
                    kind: CandidateKind::MarkedCalls(calls),
                    context,
                    followed: 0,
                    complete: None,
                });
            }
            Opening::Header => CandidateKind::Header(MessageHeader::new(context)),
            Opening::PythonTag => CandidateKind::PythonTag(PythonTag::new(start)),
            Opening::Fence => CandidateKind::Fence(FencedCalls::default()),
        };
        Some(Self { kind, context, followed: start, complete })
    }

    /// Creates the candidate for a message header within a thought. Its marker is not part of its text.
    pub fn within_thought(marker: &'static str) -> Self {
        let context =
            CandidateContext { starts_line: true, previous: None, last_visible: None, closes_fence: false };
        let kind = CandidateKind::Header(MessageHeader::within_thought(marker));
        Self { kind, context, followed: 0, complete: None }
    }

    /// Returns the marker of a message header within a thought.
    pub fn marker_within_thought(&self) -> Option<&'static str> {
        match &self.kind {
            CandidateKind::Header(header) => header.within(),
            _ => None,
        }
    }

    /// Returns the ending of the thought that the candidate may mention.
    pub fn mention(&self) -> Option<EndingSearch> {
        match &self.kind {
            CandidateKind::InlineThought(thought) => Some(thought.ending()),
            _ => None,
        }
    }

    /// Returns true for JSON without markers that is not shown at all, given its interpretation.
    pub fn is_object(&self, interpretation: &Interpretation) -> bool {
        match &self.kind {
            CandidateKind::Object(object) => match interpretation {
                Interpretation::Parts(_) => true,
                Interpretation::Flawed(_) => object.is_doubled(),
                Interpretation::Text => false,
            },
            _ => false,
        }
    }

    /// Reads further until the kind and end of the candidate are decided.
    pub fn follow(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> (Verdict, usize) {
        let from = self.followed;
        for (at, next) in text[from..].char_indices() {
            let (start, end) = (from + at, from + at + next.len_utf8());
            if let Some((interpretation, condition)) = &mut self.complete {
                match (*condition, next) {
                    (Condition::LineEnd | Condition::Markers, ' ' | '\t' | '\r')
                        if end < LONGEST_CANDIDATE =>
                    {
                        continue;
                    }
                    (Condition::LineEnd, '\n') | (Condition::Markers, '\n' | '<' | '[') => {}
                    (Condition::Quote(quote), _) if next != quote => {}
                    (Condition::LineEnd, _) if vocabulary.turn_ends().has(&text[start..]) => {}
                    (Condition::LineEnd, _) if vocabulary.turn_ends().leads(&text[start..]) => {
                        self.followed = start;
                        return (Verdict::Undecided, text.len());
                    }
                    _ => return (Verdict::Text, start),
                }
                return (Verdict::Read(std::mem::replace(interpretation, Interpretation::Text)), start);
            }
            match self.feed(&text[..end], next, vocabulary) {
                Verdict::Undecided if end < LONGEST_CANDIDATE => {}
                Verdict::Undecided if let CandidateKind::InlineThought(thought) = &self.kind => {
                    return (Verdict::Mention(Some(thought.ending())), thought.start());
                }
                Verdict::Undecided => return (Verdict::Text, end),
                Verdict::Read(interpretation) => match (self.condition(), &self.kind) {
                    (Some(condition), _) => self.complete = Some((interpretation, condition)),
                    // The line break does not belong to the candidate.
                    (None, CandidateKind::Object(_)) if next == '\n' => {
                        return (Verdict::Read(interpretation), start);
                    }
                    (None, CandidateKind::MarkedCalls(calls)) => {
                        return (Verdict::Read(interpretation), calls.end());
                    }
                    (None, CandidateKind::Fence(fence)) => {
                        return (Verdict::Read(interpretation), fence.end());
                    }
                    (None, _) => return (Verdict::Read(interpretation), end),
                },
                // The last character does not belong to the candidate.
                mention @ Verdict::Mention(_) => return (mention, start),
                Verdict::Text if matches!(self.kind, CandidateKind::MarkedCalls(_)) => {
                    return (Verdict::Text, if start == 0 { end } else { start });
                }
                decided => return (decided, end),
            }
        }
        self.followed = text.len();
        (Verdict::Undecided, text.len())
    }

    /// Takes the next character. `text` is everything so far, with that character at its end.
    fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        match &mut self.kind {
            CandidateKind::Tag(tag) => tag.feed(text, next, vocabulary),
            CandidateKind::Object(object) => object.feed(text, next, vocabulary),
            CandidateKind::Function(function) => function.feed(text, next),
            CandidateKind::MarkedCalls(calls) => calls.feed(text, next, vocabulary),
            CandidateKind::Header(header) => match header.feed(text, next, vocabulary) {
                HeaderVerdict::Undecided => Verdict::Undecided,
                HeaderVerdict::No => Verdict::No,
                HeaderVerdict::UnknownTool => Verdict::Text,
                HeaderVerdict::Text => Verdict::Read(Interpretation::Parts(Vec::new())),
                HeaderVerdict::Thought(ending) => Verdict::Thought(ending),
                HeaderVerdict::StillThought(ending) => Verdict::StillThought(ending),
                HeaderVerdict::Call(calls) => {
                    self.kind = CandidateKind::MarkedCalls(calls);
                    Verdict::Undecided
                }
            },
            CandidateKind::PythonTag(calls) => calls.feed(text, next, vocabulary),
            CandidateKind::Fence(fence) => fence.feed(text, vocabulary),
            CandidateKind::InlineThought(thought) => thought.feed(text, next),
            CandidateKind::Dropped => Verdict::Text,
        }
    }

    /// Reads the candidate at the end of the reply. Returns the interpretation and its end.
    pub fn finish(self, text: &str, vocabulary: &ReplyVocabulary) -> (Interpretation, usize) {
        if let Some((interpretation, _)) = self.complete {
            return (interpretation, text.len());
        }
        let interpretation = match self.kind {
            CandidateKind::MarkedCalls(calls) => return calls.finish(text, vocabulary),
            CandidateKind::Object(object) => object.finish(text, vocabulary),
            CandidateKind::PythonTag(calls) if calls.begins(text) && self.context.is_apart() => {
                Interpretation::cut_off("the tool")
            }
            CandidateKind::PythonTag(calls) => calls.finish(text, vocabulary),
            CandidateKind::Fence(fence) => return fence.finish(text, vocabulary),
            CandidateKind::Header(_) if text.contains("to=functions.") => Interpretation::cut_off("the tool"),
            CandidateKind::Header(_) => Interpretation::Parts(Vec::new()),
            CandidateKind::InlineThought(thought) => return thought.finish(text),
            CandidateKind::Tag(_) | CandidateKind::Function(_) | CandidateKind::Dropped => {
                Interpretation::Text
            }
        };
        (interpretation, text.len())
    }

    /// Returns the condition on the text after the candidate once it has been read.
    fn condition(&self) -> Option<Condition> {
        match self.kind {
            CandidateKind::Tag(_) => self.context.previous.and_then(closing_quote).map(Condition::Quote),
            CandidateKind::Function(_) => Some(Condition::LineEnd),
            _ => None,
        }
    }
}
