use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use abilities::local::CommandRuleFile;
use anyhow::Context as _;
use avatar::AvatarAssets;
use companion::{Companion, CompanionParts, Feed, Housekeeping, ModelSource, Settings, Soul, Supervisor};
use config::{Config, Environment, Flags, Folders, LiveConfig, Paths};
use host::{Clock, HomeLock, RunFile, RunInfo, Secret, SystemClock};
use memory::{EmbeddingSource, Memory, MemoryParts, SpeakerNames, UserFolders};
use model::{Catalogue, DownloadOptions, Downloads, Http, Roster, RosterOptions, ServerDetection};
use protocol::{ModelState, Push, User};
use sandbox::Sandbox;
use server::Server;
use store::Store;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use verify::ConfiguredCommands;
use workspace::{CodingSettings, OpenWorkspaces, WorkspaceEvent, WorkspaceParts};

use crate::embeddings::Embeddings;
use crate::engine_loader::EmbeddedEngineLoader;
use crate::lazy_model::{LazyModelSource, LoadSignal, ModelLoading};
use crate::lost_database;
use crate::starter_models;
use crate::token::{LiveToken, TokenFile};
use crate::tool_registry::{ToolDependencies, ToolServices};

/// The polling interval for three small folders. A file system watch would require them to exist.
const ASSET_POLL_INTERVAL: Duration = Duration::from_secs(2);

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A data folder with all its services, ready to be served.
pub struct App {
    pub config: Arc<LiveConfig>,
    pub server: Server,
    pub token: Secret,
    store: Arc<Store>,
    companion: Companion,
    roster: Roster,
    supervisor: Supervisor,
    mcp: server::Mcp,
    /// `None` if it could not be written.
    run_file: Option<RunFile>,
    lock: HomeLock,
}

/// Chooses the data folder by the flag, the environment and the platform.
pub fn folders(home: Option<&std::path::Path>) -> anyhow::Result<Folders> {
    Folders::choose(home, &Environment::of_process())
        .context("there is no home folder: name a data folder with --home")
}

impl App {
    /// Opens the data folder and binds the address.
    pub async fn open(folders: Folders, flags: Flags, loading: ModelLoading) -> anyhow::Result<Self> {
        host::private_dir(&folders.home)?;
        let lock = HomeLock::acquire(&folders.home)?;
        // Must come before the settings are read, since they may have to be restored.
        if backup::mend_interrupted(&Paths::new(&folders, &Config::default()))? {
            tracing::warn!("an interrupted restore was undone");
        }
        let config = Arc::new(LiveConfig::open(folders.clone(), Environment::of_process(), flags));
        let paths = config.paths();
        let settings = config.current();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        lost_database::check_not_lost(&paths)?;
        if lost_database::starts_empty(&paths) {
            tracing::warn!(
                "there is no database in {}, although the folder was in use before: the memory starts empty. {}",
                paths.home.display(),
                lost_database::restore_hint(&paths)
            );
        }
        let store = Arc::new(Store::open(&paths.database, Arc::clone(&clock))?);
        for turn in store.recover().await? {
            tracing::info!(
                "turn {} was cut off when Perigee last ended; its text so far is kept",
                turn.turn_id
            );
        }
        // Runs in the background, as it takes a moment and nothing needs it yet.
        let sandbox = tokio::spawn(Sandbox::probe());
        let owner = store.owner().await?;
        let feed = Arc::new(Feed::beginning_after(u64::try_from(clock.now().as_millisecond()).unwrap_or(0)));
        let signal = LoadSignal::new(loading);
        let loader = Arc::new(EmbeddedEngineLoader {
            state_cache: paths.cache.join("states"),
            signal: signal.clone(),
        });
        let http = Http::default();
        let downloads = DownloadOptions::new(&paths.models, &settings.models, http.clone());
        let downloads = Downloads::new(downloads, Arc::new(Catalogue::default()));
        starter_models::adopt_starters(&downloads, &paths.models, &settings).await;
        let remember = Arc::clone(&config);
        let roster = Roster::new(RosterOptions {
            llm: settings.llm.clone(),
            downloads,
            http,
            loader,
            remember: Arc::new(move |patch| remember.set(patch).map_err(|error| error.to_string())),
            lookout: ServerDetection::default(),
        });
        let live = Arc::clone(&config);
        let models: Arc<dyn ModelSource> =
            Arc::new(LazyModelSource { roster: roster.clone(), config: Arc::clone(&config), signal });
        let owners = paths.memories.parent().map_or_else(|| paths.home.clone(), ToOwned::to_owned);
        let own_folders = UserFolders { home: paths.home.clone(), owner: owners };
        let named = Arc::clone(&config);
        let embeddings: Arc<dyn EmbeddingSource> =
            Arc::new(Embeddings::new(paths.models.clone(), Arc::clone(&config), Http::default()));
        let memory = Memory::new(MemoryParts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            embeddings: Arc::clone(&embeddings),
            folders: own_folders.clone(),
            names: Box::new(move |user| names(&named.current(), user)),
        });
        let sandbox = Arc::new(sandbox.await?);
        let tools = ToolServices::new(ToolDependencies {
            config: &config,
            clock: &clock,
            models: &models,
            memory: &memory,
            folders: own_folders,
            sandbox: Arc::clone(&sandbox),
            store: &store,
            feed: &feed,
        })?;
        let workspaces = open_workspaces(&config, &store, &sandbox, &feed);
        let companion = Companion::new(CompanionParts {
            workspaces: Some(workspaces.clone()),
            store: Arc::clone(&store),
            models,
            soul: Soul::open(paths.soul.clone())?,
            clock: Arc::clone(&clock),
            settings: Box::new(move || {
                live.reload_if_changed();
                Settings::from(live.current().as_ref())
            }),
            feed: Arc::clone(&feed),
            tools: Arc::clone(&tools.tools),
            forgetting: Arc::clone(&tools.forgetting),
            memory,
        });
        let supervisor = Supervisor::new(Arc::clone(&clock));
        supervisor.add(Housekeeping {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            workspaces: Some(workspaces.clone()),
        });
        supervisor.add(companion.memory_maintenance());
        let seated = roster.clone();
        supervisor.add(companion.prewarming(move || seated.ready()));
        forward_changes(&roster, &config, &supervisor, &feed);
        watch_assets(&tools.avatar_assets, &feed);
        let servers = server::Mcp { servers: tools.servers, generated: tools.generated_servers, sandbox };
        start_servers(&servers, &config);
        let (forgetting, kept) = (Arc::clone(&tools.forgetting), Arc::clone(&store));
        // Must come before any request for files: reverts changes that a crash interrupted.
        match workspaces.recover().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::warn!("{count} interrupted changes to code were undone");
            }
            Err(error) => tracing::warn!("interrupted changes to code cannot be undone: {error}"),
        }
        tokio::spawn(async move {
            // After a crash, the write-ahead log may still contain text that was being forgotten.
            if let Err(error) = kept.checkpoint().await {
                tracing::warn!("the write-ahead log of the database could not be emptied: {error}");
            }
            if let Err(error) = forgetting.resume().await {
                tracing::warn!("an interrupted deletion of memories could not be completed: {error}");
            }
        });

        let token_file = TokenFile::new(&paths.home);
        let token = token_file.read_or_create(&settings)?;
        let keeper = LiveToken::new(token_file, Arc::clone(&config), &settings);
        let address = address(&settings.server)?;
        let server = Server::bind(
            server::ServerParts {
                companion: companion.clone(),
                store: Arc::clone(&store),
                roster: roster.clone(),
                config: Arc::clone(&config),
                supervisor: supervisor.clone(),
                clock: Arc::clone(&clock),
                owner: owner.id,
                token: token.clone(),
                keeper: Box::new(keeper),
                spotify: tools.spotify,
                tiles: tools.tiles,
                avatar_assets: tools.avatar_assets,
                mcp: servers.clone(),
                lan: paths.home.join("lan"),
                version: VERSION,
            },
            address,
        )
        .await
        .with_context(|| format!("cannot listen on {address}: choose another port with --port"))?;
        let info = RunInfo {
            address: format!("http://{}", server.address()),
            pid: std::process::id(),
            started: clock.now(),
            token: token.clone(),
        };
        // On a full disk, the server starts without the run file, so that stored data can still be read.
        let run_file = RunFile::write(&lock, &paths.home, &info)
            .inspect_err(|error| {
                tracing::warn!(
                    "{error}. The server runs at {} nevertheless, but other commands of perigee do not find it, and \
                     what is said now may not be kept: free some space, and start it again",
                    info.address
                );
            })
            .ok();
        Ok(Self { config, server, token, store, companion, roster, supervisor, mcp: servers, run_file, lock })
    }

    /// Serves until `stop` is cancelled, then shuts everything down in order.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let Self { server, store, companion, roster, supervisor, mcp, run_file, lock, .. } = self;
        server.run(stop).await;
        supervisor.close().await;
        companion.close().await;
        mcp.servers.close();
        mcp.generated.close();
        if let Some(model) = roster.ready() {
            model.save().await;
        }
        drop(companion);
        store.checkpoint().await?;
        drop((run_file, lock));
        Ok(())
    }
}

/// Builds the open workspaces, in which Luna writes code.
fn open_workspaces(
    config: &Arc<LiveConfig>,
    store: &Arc<Store>,
    sandbox: &Arc<Sandbox>,
    feed: &Arc<Feed>,
) -> OpenWorkspaces {
    let paths = config.paths();
    let (live, news) = (Arc::clone(config), Arc::clone(feed));
    let rules = CommandRuleFile::new(paths.command_rules.clone());
    OpenWorkspaces::new(WorkspaceParts {
        store: Arc::clone(store),
        sandbox: Arc::clone(sandbox),
        home: paths.home.clone(),
        cache: paths.cache.join("code"),
        journal: paths.home.join("code_journal"),
        checkpoints: paths.home.join("code_checkpoints"),
        settings: Box::new(move || {
            let code = &live.current().code;
            let seconds = |count: u32| Duration::from_secs(count.into());
            CodingSettings {
                terminal: code.terminal,
                command: seconds(code.command_seconds),
                stage: seconds(code.verify_seconds),
                commands: ConfiguredCommands {
                    build: code.build.clone(),
                    test: code.test.clone(),
                    run: code.run.clone(),
                },
            }
        }),
        rulings: Box::new(move |command, folder| rules.ruling(command, folder)),
        notify: Box::new(move |event| {
            news.tell_all(match event {
                WorkspaceEvent::Index { root, state } => Push::CodeIndex { root, index: state },
                WorkspaceEvent::Changed { root } => Push::CodeChanged { root },
            });
        }),
    })
}

/// Returns the names of the user and the companion, as used in memories.
fn names(config: &Config, user: &User) -> SpeakerNames {
    let own = config.companion.user_name.clone().filter(|name| user.owner && !name.trim().is_empty());
    SpeakerNames { user: own.unwrap_or_else(|| user.name.clone()), companion: config.companion.name.clone() }
}

fn address(server: &config::Server) -> anyhow::Result<SocketAddr> {
    let host: IpAddr = match server.host.as_str() {
        "localhost" => IpAddr::from([127, 0, 0, 1]),
        text => text.parse().with_context(|| format!("server.host: {text} is not an address"))?,
    };
    anyhow::ensure!(
        host.is_loopback(),
        "server.host: {host} would be open to the network without encryption. Use 127.0.0.1"
    );
    Ok(SocketAddr::new(host, server.port))
}

/// Starts the approved MCP servers in the background and applies later changes of the settings.
fn start_servers(mcp: &server::Mcp, config: &Arc<LiveConfig>) {
    let (servers, mut settings) = (mcp.servers.clone(), config.subscribe());
    tokio::spawn(async move {
        loop {
            let wanted = settings.borrow_and_update().mcp_servers.clone();
            if let Err(error) = servers.apply_settings(&wanted).await {
                tracing::warn!("the MCP servers of the settings cannot be started: {error}");
            }
            if settings.changed().await.is_err() {
                return;
            }
        }
    });
    let (generated, mut settings) = (mcp.generated.clone(), config.subscribe());
    tokio::spawn(async move {
        loop {
            let is_on = settings.borrow_and_update().builtin_tools.mcp_servers;
            if let Err(error) = generated.reload().await {
                tracing::warn!("the generated MCP servers cannot be read: {error}");
            }
            // No other setting affects generated servers.
            if settings.wait_for(|settings| settings.builtin_tools.mcp_servers != is_on).await.is_err() {
                return;
            }
        }
    });
}

/// Notifies clients when a file in `assets` is added, removed or changed, or the settings name another avatar.
fn watch_assets(assets: &Arc<AvatarAssets>, feed: &Arc<Feed>) {
    let (assets, feed) = (Arc::clone(assets), Arc::clone(feed));
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(ASSET_POLL_INTERVAL);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let checked = Arc::clone(&assets);
            if tokio::task::spawn_blocking(move || checked.has_changed()).await.unwrap_or(false) {
                feed.tell_all(Push::BodyChanged);
            }
        }
    });
}

/// Forwards changes: settings to the roster, and downloads and the current model to the clients.
fn forward_changes(roster: &Roster, config: &Arc<LiveConfig>, supervisor: &Supervisor, feed: &Arc<Feed>) {
    let (mut settings, seated, news) = (config.subscribe(), roster.clone(), Arc::clone(feed));
    tokio::spawn(async move {
        while settings.changed().await.is_ok() {
            let llm = settings.borrow_and_update().llm.clone();
            seated.configure(&llm);
            news.tell_all(Push::ConfigChanged);
        }
    });
    let (mut states, news, work) = (roster.watch(), Arc::clone(feed), supervisor.clone());
    tokio::spawn(async move {
        loop {
            let current = states.borrow_and_update().clone();
            if matches!(current, ModelState::Ready { .. }) {
                work.run_now("prewarming");
            }
            news.tell_all(Push::Model { current });
            if states.changed().await.is_err() {
                return;
            }
        }
    });
    let (mut progress, news) = (roster.downloads().subscribe(), Arc::clone(feed));
    tokio::spawn(async move {
        loop {
            match progress.recv().await {
                Ok(download) => news.tell_all(Push::Download { download }),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    });
}
