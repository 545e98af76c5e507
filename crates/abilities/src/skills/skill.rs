//! A skill as read from its files.

use super::front_matter::{FrontMatter, split};

/// A skill as read from its files.
#[derive(Debug)]
pub struct Skill {
    pub source: Source,
    /// The text, or the reason why the skill cannot be used.
    pub text: Result<SkillText, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Bundled,
    User,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillText {
    pub front: FrontMatter,
    pub body: String,
}

impl SkillText {
    pub fn read(folder: &str, bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "SKILL.md is not UTF-8 text.".to_owned())?;
        let (front, body) = split(text)?;
        let front = FrontMatter::read(front)?;
        if front.name != folder {
            return Err(format!(
                "Its name is “{}” and its folder's “{folder}”. They have to match.",
                front.name
            ));
        }
        Ok(Self { front, body: body.trim().to_owned() })
    }
}

/// The reason why a file of a skill cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkillError {
    #[error("There is no skill named “{0}”.")]
    NoSkill(String),
    #[error("The skill “{name}” cannot be used: {trouble}")]
    Broken { name: String, trouble: String },
    #[error("The skill “{name}” has no file {path}.")]
    NoFile { name: String, path: String },
    #[error("{0} is not text, or is too large to be read.")]
    NotText(String),
}
