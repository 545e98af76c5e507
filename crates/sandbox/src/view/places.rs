//! The parts of the machine that programs need and that tell nothing about its owner.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Place;

/// Programs and libraries. On most machines the short names are links into `/usr`.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/opt",
];

/// Settings of the system that hold no secret: `shadow`, keys and the like are not among them.
const SETTINGS: &[&str] = &[
    "alternatives",
    "bash.bashrc",
    "ca-certificates",
    "debian_version",
    "fonts",
    "group",
    "host.conf",
    "hosts",
    "inputrc",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "pki/ca-trust",
    "pki/tls/certs",
    "profile",
    "protocols",
    "python3",
    "python3.11",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "terminfo",
    "timezone",
];

/// Where tools that build programs live in a home, and the variable that says so.
const TOOLCHAINS: &[(&str, &str)] = &[
    (".cargo", "CARGO_HOME"),
    (".rustup", "RUSTUP_HOME"),
    (".pyenv", "PYENV_ROOT"),
    (".nvm", "NVM_DIR"),
    (".volta", "VOLTA_HOME"),
    (".fnm", "FNM_DIR"),
    (".sdkman", "SDKMAN_DIR"),
    (".bun", "BUN_INSTALL"),
    (".deno", "DENO_INSTALL"),
    ("go", "GOPATH"),
    (".local/bin", ""),
    (".local/share/uv", ""),
    (".m2/repository", ""),
];

/// What lies among the tools and is a secret.
const SECRETS: &[&str] =
    &[".cargo/credentials", ".cargo/credentials.toml", ".cargo/config.toml", ".cargo/env"];

pub fn home() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    home.and_then(|home| home.canonicalize().ok()).unwrap_or_else(|| "/home/user".into())
}

pub fn system() -> Vec<Place> {
    let settings = SETTINGS.iter().map(|name| Path::new("/etc").join(name));
    SYSTEM
        .iter()
        .map(PathBuf::from)
        .filter_map(as_it_is)
        .chain(settings.filter_map(|path| {
            // A link may lead to a place that is not shown: the file itself is what counts.
            path.exists().then_some(Place::Read(path))
        }))
        .collect()
}

fn as_it_is(path: PathBuf) -> Option<Place> {
    match std::fs::read_link(&path) {
        Ok(to) => Some(Place::Link { at: path, to }),
        Err(_) => path.is_dir().then_some(Place::Read(path)),
    }
}

/// The tools in a home, and covers over the secrets among them.
pub fn toolchains(home: &Path) -> Vec<Place> {
    let tools = TOOLCHAINS.iter().filter_map(|(name, variable)| folder_of(home, name, variable));
    let tools: Vec<PathBuf> = tools.filter(|path| path.is_dir()).collect();
    let secrets = SECRETS.iter().map(|name| home.join(name));
    let secrets = secrets.filter(|path| path.exists() && tools.iter().any(|tool| path.starts_with(tool)));
    let secrets: Vec<Place> = secrets.map(Place::Covered).collect();
    tools.into_iter().map(Place::Read).chain(secrets).collect()
}

/// The variables by which tools find themselves, for those that are shown.
pub fn homes_of_toolchains(is_shown: impl Fn(&Path) -> bool) -> Vec<(OsString, OsString)> {
    let home = home();
    let named = TOOLCHAINS.iter().filter(|(_, variable)| !variable.is_empty());
    let found = named.filter_map(|(name, variable)| Some((*variable, folder_of(&home, name, variable)?)));
    found
        .filter(|(_, path)| path.is_dir() && is_shown(path))
        .map(|(variable, path)| (variable.into(), path.into()))
        .collect()
}

/// Where the variable says, unless that is the whole home or the whole machine.
fn folder_of(home: &Path, name: &str, variable: &str) -> Option<PathBuf> {
    let said = (!variable.is_empty()).then(|| std::env::var_os(variable)).flatten().map(PathBuf::from);
    let folder = said.unwrap_or_else(|| home.join(name)).canonicalize().ok()?;
    (!home.starts_with(&folder)).then_some(folder)
}
