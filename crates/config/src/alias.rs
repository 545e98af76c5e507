//! Alternative setting names: those of Moonlet, mapped to Perigee's own.

use serde_json::Value;

use crate::document::{SettingEntry, SettingNode};
use crate::table::{Field, field};

const NAMES: &[(&str, &str)] = &[
    ("debug", "debug"),
    ("debug_log_path", "debug_log_path"),
    ("server_port", "server.port"),
    ("use_chat_tools", "llm.tools"),
];

/// Resolves a Moonlet name at the top level of the file, in lower or upper case, to the setting and its converted
/// value.
pub(crate) fn resolve(key: &str, node: &SettingNode) -> Option<(&'static Field, Value)> {
    let (_, ours) = NAMES.iter().find(|(name, _)| key.eq_ignore_ascii_case(name))?;
    let value = match (*ours, node.to_value()) {
        ("llm.tools", Value::Bool(true)) => "auto".into(),
        ("llm.tools", Value::Bool(false)) => "text".into(),
        (_, value) => value,
    };
    Some((field(ours)?, value))
}

/// Returns every alternative spelling of this setting in a file, without its own name.
pub(crate) fn spellings(key: &str) -> impl Iterator<Item = String> {
    NAMES
        .iter()
        .filter(move |(_, ours)| *ours == key)
        .flat_map(|(name, _)| [(*name).to_owned(), name.to_uppercase()])
        .filter(move |name| name != key)
}

/// Returns true if the file also gives the setting under its own name.
pub(crate) fn own_name_given(top: &[SettingEntry], field: &Field) -> bool {
    let mut entries = top;
    let mut path = field.path().peekable();
    while let Some(part) = path.next() {
        match entries.iter().find(|entry| entry.key == part) {
            Some(_) if path.peek().is_none() => return true,
            Some(SettingEntry { node: SettingNode::Table(inner), .. }) => entries = inner,
            None | Some(_) => return false,
        }
    }
    false
}
