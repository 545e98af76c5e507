//! The parts of the machine that programs need and that reveal nothing about its owner.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::mount::Mount;

/// Programs and libraries. On most machines the short paths are links into `/usr`.
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

/// System settings without secrets: `shadow`, keys and the like are not among them.
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

/// A folder in a home that contains development tools.
struct Toolchain {
    name: &'static str,
    /// The environment variable that overrides its location.
    variable: &'static str,
    /// The subfolders to show; an empty list means all.
    parts: &'static [&'static str],
    /// Secret files within it.
    secrets: &'static [&'static str],
}

const fn all_of(name: &'static str, variable: &'static str) -> Toolchain {
    Toolchain { name, variable, parts: &[], secrets: &[] }
}

const TOOLCHAINS: &[Toolchain] = &[
    Toolchain {
        secrets: &["credentials", "credentials.toml", "config", "config.toml", "env"],
        ..all_of(".cargo", "CARGO_HOME")
    },
    all_of(".rustup", "RUSTUP_HOME"),
    all_of(".pyenv", "PYENV_ROOT"),
    all_of(".nvm", "NVM_DIR"),
    all_of(".volta", "VOLTA_HOME"),
    all_of(".fnm", "FNM_DIR"),
    all_of(".sdkman", "SDKMAN_DIR"),
    all_of(".bun", "BUN_INSTALL"),
    all_of(".deno", "DENO_INSTALL"),
    // GOPATH also contains the user's own work.
    Toolchain { parts: &["bin", "pkg"], ..all_of("go", "GOPATH") },
    all_of(".local/bin", ""),
    Toolchain { secrets: &["credentials"], ..all_of(".local/share/uv", "") },
    all_of(".m2/repository", ""),
];

pub fn home() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    home.and_then(|home| home.canonicalize().ok()).unwrap_or_else(|| "/home/user".into())
}

pub fn system() -> Vec<Mount> {
    let settings = SETTINGS.iter().map(|name| Path::new("/etc").join(name));
    SYSTEM
        .iter()
        .map(PathBuf::from)
        .filter_map(as_it_is)
        .chain(settings.filter_map(|path| {
            // A link may lead to a place that is not shown, so the file itself is mounted.
            path.exists().then_some(Mount::Read(path))
        }))
        .collect()
}

fn as_it_is(path: PathBuf) -> Option<Mount> {
    match std::fs::read_link(&path) {
        Ok(to) => Some(Mount::Link { at: path, to }),
        Err(_) => path.is_dir().then_some(Mount::Read(path)),
    }
}

/// Returns the tools in a home, with covers over the secrets among them.
pub fn toolchains(home: &Path) -> Vec<Mount> {
    let mut mounts = Vec::new();
    for toolchain in TOOLCHAINS {
        let Some(folder) = toolchain.folder(home) else { continue };
        let shown: Vec<PathBuf> = match toolchain.parts {
            [] => vec![folder.clone()],
            parts => parts.iter().map(|part| folder.join(part)).collect(),
        };
        mounts.extend(shown.into_iter().filter(|path| path.is_dir()).map(Mount::Read));
        let secrets = toolchain.secrets.iter().map(|name| folder.join(name));
        mounts.extend(secrets.filter(|path| path.exists()).map(Mount::Covered));
    }
    mounts
}

/// Returns the environment variables with the locations of the tools that are shown.
pub fn toolchain_variables(is_shown: impl Fn(&Path) -> bool) -> Vec<(OsString, OsString)> {
    let home = home();
    let named = TOOLCHAINS.iter().filter(|toolchain| !toolchain.variable.is_empty());
    let found = named.filter_map(|toolchain| Some((toolchain, toolchain.folder(&home)?)));
    let shown = found.filter(|(toolchain, path)| {
        let mut parts = toolchain.parts.iter().map(|part| path.join(part));
        if toolchain.parts.is_empty() { is_shown(path) } else { parts.any(|part| is_shown(&part)) }
    });
    shown.map(|(toolchain, path)| (toolchain.variable.into(), path.into())).collect()
}

impl Toolchain {
    /// Returns the folder from the variable or the home, unless it contains the whole home.
    fn folder(&self, home: &Path) -> Option<PathBuf> {
        let said = (!self.variable.is_empty()).then(|| std::env::var_os(self.variable)).flatten();
        let folder = said.map_or_else(|| home.join(self.name), PathBuf::from).canonicalize().ok()?;
        (folder.is_dir() && !home.starts_with(&folder)).then_some(folder)
    }
}
