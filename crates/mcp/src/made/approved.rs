//! The approvals of servers. They are stored in the database, where no file in a server's folder can change them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shelf::Entry;
use crate::offered::Offered;

/// A stored approval.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Approved {
    pub tools: Vec<Offered>,
    /// `None` for an approval from a version that did not store it.
    #[serde(default)]
    pub seen: Option<Seen>,
}

/// A server as shown to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    pub code: String,
    pub description: String,
    pub allow_network: bool,
}

impl Seen {
    pub fn of(code: &str, entry: &Entry) -> Self {
        let Entry { description, allow_network, .. } = entry;
        Self { code: code.to_owned(), description: description.clone(), allow_network: *allow_network }
    }
}

impl Approved {
    /// Reads a stored approval. An unreadable one counts as not approved.
    pub fn read(kept: Option<Value>) -> Self {
        match kept {
            // The older format was the list of tools alone.
            Some(list @ Value::Array(_)) => {
                Self { tools: serde_json::from_value(list).unwrap_or_default(), seen: None }
            }
            Some(whole) => serde_json::from_value(whole).unwrap_or_default(),
            None => Self::default(),
        }
    }

    pub fn to_json(&self) -> Value {
        json!({"tools": self.tools, "seen": self.seen})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_is_read_as_it_was_kept_and_as_it_once_was() {
        let tool =
            json!({"name": "roll", "description": "Rolls.", "parameters": {"type": "object"}, "title": null});
        let seen = Seen { code: "x".into(), description: "Dice.".into(), allow_network: true };
        let tools: Vec<Offered> = serde_json::from_value(json!([tool])).unwrap();
        let whole = Approved { tools: tools.clone(), seen: Some(seen) };
        assert_eq!(Approved::read(Some(whole.to_json())), whole);
        assert_eq!(Approved::read(Some(json!([tool]))), Approved { tools, seen: None });
        for broken in [None, Some(json!("x")), Some(json!({"tools": 3})), Some(json!([{"name": 1}]))] {
            assert_eq!(Approved::read(broken), Approved::default());
        }
    }
}
