use std::sync::Arc;

use protocol::{Permission, User};
use tools::{Spec, Tool};

use crate::hands::{Hands, is_for};

/// The tools available in an answer: all tools, or those of a mode together with some of the general ones.
#[derive(Default)]
pub struct Kit {
    mode: Option<ModeTools>,
}

struct ModeTools {
    own: Vec<Arc<dyn Tool>>,
    /// The names of the general tools that the mode includes.
    hers: &'static [&'static str],
    /// The names of the mode's tools that are offered; `None` means all. The others are refused if they are called
    /// anyway.
    offered: Option<&'static [&'static str]>,
}

impl Kit {
    /// Creates the tools of a mode, the most useful first.
    pub fn of_mode(own: Vec<Arc<dyn Tool>>, hers: &'static [&'static str]) -> Self {
        Self { mode: Some(ModeTools { own, hers, offered: None }) }
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
    pub fn find(&self, hands: &Hands, user: &User, name: &str) -> Option<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return hands.find(user, name) };
        let own = mode.own.iter().find(|tool| tool.spec().name == name && is_for(user, tool.spec()));
        own.cloned().or_else(|| hands.find(user, name).filter(|tool| mode.has(tool.spec())))
    }

    /// Returns the tools that are not blocked for this user, including those that need a confirmation.
    pub fn permitted(&self, hands: &Hands, user: &User) -> Vec<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return hands.permitted(user) };
        let own = mode.own.iter().filter(|tool| {
            let is_offered = mode.offered.is_none_or(|names| names.contains(&tool.spec().name.as_str()));
            is_offered
                && is_for(user, tool.spec())
                && hands.permission(user, tool.as_ref()) != Permission::Block
        });
        let hers = hands.permitted(user).into_iter().filter(|tool| mode.has(tool.spec()));
        own.cloned().chain(hers).collect()
    }

    /// Returns all tools, including those of groups that are off.
    pub fn all(&self, hands: &Hands) -> Vec<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return hands.all() };
        let hers = hands.all().into_iter().filter(|tool| mode.has(tool.spec()));
        mode.own.iter().cloned().chain(hers).collect()
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
    fn has(&self, spec: &Spec) -> bool {
        self.hers.contains(&spec.name.as_str())
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
