use std::collections::BTreeMap;
use std::sync::Arc;

use crate::spec::{Group, ToolDefinition};
use crate::tool::Tool;

/// All tools by name, and the tags that stand for them.
#[derive(Default, Clone)]
pub struct ToolRegistry {
    tools: BTreeMap<String, Arc<dyn Tool>>,
    tags: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// The name is taken: a tool never replaces another.
    #[error("there is already a tool named {0}")]
    Taken(String),
    #[error("the tag [{tag}:…] already belongs to {tool}")]
    TagTaken { tag: String, tool: String },
}

impl ToolRegistry {
    pub fn add(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let ToolDefinition { name, tags, .. } = tool.spec();
        let name = name.clone();
        if self.tools.contains_key(&name) {
            return Err(RegistryError::Taken(name));
        }
        if let Some(tool) = self.tags.get(&name) {
            return Err(RegistryError::TagTaken { tag: name, tool: tool.clone() });
        }
        if let Some(tag) = tags.iter().find(|tag| self.tools.contains_key(*tag)) {
            return Err(RegistryError::Taken(tag.clone()));
        }
        if let Some((tag, tool)) = tags.iter().find_map(|tag| self.tags.get_key_value(tag)) {
            return Err(RegistryError::TagTaken { tag: tag.clone(), tool: tool.clone() });
        }
        self.tags.extend(tags.iter().map(|tag| (tag.clone(), name.clone())));
        self.tools.insert(name, tool);
        Ok(())
    }

    /// Replaces the tools of a server. Tools whose name or tag is taken are left out and reported.
    pub fn replace(&mut self, server: &str, tools: Vec<Arc<dyn Tool>>) -> Vec<RegistryError> {
        self.tools.retain(|_, tool| tool.spec().server.as_deref() != Some(server));
        let tools_left = &self.tools;
        self.tags.retain(|_, name| tools_left.contains_key(name));
        tools.into_iter().filter_map(|tool| self.add(tool).err()).collect()
    }

    /// Finds a tool by name or tag if its group is on. A tool whose group is off cannot be found by either.
    pub fn find(&self, name: &str, is_on: impl Fn(Group) -> bool) -> Option<&Arc<dyn Tool>> {
        let name = self.tags.get(name).map_or(name, String::as_str);
        self.tools.get(name).filter(|tool| is_on(tool.spec().group))
    }

    /// Returns the tools whose groups are on, sorted by name.
    pub fn all<'a>(&'a self, is_on: impl Fn(Group) -> bool + 'a) -> impl Iterator<Item = &'a Arc<dyn Tool>> {
        self.tools.values().filter(move |tool| is_on(tool.spec().group))
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use serde_json::json;

    use super::*;
    use crate::output::ToolOutput;
    use crate::tool::{Invocation, ToolError};

    struct Named(ToolDefinition);

    #[async_trait]
    impl Tool for Named {
        fn spec(&self) -> &ToolDefinition {
            &self.0
        }

        async fn run(&self, _: Invocation) -> Result<ToolOutput, ToolError> {
            Ok(ToolOutput::default())
        }
    }

    fn named(name: &str, tag: &str, group: Group) -> Arc<dyn Tool> {
        let spec = ToolDefinition::new(name, "", json!({"type": "object"})).unwrap();
        Arc::new(Named(ToolDefinition { tags: vec![tag.to_owned()], group, ..spec }))
    }

    #[test]
    fn tools_are_found_by_name_and_tag_as_long_as_their_group_is_on() {
        let mut registry = ToolRegistry::default();
        registry.add(named("web_search", "WEB_SEARCH", Group::WebSearch)).unwrap();
        registry.add(named("clock", "TIME", Group::Basic)).unwrap();
        let found = |name: &str, off: Option<Group>| {
            registry.find(name, |group| Some(group) != off).map(|tool| tool.spec().name.clone())
        };
        for name in ["web_search", "WEB_SEARCH"] {
            assert_eq!(found(name, None).as_deref(), Some("web_search"));
            assert_eq!(found(name, Some(Group::WebSearch)), None);
        }
        assert_eq!(found("nothing", None), None);
        let names: Vec<_> = registry.all(|_| true).map(|tool| tool.spec().name.clone()).collect();
        assert_eq!(names, ["clock", "web_search"], "in the same order every time");
    }

    #[test]
    fn what_a_server_brings_comes_and_goes_as_a_whole() {
        let brought = |name: &str, server: &str| -> Arc<dyn Tool> {
            let spec = ToolDefinition::new(name, "", json!({"type": "object"})).unwrap();
            Arc::new(Named(ToolDefinition { server: Some(server.to_owned()), ..spec }))
        };
        let mut registry = ToolRegistry::default();
        registry.add(named("clock", "TIME", Group::Basic)).unwrap();
        let refused = registry.replace("dice", vec![brought("dice__roll", "dice"), brought("clock", "dice")]);
        assert_eq!(refused, [RegistryError::Taken("clock".into())]);
        registry.replace("coin", vec![brought("coin__flip", "coin")]);
        registry.replace("dice", vec![brought("dice__throw", "dice")]);
        let names: Vec<_> = registry.all(|_| true).map(|tool| tool.spec().name.clone()).collect();
        assert_eq!(names, ["clock", "coin__flip", "dice__throw"]);
        registry.replace("coin", Vec::new());
        assert!(registry.find("coin__flip", |_| true).is_none());
        assert!(registry.find("TIME", |_| true).is_some(), "a tag of ours stays");
    }

    #[test]
    fn nothing_takes_the_place_of_another() {
        let mut registry = ToolRegistry::default();
        registry.add(named("clock", "TIME", Group::Basic)).unwrap();
        assert_eq!(
            registry.add(named("clock", "X", Group::Basic)),
            Err(RegistryError::Taken("clock".into()))
        );
        let taken = RegistryError::TagTaken { tag: "TIME".into(), tool: "clock".into() };
        assert_eq!(registry.add(named("other", "TIME", Group::Basic)), Err(taken));
    }
}
