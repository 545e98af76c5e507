use std::sync::Arc;

use protocol::{Permission, User};
use tools::{Tool, ToolDefinition};

use crate::tool_access::{ToolAccess, may_use};

/// The tools available in an answer: all tools, or those of a mode together with some of the general ones.
#[derive(Default)]
pub struct ToolSet {
    mode: Option<ModeTools>,
}

struct ModeTools {
    own: Vec<Arc<dyn Tool>>,
    /// The names of the general tools that the mode includes.
    general: &'static [&'static str],
    /// The names of the mode's tools that are offered; `None` means all. The others are refused if they are called
    /// anyway.
    offered: Option<&'static [&'static str]>,
}

impl ToolSet {
    /// Creates the tools of a mode, the most useful first.
    pub fn of_mode(own: Vec<Arc<dyn Tool>>, general: &'static [&'static str]) -> Self {
        Self { mode: Some(ModeTools { own, general, offered: None }) }
    }

    /// Offers only these of the mode's own tools.
    #[must_use]
    pub fn offering(self, names: &'static [&'static str]) -> Self {
        Self { mode: self.mode.map(|mode| ModeTools { offered: Some(names), ..mode }) }
    }

    /// Returns true if the set does not change when MCP servers connect or disconnect.
    pub fn is_fixed(&self) -> bool {
        self.mode.is_some()
    }

    /// Finds a tool by its name or a tag, if its group is on and the user may use it.
    pub fn find(&self, access: &ToolAccess, user: &User, name: &str) -> Option<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return access.find(user, name) };
        let own = mode.own.iter().find(|tool| tool.spec().name == name && may_use(user, tool.spec()));
        own.cloned().or_else(|| access.find(user, name).filter(|tool| mode.has(tool.spec())))
    }

    /// Returns the tools that are not blocked for this user, including those that need a confirmation.
    pub fn permitted(&self, access: &ToolAccess, user: &User) -> Vec<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return access.permitted(user) };
        let own = mode.own.iter().filter(|tool| {
            let is_offered = mode.offered.is_none_or(|names| names.contains(&tool.spec().name.as_str()));
            is_offered
                && may_use(user, tool.spec())
                && access.permission(user, tool.as_ref()) != Permission::Block
        });
        let general = access.permitted(user).into_iter().filter(|tool| mode.has(tool.spec()));
        own.cloned().chain(general).collect()
    }

    /// Returns all tools, including those of groups that are off.
    pub fn all(&self, access: &ToolAccess) -> Vec<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return access.all() };
        let general = access.all().into_iter().filter(|tool| mode.has(tool.spec()));
        mode.own.iter().cloned().chain(general).collect()
    }

    /// Returns the rank by which tools are offered if not all fit; a lower one comes first.
    pub fn rank(&self, name: &str) -> usize {
        let place = match &self.mode {
            Some(mode) => mode.own.iter().position(|tool| tool.spec().name == name),
            None if LAST.contains(&name) => None,
            None => Some(FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len())),
        };
        place.unwrap_or(usize::MAX)
    }

    /// Returns true if the tool is one of the most useful.
    pub fn is_among_first(&self, name: &str) -> bool {
        self.mode.is_none() && FIRST.contains(&name)
    }
}

impl ModeTools {
    fn has(&self, spec: &ToolDefinition) -> bool {
        self.general.contains(&spec.name.as_str())
    }
}

/// Tools that are offered last. The avatar moves without them, so tools that help the user come first.
const LAST: [&str; 6] =
    ["express", "get_animations", "get_backgrounds", "panel", "play_animation", "set_background"];

/// The general tools that are offered first.
const FIRST: [&str; 12] = [
    "skill",
    "calculate",
    "time",
    "web_search",
    "web_fetch",
    "memory_create",
    "memory_read",
    "memory_list",
    "widget",
    "map",
    "open",
    "weather",
];
