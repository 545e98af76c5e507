//! The error type of the whole tool: a sentence for the user at the terminal.

use std::fmt;

/// An error message that says what to do next.
///
/// It does not implement [`std::error::Error`], so that `?` can convert any such error to it.
#[derive(Debug)]
pub struct Failure(String);

/// A result with a [`Failure`] as its error.
pub type TaskResult<T = ()> = Result<T, Failure>;

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Prefixes an error with the name of the thing that failed.
pub trait ErrorContext<T> {
    fn named(self, thing: impl fmt::Display) -> TaskResult<T>;
}

impl<T, E: fmt::Display> ErrorContext<T> for Result<T, E> {
    fn named(self, thing: impl fmt::Display) -> TaskResult<T> {
        self.map_err(|error| Failure(format!("{thing}: {error}")))
    }
}
