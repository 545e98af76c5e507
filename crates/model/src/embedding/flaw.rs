use serde_json::Value;

use crate::ModelError;
use crate::http::Blame;

/// A fault in a response that should contain vectors.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Flaw {
    Nothing,
    WebPage,
    /// The response is not in the requested format.
    Unreadable,
    /// The body is an error, although the status is success.
    Error(Value),
    Count {
        texts: usize,
        vectors: usize,
    },
    /// The indexes do not assign exactly one vector to each text.
    Numbering,
    Empty,
    Length {
        expected: usize,
        came: usize,
    },
    NotANumber,
    /// A vector is all zeros, which has no direction and so no similarity to anything.
    Zeros,
}

impl Flaw {
    pub(super) fn in_words(self, blame: &Blame, model: &str) -> ModelError {
        let place = blame.place();
        let otherwise = blame.otherwise();
        let words = match self {
            Flaw::Nothing => return blame.empty(),
            Flaw::WebPage => return blame.web_page(),
            Flaw::Unreadable => return blame.garbled(false),
            Flaw::Error(said) => return blame.said(&said),
            Flaw::Count { texts, vectors } => format!(
                "The server at {place} was given {texts} texts and answered {vectors} vectors. Try again, or \
                 {otherwise}."
            ),
            Flaw::Numbering => format!(
                "The server at {place} answered vectors, but not to which text each belongs. Try again, or \
                 {otherwise}."
            ),
            Flaw::Empty => format!(
                "The model “{model}” at {place} answered a vector without numbers: it may not be an embedding \
                 model. To go on, {otherwise}."
            ),
            Flaw::Length { expected, came } => format!(
                "The model “{model}” at {place} answered a vector of {came} numbers, where {expected} were expected. \
                 It may be another model than before: restart Perigee, or {otherwise}."
            ),
            Flaw::NotANumber => format!(
                "The model “{model}” at {place} answered a vector in which not everything is a number. Try again, \
                 or {otherwise}."
            ),
            Flaw::Zeros => format!(
                "The model “{model}” at {place} answered a vector of zeros alone. It may not be loaded: try again, or \
                 {otherwise}."
            ),
        };
        ModelError::Nonsense(words)
    }
}
