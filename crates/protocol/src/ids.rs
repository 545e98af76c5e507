//! Ids, and how they are written as text.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The digits of Crockford's Base32, which has no letters that can be mistaken for digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 13;

/// The error for a text that is not an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdError;

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id: expected 13 characters of 0-9 and a-z")
    }
}

impl std::error::Error for IdError {}

fn encode(value: i64) -> String {
    let mut rest = value.cast_unsigned();
    let mut text = [b'0'; LENGTH];
    for slot in text.iter_mut().rev() {
        *slot = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    text.iter().map(|&byte| char::from(byte)).collect()
}

fn decode(text: &str) -> Result<i64, IdError> {
    if text.len() != LENGTH {
        return Err(IdError);
    }
    let mut value: u64 = 0;
    for byte in text.bytes() {
        let digit = ALPHABET.iter().position(|&letter| letter == byte).ok_or(IdError)?;
        value = value.checked_mul(32).and_then(|v| v.checked_add(digit as u64)).ok_or(IdError)?;
    }
    i64::try_from(value).map_err(|_| IdError)
}

/// Ids are 63-bit numbers that sort by time of creation. On the wire they are text, because a JavaScript number can
/// hold only 53 bits.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ts_rs::TS)]
        #[ts(type = "string")]
        pub struct $name(i64);

        impl $name {
            pub const fn new(value: i64) -> Self {
                Self(value)
            }

            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), encode(self.0))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                decode(text).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&encode(self.0))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(IdVisitor).map(Self)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                String::schema()
            }
        }

        impl utoipa::ToSchema for $name {}
    )*};
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id of 13 characters")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<i64, E> {
        decode(text).map_err(E::custom)
    }
}

ids! {
    /// The id of a user of this Perigee. Every row of the database belongs to a user.
    UserId,
    ConversationId,
    /// The id of a message, a node in the tree of a conversation.
    MessageId,
    /// The id of a turn: one run from a message to the end of its reply.
    TurnId,
    AttachmentId,
    /// The id of an API token or of a browser session. It is public and never the secret.
    TokenId,
    /// The id of a grant, which lets a tool run with certain arguments.
    GrantId,
    /// The id of a fact in the memory.
    FactId,
    /// The id of a proposal: changes to code that the user reviews.
    ProposalId,
    /// The id of a checkpoint: a state of a workspace that can be restored.
    CheckpointId,
    /// The id of a note about a workspace.
    NoteId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_text() {
        for value in [0, 1, 31, 32, 1 << 40, i64::MAX] {
            let id = MessageId::new(value);
            assert_eq!(id.to_string().len(), LENGTH);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn text_sorts_like_the_number() {
        let earlier = TurnId::new(1 << 30).to_string();
        let later = TurnId::new((1 << 30) + 1).to_string();
        assert!(earlier < later);
    }

    #[test]
    fn what_is_not_an_id_is_refused() {
        for text in ["", "abc", "0000000000000000", "000000000000u", "zzzzzzzzzzzzz", "00000000000é"] {
            assert_eq!(text.parse::<MessageId>(), Err(IdError), "{text}");
        }
    }
}
