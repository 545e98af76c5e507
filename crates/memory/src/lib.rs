//! What she remembers of people and of what was said.
//!
//! Start with [`recall`].

pub mod facts;
pub mod recall;
