use std::path::{Path, PathBuf};

use crate::{Config, Environment};

/// The folders that are chosen before any setting is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The data folder.
    pub home: PathBuf,
    /// The cache folder, for files that can be recreated.
    pub cache: PathBuf,
    /// The user's home folder, which `~` expands to.
    pub user: Option<PathBuf>,
}

impl Folders {
    /// Chooses `--home`, else `PERIGEE_HOME`, else the platform's data folder. `None` if even that is unknown.
    pub fn choose(flag: Option<&Path>, environment: &Environment) -> Option<Self> {
        let user = environment.get("HOME").or_else(|| environment.get("USERPROFILE")).map(PathBuf::from);
        let named = flag.or_else(|| environment.get("PERIGEE_HOME").map(Path::new));
        let Some(named) = named else {
            return Some(Self { home: host::data_dir()?, cache: host::cache_dir()?, user });
        };
        let home = std::path::absolute(expanded(named, user.as_deref())).ok()?;
        Some(Self { user, ..Self::within(home) })
    }

    /// Puts everything into one folder, as for an explicitly named data folder.
    pub fn within(home: impl Into<PathBuf>) -> Self {
        let home = home.into();
        Self { cache: home.join("cache"), home, user: None }
    }
}

/// The paths of all files and folders of the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    pub home: PathBuf,
    pub database: PathBuf,
    pub permissions: PathBuf,
    /// The file with the rules for shell commands.
    pub command_rules: PathBuf,
    /// The folder in which shell commands run.
    pub workspace: PathBuf,
    pub soul: PathBuf,
    pub memories: PathBuf,
    /// The key-value state that the companion keeps.
    pub state_file: PathBuf,
    pub skills: PathBuf,
    /// MCP servers that Luna wrote.
    pub mcp_servers: PathBuf,
    /// The OAuth tokens of MCP servers that the user has signed in with.
    pub sign_ins: PathBuf,
    pub assets: PathBuf,
    /// The avatar file, if one is configured.
    pub avatar: Option<PathBuf>,
    /// The folder with model files.
    pub models: PathBuf,
    pub audit_log: PathBuf,
    pub backups: PathBuf,
    pub cache: PathBuf,
    pub logs: PathBuf,
    pub debug_log: PathBuf,
}

impl Paths {
    pub fn new(folders: &Folders, config: &Config) -> Self {
        let home = &folders.home;
        let moved = |path: &Path| home.join(expanded(path, folders.user.as_deref()));
        let or_home =
            |setting: &Option<PathBuf>, name: &str| setting.as_deref().map_or_else(|| home.join(name), moved);
        let state = or_home(&config.state_dir, "");
        let assets = or_home(&config.assets_dir, "assets");
        let avatar = config.vrm_model.as_deref();
        let logs = home.join("logs");
        Self {
            database: home.join("perigee.db"),
            permissions: home.join("permissions.json"),
            command_rules: home.join("commands.json"),
            workspace: moved(config.bash.folder.as_deref().unwrap_or(Path::new("~/perigee"))),
            soul: state.join("soul"),
            memories: state.join("memories"),
            state_file: state.join("state.json"),
            mcp_servers: state.join("mcp_servers"),
            sign_ins: home.join("sign_ins"),
            skills: home.join("skills"),
            avatar: avatar.map(|file| assets.join("models").join(expanded(file, folders.user.as_deref()))),
            assets,
            models: or_home(&config.models.dir, "models"),
            audit_log: home.join("audit.log"),
            backups: home.join("backups"),
            cache: folders.cache.clone(),
            debug_log: config.debug_log_path.as_deref().map_or_else(|| logs.join("debug.log"), moved),
            logs,
            home: home.clone(),
        }
    }
}

pub(crate) fn expanded(path: &Path, user: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), user) {
        (Ok(rest), Some(user)) => user.join(rest),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_wins_over_the_environment() {
        let environment =
            Environment::from_iter([("PERIGEE_HOME", "/from/environment"), ("HOME", "/home/ada")]);
        let home = |flag: Option<&str>, environment: &Environment| {
            Folders::choose(flag.map(Path::new), environment).unwrap().home
        };
        assert_eq!(home(Some("/from/flag"), &environment), Path::new("/from/flag"));
        assert_eq!(home(None, &environment), Path::new("/from/environment"));
        assert_eq!(home(Some("~/luna"), &environment), Path::new("/home/ada/luna"));
        assert!(home(Some("relative"), &environment).is_absolute());
        let empty = Environment::from_iter([("PERIGEE_HOME", "")]);
        assert_eq!(Folders::choose(None, &empty).map(|folders| folders.home), host::data_dir());
    }

    #[test]
    fn a_named_folder_keeps_its_cache_to_itself() {
        let folders = Folders::choose(Some(Path::new("/data")), &Environment::default()).unwrap();
        assert_eq!(folders.cache, Path::new("/data/cache"));
    }

    #[test]
    fn settings_move_what_they_name_and_nothing_else() {
        let folders = Folders { user: Some("/home/ada".into()), ..Folders::within("/data") };
        let usual = Paths::new(&folders, &Config::default());
        assert_eq!(usual.soul, Path::new("/data/soul"));
        assert_eq!(usual.avatar, None);
        assert_eq!(usual.workspace, Path::new("/home/ada/perigee"));
        assert_eq!(usual.debug_log, Path::new("/data/logs/debug.log"));

        let mut config = Config { state_dir: Some("/state".into()), ..Config::default() };
        config.assets_dir = Some("~/assets".into());
        config.vrm_model = Some("luna.vrm".into());
        config.models.dir = Some("weights".into());
        config.bash.folder = Some("~/code".into());
        let moved = Paths::new(&folders, &config);
        let expected = Paths {
            soul: "/state/soul".into(),
            memories: "/state/memories".into(),
            state_file: "/state/state.json".into(),
            mcp_servers: "/state/mcp_servers".into(),
            assets: "/home/ada/assets".into(),
            avatar: Some("/home/ada/assets/models/luna.vrm".into()),
            models: "/data/weights".into(),
            workspace: "/home/ada/code".into(),
            ..usual
        };
        assert_eq!(moved, expected);
    }
}
