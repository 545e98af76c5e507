//! Tools that read skills.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tools::{Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use super::Skills;
use super::skill::SkillError;
use tools::blocking::in_background;

/// The most characters of a skill's text for the model: about six thousand tokens.
const LONGEST_BODY: usize = 24_000;
const LONGEST_FILE: usize = 24_000;

/// Returns the tools `skill` and `skill_file`.
///
/// Neither taints: a skill came with the program or was put into the data folder by the user, in which case its content
/// is the user's own choice.
pub fn tools(skills: &Arc<Skills>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let name = json!({"type": "string", "description": "The skill's name"});
    let mut skill = ToolDefinition::new(
        "skill",
        "Reads how to do something well. Call it first when a skill of the list fits what the user wants.",
        json!({
            "type": "object",
            "properties": {"name": name},
            "required": ["name"],
            "additionalProperties": false,
        }),
    )?;
    skill.asked_by = ["skill", "skills"].map(str::to_owned).to_vec();
    skill.tags = vec!["SKILL".to_owned()];
    skill.output_limit = LONGEST_BODY;
    let mut file = ToolDefinition::new(
        "skill_file",
        "Reads a further file of a skill.",
        json!({
            "type": "object",
            "properties": {
                "name": name,
                "path": {"type": "string", "description": "As the skill lists it"},
            },
            "required": ["name", "path"],
            "additionalProperties": false,
        }),
    )?;
    file.output_limit = LONGEST_FILE;
    Ok(vec![
        Arc::new(ReadSkill { spec: skill, skills: Arc::clone(skills) }),
        Arc::new(ReadFile { spec: file, skills: Arc::clone(skills) }),
    ])
}

struct ReadSkill {
    spec: ToolDefinition,
    skills: Arc<Skills>,
}

struct ReadFile {
    spec: ToolDefinition,
    skills: Arc<Skills>,
}

#[async_trait]
impl Tool for ReadSkill {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let (skills, limit) = (Arc::clone(&self.skills), self.spec.output_limit);
        in_background(move || read_skill(&skills, named(&invocation.arguments), limit)).await
    }
}

fn read_skill(skills: &Skills, name: String, limit: usize) -> Result<ToolOutput, ToolError> {
    let Some(view) = skills.view(&name) else { return Err(unknown(skills, &name)) };
    if let Some(trouble) = view.skill.trouble {
        return Err(ToolError::Impossible(SkillError::Broken { name, trouble }.to_string()));
    }
    let end = end_of(&view.skill.files, view.skill.allowed_tools.as_deref());
    // The restriction of tools comes last and is reserved space, so that only the body of the skill is cut.
    let end = ToolOutput::text(end).capped(limit / 4).text;
    let text = ToolOutput::text(view.body).capped(limit - end.chars().count()).text;
    Ok(ToolOutput { text: text + &end, follows: Some(name), ..ToolOutput::default() })
}

fn end_of(files: &[String], allowed: Option<&[String]>) -> String {
    let files = match files {
        [] => String::new(),
        files => format!("\n\nFurther files, for skill_file: {}", files.join(", ")),
    };
    let allowed =
        allowed.map(|allowed| if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") });
    let allowed = allowed
        .map(|allowed| format!("\n\nWhile you follow this skill, only these tools run: {allowed}"))
        .unwrap_or_default();
    files + &allowed
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let (skills, limit) = (Arc::clone(&self.skills), self.spec.output_limit);
        in_background(move || {
            let Invocation { arguments, .. } = invocation;
            read_file(&skills, &named(&arguments), text(&arguments, "path"), limit)
        })
        .await
    }
}

fn read_file(skills: &Skills, name: &str, path: &str, limit: usize) -> Result<ToolOutput, ToolError> {
    match skills.file(name, path) {
        Ok(text) => Ok(ToolOutput::text(text).capped(limit)),
        Err(SkillError::NoSkill(name)) => Err(unknown(skills, &name)),
        Err(error @ SkillError::NoFile { .. }) => {
            let files = skills.view(name).map(|view| view.skill.files).unwrap_or_default();
            let files = if files.is_empty() { "no further files".to_owned() } else { files.join(", ") };
            Err(ToolError::Impossible(format!("{error} It has {files}.")))
        }
        Err(error) => Err(ToolError::Impossible(error.to_string())),
    }
}

fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim()
}

/// Normalises a skill's name: `Meeting notes` becomes `meeting-notes`.
fn named(arguments: &Map<String, Value>) -> String {
    let name = text(arguments, "name").to_lowercase();
    name.chars().take(100).map(|c| if c == ' ' || c == '_' { '-' } else { c }).collect()
}

fn unknown(skills: &Skills, name: &str) -> ToolError {
    let names = skills.usable();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let error = SkillError::NoSkill(name.to_owned());
    let text = format!("{error} There are: {names}.");
    ToolError::Impossible(ToolOutput::text(text).capped(2_000).text)
}
