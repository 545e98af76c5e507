//! Skills: folders with a `SKILL.md` that tells how to do something well, in the public Agent Skills format.
//!
//! A prompt contains only their names and descriptions; the text of a skill is read when it fits the user's request.
//! Bundled skills are part of the program. A user's own skills are in the data folder, override bundled ones of the
//! same name, and are reloaded when they change.
//!
//! Start with [`Skills`].

mod allowed_tools;
mod bundled_skills;
mod front_matter;
mod prompt_list;
mod skill;
mod tools;
mod user_skills;
mod yaml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::{SkillInfo, SkillView};

pub use self::tools::tools;
pub use bundled_skills::BundledSkills;
pub use skill::SkillError;
use skill::{Skill, Source};
use user_skills::{SkillStamp, UserSkills};

/// The tools for reading skills, which are allowed even while a skill restricts the tools.
const ALWAYS_ALLOWED: [&str; 2] = ["skill", "skill_file"];
/// All bundled and user skills.
pub struct Skills {
    shipped: BundledSkills,
    own: UserSkills,
    known: Mutex<Option<(Vec<SkillStamp>, All)>>,
}

type All = Arc<BTreeMap<String, Skill>>;

impl Skills {
    pub fn open(shipped: BundledSkills, folder: impl Into<PathBuf>) -> Self {
        Self { shipped, own: UserSkills::new(folder.into()), known: Mutex::default() }
    }

    /// Returns the folder for the user's own skills.
    pub fn folder(&self) -> &Path {
        self.own.path()
    }

    /// Returns every skill by name, including unusable ones with their error.
    pub fn list(&self) -> Vec<SkillInfo> {
        self.all().iter().map(|(name, skill)| self.info(name, skill)).collect()
    }

    /// Returns the names of the usable skills.
    pub fn usable(&self) -> Vec<String> {
        let all = self.all();
        all.iter().filter(|(_, skill)| skill.text.is_ok()).map(|(name, _)| name.clone()).collect()
    }

    pub fn view(&self, name: &str) -> Option<SkillView> {
        let all = self.all();
        let skill = all.get(name)?;
        let body = skill.text.as_ref().map(|text| text.body.clone()).unwrap_or_default();
        Some(SkillView { skill: self.info(name, skill), body })
    }

    /// Lists the usable skills for the prompt, one per line, within `budget` characters.
    pub fn prompt(&self, budget: usize) -> String {
        let all = self.all();
        let usable = all.iter().filter_map(|(name, skill)| {
            Some((name.as_str(), skill.text.as_ref().ok()?.front.description.as_str()))
        });
        prompt_list::lines(&usable.collect::<Vec<_>>(), budget)
    }

    /// Returns the tools that may run while a skill is followed. `None` if it allows all tools, or there is no such
    /// skill.
    ///
    /// An entry with brackets, such as `run_command(git:*)`, is narrower than a tool and names none.
    pub fn allowed_tools(&self, name: &str) -> Option<Vec<String>> {
        let all = self.all();
        let mut names = all.get(name)?.text.as_ref().ok()?.front.allowed_tools.clone()?;
        for tool in ALWAYS_ALLOWED {
            if !names.iter().any(|allowed| allowed == tool) {
                names.push(tool.to_owned());
            }
        }
        Some(names)
    }

    /// Returns the text of a further file of a skill.
    pub fn file(&self, name: &str, path: &str) -> Result<String, SkillError> {
        let all = self.all();
        let skill = all.get(name).ok_or_else(|| SkillError::NoSkill(name.to_owned()))?;
        let bytes = match skill.source {
            Source::Bundled => self.shipped.file(name, path).map(<[u8]>::to_vec),
            Source::User => self.own.file(name, path)?,
        };
        let bytes =
            bytes.ok_or_else(|| SkillError::NoFile { name: name.to_owned(), path: path.to_owned() })?;
        String::from_utf8(bytes).map_err(|_| SkillError::NotText(path.to_owned()))
    }

    fn info(&self, name: &str, skill: &Skill) -> SkillInfo {
        let front = skill.text.as_ref().ok().map(|text| &text.front);
        let files = match skill.source {
            Source::Bundled => self.shipped.files(name),
            Source::User => self.own.files(name),
        };
        SkillInfo {
            name: name.to_owned(),
            description: front.map(|front| front.description.clone()).unwrap_or_default(),
            allowed_tools: front.and_then(|front| front.allowed_tools.clone()),
            shipped: skill.source == Source::Bundled,
            licence: front.and_then(|front| front.licence.clone()),
            files,
            trouble: skill.text.as_ref().err().cloned(),
        }
    }

    fn all(&self) -> All {
        let stamps = self.own.stamps();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((seen, all)) = known.as_ref()
            && *seen == stamps
        {
            return Arc::clone(all);
        }
        let mut all: BTreeMap<String, Skill> = self.shipped.skills().collect();
        // A broken skill overrides the bundled one as well, which the user meant to replace.
        all.extend(self.own.read(&stamps));
        let all = Arc::new(all);
        *known = Some((stamps, Arc::clone(&all)));
        all
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test are its own")]
#[path = "skills_tests.rs"]
mod tests;
