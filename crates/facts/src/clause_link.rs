//! The links between clauses: conjunctions, relative pronouns and the like.

/// The way a clause is attached to the rest of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseLink {
    Main,
    /// *When I lived in Rome*: a time that has passed.
    When,
    /// *As soon as I have a dog*: a present tense here refers to the future.
    Once,
    /// A relative clause: *who lives in Rome*.
    Relative,
}
