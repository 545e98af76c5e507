//! The front matter of a `SKILL.md`.

use super::allowed_tools;
use super::yaml::{self, YamlNode};

const LARGEST_FRONT: usize = 16 * 1024;
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1_024;
const LONGEST_NOTE: usize = 500;

/// The fields of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    pub name: String,
    pub description: String,
    pub licence: Option<String>,
    /// The allowed tools, under the names of built-in tools where these exist.
    pub allowed_tools: Option<Vec<String>>,
}

/// Splits the text into front matter and body.
pub fn split(text: &str) -> Result<(&str, &str), String> {
    const MISSING: &str =
        "SKILL.md has to begin with front matter: a line ---, then name and description, then ---.";
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---").ok_or(MISSING)?;
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == "---" {
            return Ok((&text[first.len()..end], &text[end + line.len()..]));
        }
        end += line.len();
        if end > LARGEST_FRONT {
            return Err(format!("The front matter is longer than {} KB.", LARGEST_FRONT / 1024));
        }
    }
    Err(MISSING.to_owned())
}

impl FrontMatter {
    pub fn read(text: &str) -> Result<Self, String> {
        let node = yaml::read(text).or_else(|error| {
            yaml::read(&quoted(text)).map_err(|_| format!("In the front matter, {error}."))
        })?;
        if !matches!(node, YamlNode::Map(_)) {
            return Err("The front matter has to have a name and a description.".to_owned());
        }
        let name = required(&node, "name", LONGEST_NAME)?;
        if !is_name(&name) {
            return Err(
                "The name may have small letters, digits, and single hyphens between them.".to_owned()
            );
        }
        // Only validated; nothing here uses them.
        optional(&node, "compatibility", LONGEST_NOTE)?;
        if let Some(node) = node.get("metadata")
            && !matches!(node, YamlNode::Map(_) | YamlNode::Nothing)
        {
            return Err("metadata has to be a map of names and texts.".to_owned());
        }
        Ok(Self {
            name,
            description: required(&node, "description", LONGEST_DESCRIPTION)?,
            licence: optional(&node, "license", LONGEST_NOTE)?,
            allowed_tools: tools(&node)?,
        })
    }
}

fn required(node: &YamlNode, name: &str, most: usize) -> Result<String, String> {
    optional(node, name, most)?.ok_or_else(|| format!("The {name} is missing."))
}

fn optional(node: &YamlNode, name: &str, most: usize) -> Result<Option<String>, String> {
    match node.get(name) {
        None | Some(YamlNode::Nothing) => Ok(None),
        Some(YamlNode::Text(text)) => {
            // Reduced to one line, since it appears in lists and prompts.
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match text.chars().count() {
                0 => Ok(None),
                length if length > most => Err(format!("The {name} is longer than {most} characters.")),
                _ => Ok(Some(text)),
            }
        }
        Some(_) => Err(format!("The {name} has to be text.")),
    }
}

fn tools(node: &YamlNode) -> Result<Option<Vec<String>>, String> {
    const WRONG: &str = "allowed-tools has to be a list of names, or names with spaces between them.";
    let entries = match node.get("allowed-tools") {
        None | Some(YamlNode::Nothing) => return Ok(None),
        Some(YamlNode::Text(text)) => allowed_tools::split(text),
        Some(YamlNode::List(items)) => {
            let text = |item: &YamlNode| match item {
                YamlNode::Text(text) => Ok(text.trim().to_owned()),
                _ => Err(WRONG.to_owned()),
            };
            items.iter().map(text).collect::<Result<_, _>>()?
        }
        Some(YamlNode::Map(_)) => return Err(WRONG.to_owned()),
    };
    Ok(Some(allowed_tools::ours(&entries)))
}

fn is_name(name: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split('-').all(is_part)
}

/// Quotes one-line values that contain a colon. People write `description: Use when: …`, which is invalid YAML but
/// unambiguous.
fn quoted(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let plain = line.split_once(": ").filter(|(name, value)| {
            let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            let is_marked = value.trim_start().starts_with(['"', '\'', '|', '>', '[', '{', '&', '*', '!']);
            is_word && !is_marked && value.contains(": ")
        });
        match plain {
            Some((name, value)) => format!("{name}: {}", serde_json::Value::from(value.trim())),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "front_matter_tests.rs"]
mod tests;
