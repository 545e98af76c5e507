use std::sync::Arc;

use protocol::{Permission, User};
use tools::{Spec, Tool};

use crate::hands::{Hands, is_for};

/// What there is to act with in an answer: all that she can do, or what a mode brings and what of hers goes with it.
#[derive(Default)]
pub struct Kit {
    mode: Option<ModeTools>,
}

struct ModeTools {
    own: Vec<Arc<dyn Tool>>,
    /// The names of those of hers.
    hers: &'static [&'static str],
    /// Those of its own that are offered; nothing means all. The rest is refused where it is called nevertheless.
    offered: Option<&'static [&'static str]>,
}

impl Kit {
    /// The tools of a mode, the most useful first.
    pub fn of_mode(own: Vec<Arc<dyn Tool>>, hers: &'static [&'static str]) -> Self {
        Self { mode: Some(ModeTools { own, hers, offered: None }) }
    }

    /// The same with no others of its own offered than these.
    #[must_use]
    pub fn offering(self, names: &'static [&'static str]) -> Self {
        Self { mode: self.mode.map(|mode| ModeTools { offered: Some(names), ..mode }) }
    }

    /// Whether it stays as it is, whatever servers come and go.
    pub fn is_fixed(&self) -> bool {
        self.mode.is_some()
    }

    /// A tool by its name or a tag, if its group is on and it is for this user.
    pub fn find(&self, hands: &Hands, user: &User, name: &str) -> Option<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return hands.find(user, name) };
        let own = mode.own.iter().find(|tool| tool.spec().name == name && is_for(user, tool.spec()));
        own.cloned().or_else(|| hands.find(user, name).filter(|tool| mode.has(tool.spec())))
    }

    /// The tools that this user can have run, asked about or not.
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

    /// Every tool there is, also of groups that are off.
    pub fn all(&self, hands: &Hands) -> Vec<Arc<dyn Tool>> {
        let Some(mode) = &self.mode else { return hands.all() };
        let hers = hands.all().into_iter().filter(|tool| mode.has(tool.spec()));
        mode.own.iter().cloned().chain(hers).collect()
    }

    /// How early a tool is offered where not all have room.
    pub fn rank(&self, name: &str) -> usize {
        let place = match &self.mode {
            Some(mode) => mode.own.iter().position(|tool| tool.spec().name == name),
            None if LAST.contains(&name) => None,
            None => Some(FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len())),
        };
        place.unwrap_or(usize::MAX)
    }

    /// Whether it is one of the most useful.
    pub fn is_among_first(&self, name: &str) -> bool {
        self.mode.is_none() && FIRST.contains(&name)
    }
}

impl ModeTools {
    fn has(&self, spec: &Spec) -> bool {
        self.hers.contains(&spec.name.as_str())
    }
}

/// Her body does without being told; what helps the user goes before it.
const LAST: [&str; 6] =
    ["express", "get_animations", "get_backgrounds", "panel", "play_animation", "set_background"];

/// Of hers, these come first.
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
