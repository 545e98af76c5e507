use std::sync::{Arc, OnceLock};

use abilities::local::{self, LocalDesktop};
use abilities::online::{self, ServiceUrls, spotify, tiles::Tiles};
use abilities::skills::{BundledSkills, Skills};
use abilities::web::{FetchLimits, PublicNetwork, Web};
use abilities::{CurrentConfig, TextGenerator, appearance, screen, skills};
use avatar::AvatarAssets;
use companion::{Feed, ForgetParts, ForgetService, ModelAccess, ModelSource, SearchedPlaces, ToolAccess};
use config::{Config, LiveConfig, McpPackage};
use host::Clock;
use mcp::generated::{self, GeneratedServers, GeneratedServersParts};
use mcp::{ConfiguredServers, SamplingModel};
use memory::{Memory, UserFolders};
use protocol::Push;
use sandbox::Sandbox;
use store::Store;
use tools::{AuditLog, Group, Tool, ToolRegistry};

/// The tools and the parts of them that the API shares.
pub struct ToolServices {
    pub tools: Arc<ToolAccess>,
    pub spotify: Arc<spotify::SpotifyAuth>,
    pub tiles: Arc<Tiles>,
    pub avatar_assets: Arc<AvatarAssets>,
    pub forgetting: Arc<ForgetService>,
    pub servers: ConfiguredServers,
    pub generated_servers: GeneratedServers,
}

/// The dependencies of the tools.
pub struct ToolDependencies<'a> {
    pub config: &'a Arc<LiveConfig>,
    pub clock: &'a Arc<dyn Clock>,
    pub models: &'a Arc<dyn ModelSource>,
    pub memory: &'a Memory,
    pub folders: UserFolders,
    pub sandbox: Arc<Sandbox>,
    pub store: &'a Arc<Store>,
    pub feed: &'a Arc<Feed>,
}

impl ToolServices {
    /// Builds all built-in tools.
    pub fn new(dependencies: ToolDependencies<'_>) -> anyhow::Result<Self> {
        let ToolDependencies { config, clock, models, memory, folders, sandbox, store, feed } = dependencies;
        let paths = config.paths();
        let live = Arc::clone(config);
        let settings: CurrentConfig = Arc::new(move || live.current());
        let generator: Arc<dyn TextGenerator> = Arc::new(ModelAccess { models: Arc::clone(models) });
        model::install_crypto();
        let web = Arc::new(Web::new(Arc::new(PublicNetwork), FetchLimits::default())?);
        let urls = ServiceUrls::default();
        let auth =
            spotify::SpotifyAuth::new(Arc::clone(&settings), Arc::clone(clock), &urls.spotify_accounts);
        let auth = Arc::new(auth.map_err(anyhow::Error::msg)?);
        let book = Arc::new(Skills::open(BundledSkills::embedded(), paths.skills.clone()));
        let tiles = Tiles::new(Arc::clone(&web), Arc::clone(&settings), Arc::clone(clock), &paths.cache);
        let avatar_assets = Arc::new(AvatarAssets::new(Arc::clone(config)));
        let local = local::LocalToolParts {
            clock: Arc::clone(clock),
            settings: Arc::clone(&settings),
            folders: config.folders().clone(),
            desktop: Arc::new(LocalDesktop),
            sandbox: Arc::clone(&sandbox),
            origins: Arc::new(memory.clone()),
        };
        let config_reader = Arc::clone(&settings);
        let online = online::OnlineToolParts {
            clock: Arc::clone(clock),
            settings,
            web,
            generator: Arc::clone(&generator),
            spotify: Arc::clone(&auth),
            urls,
        };
        let audit = Arc::new(AuditLog::open(paths.audit_log.clone()));
        let forgetting = Arc::new(ForgetService::new(ForgetParts {
            store: Arc::clone(store),
            memory: memory.clone(),
            models: Arc::clone(models),
            clock: Arc::clone(clock),
            feed: Arc::clone(feed),
            audit: Arc::clone(&audit),
            folders: folders.clone(),
            places: SearchedPlaces {
                home: paths.home.clone(),
                typed: paths.home.join("chat_history"),
                backups: paths.backups.clone(),
                models: paths.models.clone(),
            },
        }));
        let publisher = McpToolPublisher { tools: Arc::default(), feed: Arc::clone(feed) };
        let model: Arc<dyn SamplingModel> = Arc::new(ModelAccess { models: Arc::clone(models) });
        let servers = ConfiguredServers::new(mcp::ConfiguredServersParts {
            store: Arc::clone(store),
            model: Arc::clone(&model),
            root: Some(paths.workspace.clone()),
            generated_folder: paths.mcp_servers.clone(),
            sign_ins: paths.sign_ins.clone(),
            publish: publisher.publish(),
            changed: publisher.changed(),
        });
        let live = Arc::clone(config);
        let generated_servers = GeneratedServers::new(GeneratedServersParts {
            store: Arc::clone(store),
            sandbox,
            folder: paths.mcp_servers.clone(),
            cache: config.folders().cache.clone(),
            hidden: paths.home.clone(),
            model,
            publish: publisher.publish(),
            changed: publisher.changed(),
            is_configured: {
                let live = Arc::clone(config);
                Box::new(move |name| {
                    live.current().mcp_servers.keys().any(|other| mcp::server_prefix(other) == name)
                })
            },
            is_on: {
                let live = Arc::clone(config);
                Box::new(move || live.current().builtin_tools.mcp_servers)
            },
            wants_official: {
                let live = Arc::clone(config);
                Box::new(move || live.current().builtin_tools.mcp_servers_package == McpPackage::Official)
            },
            may_ask_for_network: Box::new(move || live.current().builtin_tools.mcp_servers_allow_network),
        });
        let kinds = [
            local::tools(local),
            online::tools(online),
            screen::tools(&generator, &config_reader),
            appearance::tools(&avatar_assets),
            skills::tools(&book),
            memory::tools(memory),
            companion::tools(&forgetting),
            generated::tools(&generated_servers),
        ];
        let mut registry = ToolRegistry::default();
        for tools in kinds {
            for tool in tools.map_err(anyhow::Error::msg)? {
                registry.add(tool)?;
            }
        }
        let live = Arc::clone(config);
        let is_on = move |group| is_on(&live.current(), group);
        let tools = Arc::new(ToolAccess::new(registry, audit, book, folders, is_on));
        let _ = publisher.tools.set(Arc::clone(&tools));
        Ok(Self {
            tools,
            spotify: auth,
            tiles: Arc::new(tiles),
            avatar_assets,
            forgetting,
            servers,
            generated_servers,
        })
    }
}

/// A registry for the tools of MCP servers, available once [`ToolAccess`] exists.
#[derive(Clone)]
struct McpToolPublisher {
    tools: Arc<OnceLock<Arc<ToolAccess>>>,
    feed: Arc<Feed>,
}

impl McpToolPublisher {
    fn publish(&self) -> mcp::PublishTools {
        let publisher = self.clone();
        Box::new(move |server: &str, tools: Vec<Arc<dyn Tool>>| {
            if let Some(access) = publisher.tools.get() {
                access.replace(server, tools);
                publisher.feed.tell_all(Push::ToolsChanged);
            }
        })
    }

    fn changed(&self) -> Box<dyn Fn() + Send + Sync> {
        let feed = Arc::clone(&self.feed);
        Box::new(move || feed.tell_all(Push::ToolsChanged))
    }
}

/// Returns true if the settings enable the group.
fn is_on(config: &Config, group: Group) -> bool {
    let tools = &config.builtin_tools;
    match group {
        Group::Basic | Group::Connected => true,
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
