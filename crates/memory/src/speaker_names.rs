//! The names under which messages are found.

use protocol::User;

/// The names of the user and the companion, under which their messages are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeakerNames {
    pub user: String,
    pub companion: String,
}

/// Returns the names for a user.
pub type SpeakerNamesOf = Box<dyn Fn(&User) -> SpeakerNames + Send + Sync>;
