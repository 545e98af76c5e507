//! The keys of calls in JSON.

/// The keys of the name of a tool.
pub const NAME_KEYS: [&str; 4] = ["tool", "name", "function", "tool_name"];
/// The keys of the arguments.
pub const ARGUMENT_KEYS: [&str; 5] = ["args", "arguments", "parameters", "input", "tool_input"];

/// The keys that a call may begin with.
pub const FIRST_KEYS: [(&str, FirstKey); 10] = [
    ("tool", FirstKey::Name),
    ("name", FirstKey::Name),
    ("function", FirstKey::Name),
    ("type", FirstKey::Type),
    ("args", FirstKey::Other),
    ("arguments", FirstKey::Other),
    ("parameters", FirstKey::Other),
    ("speak", FirstKey::Other),
    ("tool_name", FirstKey::Name),
    ("tool_call_id", FirstKey::Other),
];

/// The kind of value that the first key announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstKey {
    /// The name of a tool, or an object with the name.
    Name,
    /// The word `function`.
    Type,
    Other,
}
