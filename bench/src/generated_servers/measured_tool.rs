//! The tool that is called in the measurements.

/// A server in the style of `FastMCP`, as the model generates them.
pub const TOOL: &str = include_str!("../workshop_tool.py");
/// The tool that is called; [`ARGUMENTS`] are its arguments.
pub const CALLED: &str = "scale";
pub const ARGUMENTS: &str = r#"{"grams": 125.5, "portions": 3}"#;
/// A text that the answer must contain.
pub const ANSWER: &str = "376.5 g";
