use std::sync::Arc;

use companion::Hands;
use config::{Config, LiveConfig};
use tools::{Audit, Group, Registry, Tool};

/// Puts together what she can do.
pub fn hands(config: &Arc<LiveConfig>, tools: Vec<Arc<dyn Tool>>) -> anyhow::Result<Hands> {
    let paths = config.paths();
    let mut registry = Registry::default();
    for tool in tools {
        registry.add(tool)?;
    }
    let live = Arc::clone(config);
    let is_on = move |group| is_on(&live.current(), group);
    Ok(Hands::new(registry, Audit::open(paths.home.join("audit.log")), paths.home.clone(), is_on))
}

/// What the settings say of a group.
fn is_on(config: &Config, group: Group) -> bool {
    let tools = &config.builtin_tools;
    match group {
        Group::Basic => true,
        Group::Animation => tools.animation,
        Group::Memory => tools.memory && !tools.memory_readonly,
        Group::MemoryReading => tools.memory,
        Group::State => tools.state,
        Group::WebSearch => tools.web_search.enabled,
        Group::VectorSearch => tools.vector_search.enabled,
        Group::Bash => tools.bash && config.bash.enabled,
        Group::McpServers => tools.mcp_servers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_the_settings() {
        let mut config = Config::default();
        let on = |config: &Config| {
            let groups = [
                Group::Basic,
                Group::Memory,
                Group::MemoryReading,
                Group::State,
                Group::WebSearch,
                Group::Bash,
            ];
            groups.map(|group| is_on(config, group))
        };
        assert_eq!(on(&config), [true, true, true, true, false, false]);
        config.builtin_tools.memory_readonly = true;
        config.builtin_tools.state = false;
        config.builtin_tools.web_search.enabled = true;
        config.bash.enabled = true;
        assert_eq!(on(&config), [true, false, true, false, true, true]);
        config.builtin_tools.memory = false;
        config.builtin_tools.bash = false;
        assert_eq!(on(&config), [true, false, false, false, true, false]);
    }
}
