//! The approvals of servers. They are stored in the database, where no file in a server's folder can change them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::server_files::ManifestEntry;
use crate::offered_tool::OfferedTool;

/// A stored approval.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct StoredApproval {
    pub tools: Vec<OfferedTool>,
    /// `None` for an approval from a version that did not store it.
    #[serde(default, rename = "seen")]
    pub approved_source: Option<ApprovedSource>,
}

/// A server as shown to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedSource {
    pub code: String,
    pub description: String,
    pub allow_network: bool,
}

impl ApprovedSource {
    pub fn of(code: &str, entry: &ManifestEntry) -> Self {
        let ManifestEntry { description, allow_network, .. } = entry;
        Self { code: code.to_owned(), description: description.clone(), allow_network: *allow_network }
    }
}

impl StoredApproval {
    /// Reads a stored approval. An unreadable one counts as not approved.
    pub fn read(stored: Option<Value>) -> Self {
        match stored {
            // The older format was the list of tools alone.
            Some(list @ Value::Array(_)) => {
                Self { tools: serde_json::from_value(list).unwrap_or_default(), approved_source: None }
            }
            Some(whole) => serde_json::from_value(whole).unwrap_or_default(),
            None => Self::default(),
        }
    }

    pub fn to_json(&self) -> Value {
        json!({"tools": self.tools, "seen": self.approved_source})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_is_read_as_it_was_kept_and_as_it_once_was() {
        let tool =
            json!({"name": "roll", "description": "Rolls.", "parameters": {"type": "object"}, "title": null});
        let approved_source =
            ApprovedSource { code: "x".into(), description: "Dice.".into(), allow_network: true };
        let tools: Vec<OfferedTool> = serde_json::from_value(json!([tool])).unwrap();
        let whole = StoredApproval { tools: tools.clone(), approved_source: Some(approved_source) };
        assert_eq!(StoredApproval::read(Some(whole.to_json())), whole);
        assert_eq!(
            StoredApproval::read(Some(json!([tool]))),
            StoredApproval { tools, approved_source: None }
        );
        for broken in [None, Some(json!("x")), Some(json!({"tools": 3})), Some(json!([{"name": 1}]))] {
            assert_eq!(StoredApproval::read(broken), StoredApproval::default());
        }
    }
}
