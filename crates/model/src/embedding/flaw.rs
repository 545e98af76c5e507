use serde_json::Value;

use crate::ModelError;
use crate::http::ServerErrors;

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
    pub(super) fn in_words(self, errors: &ServerErrors, model: &str) -> ModelError {
        let place = errors.place();
        let otherwise = errors.otherwise();
        let words = match self {
            Flaw::Nothing => return errors.empty(),
            Flaw::WebPage => return errors.web_page(),
            Flaw::Unreadable => return errors.garbled(false),
            Flaw::Error(said) => return errors.said(&said),
            Flaw::Count { texts, vectors } => format!(
                "The server at {place} was sent {texts} texts and returned {vectors} vectors. Try again, or \
                 {otherwise}."
            ),
            Flaw::Numbering => format!(
                "The server at {place} returned vectors without saying which text each belongs to. Try again, or \
                 {otherwise}."
            ),
            Flaw::Empty => format!(
                "The model “{model}” at {place} returned an empty vector: it may not be an embedding \
                 model. To continue, {otherwise}."
            ),
            Flaw::Length { expected, came } => format!(
                "The model “{model}” at {place} returned a vector of {came} numbers instead of {expected}. \
                 It may be a different model than before: restart Perigee, or {otherwise}."
            ),
            Flaw::NotANumber => format!(
                "The model “{model}” at {place} returned a vector with invalid numbers. Try again, \
                 or {otherwise}."
            ),
            Flaw::Zeros => format!(
                "The model “{model}” at {place} returned a vector of zeros. It may not be loaded: try again, or \
                 {otherwise}."
            ),
        };
        ModelError::Nonsense(words)
    }
}
