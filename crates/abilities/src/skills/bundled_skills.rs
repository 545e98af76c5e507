use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_embed::RustEmbed;

use super::skill::{Skill, SkillText, Source};

#[derive(RustEmbed)]
#[folder = "../../skills"]
struct Files;

/// The skills bundled with the program.
pub struct BundledSkills {
    /// The files by path: `meeting-notes/SKILL.md`.
    files: BTreeMap<String, Cow<'static, [u8]>>,
}

impl BundledSkills {
    pub fn embedded() -> Self {
        let files = Files::iter().filter_map(|path| {
            let file = Files::get(&path)?;
            Some((path.into_owned(), file.data))
        });
        Self { files: files.collect() }
    }

    pub fn none() -> Self {
        Self { files: BTreeMap::new() }
    }

    pub(super) fn skills(&self) -> impl Iterator<Item = (String, Skill)> {
        self.files.iter().filter_map(|(path, bytes)| {
            let folder = path.strip_suffix("/SKILL.md").filter(|folder| !folder.contains('/'))?;
            let text = SkillText::read(folder, bytes);
            Some((folder.to_owned(), Skill { source: Source::Bundled, text }))
        })
    }

    pub(super) fn files(&self, name: &str) -> Vec<String> {
        let within = self.files.keys().filter_map(|path| path.strip_prefix(name)?.strip_prefix('/'));
        within.filter(|path| *path != "SKILL.md").map(str::to_owned).collect()
    }

    pub(super) fn file(&self, name: &str, path: &str) -> Option<&[u8]> {
        let path = path.trim_start_matches("./");
        self.files.get(&format!("{name}/{path}")).map(|bytes| &**bytes)
    }
}
