use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The environment variables passed to every program. Any other variable might contain a secret.
const ALLOWED: &[&str] = &[
    "ALL_PROXY",
    "APPDATA",
    "COMSPEC",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOCALAPPDATA",
    "LOGNAME",
    "NO_PROXY",
    "PATH",
    "PATHEXT",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERPROFILE",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

pub(super) fn inherited(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    chosen(variables, ALLOWED)
}

pub(super) fn chosen(
    variables: impl Iterator<Item = (OsString, OsString)>,
    names: &[&str],
) -> Vec<(OsString, OsString)> {
    variables.filter(|(name, _)| !is_ours(name) && names.iter().any(|allowed| name == allowed)).collect()
}

fn is_ours(name: &OsStr) -> bool {
    name.to_string_lossy().to_ascii_uppercase().starts_with("PERIGEE")
}

pub(super) fn find_in(path: &OsStr, name: &OsStr) -> Option<PathBuf> {
    let suffix = std::env::consts::EXE_SUFFIX;
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| {
            let mut with_suffix = name.to_os_string();
            with_suffix.push(suffix);
            [folder.join(name), folder.join(with_suffix)]
        })
        .find(|candidate| is_executable(candidate))
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &std::path::Path) -> bool {
    path.is_file()
}
