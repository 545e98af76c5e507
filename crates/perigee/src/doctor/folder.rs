//! Checks of the data folder: existence, owner, permissions and free space.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use host::RootDir;
use terminal::bytes;

use super::check::DoctorCheck;
use super::installation::Installation;

/// Free space, in bytes, that suffices for conversations but not for a model.
const LOW_SPACE: u64 = 2_000_000_000;
const CRITICAL_SPACE: u64 = 100_000_000;
/// Files that no other user may read.
const PRIVATE_FILES: [&str; 7] =
    ["token", "run.json", "config.toml", "config.json", "perigee.db", "perigee.db-wal", "chat_history"];

pub fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let home = &installation.folders.home;
    let found = match std::fs::metadata(home) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("The data folder will be {}. The first start creates it.", home.display());
            return vec![DoctorCheck::ok("home", message), free_space(home)];
        }
        Err(error) => {
            let message = format!("The data folder {} cannot be reached: {error}.", home.display());
            return vec![DoctorCheck::fail(
                "home",
                message,
                "Give yourself access to it, or choose another with --home.",
            )];
        }
    };
    let mut checks = vec![check_writable(home, &found)];
    checks.extend(check_private(home, &found));
    checks.push(free_space(home));
    checks
}

fn check_writable(home: &Path, found: &Metadata) -> DoctorCheck {
    if !found.is_dir() {
        let message = format!("{} is a file, and should be a folder.", home.display());
        return DoctorCheck::fail("home", message, "Move it away, or choose another folder with --home.");
    }
    match try_write(home) {
        Ok(()) => DoctorCheck::ok("home", format!("The data folder is {}.", home.display())),
        Err(error) => {
            let message = format!("Nothing can be written to the data folder: {error}.");
            DoctorCheck::fail(
                "home",
                message,
                format!("Take ownership of it: sudo chown -R $USER \"{}\"", home.display()),
            )
        }
    }
}

fn try_write(home: &Path) -> Result<(), String> {
    const NAME: &str = ".doctor";
    let root = RootDir::open(home).map_err(|error| error.to_string())?;
    root.write(NAME, b"").and_then(|()| root.remove(NAME)).map_err(|error| error.to_string())
}

fn check_private(home: &Path, found: &Metadata) -> Vec<DoctorCheck> {
    let open_to_others = |found: &Metadata| found.permissions().mode() & 0o077 != 0;
    let mut checks = Vec::new();
    if open_to_others(found) {
        let mend = format!("Close it: chmod 700 \"{}\"", home.display());
        checks.push(DoctorCheck::warn(
            "home-private",
            "Other users of this machine can see the data folder.",
            mend,
        ));
    }
    let readable: Vec<&str> = PRIVATE_FILES
        .into_iter()
        .filter(|name| std::fs::metadata(home.join(name)).is_ok_and(|found| open_to_others(&found)))
        .collect();
    if !readable.is_empty() {
        let message = format!("Other users of this machine may read {}.", readable.join(", "));
        let files: Vec<String> =
            readable.iter().map(|name| format!("\"{}\"", home.join(name).display())).collect();
        checks.push(DoctorCheck::warn(
            "files-private",
            message,
            format!("Close them: chmod 600 {}", files.join(" ")),
        ));
    }
    if checks.is_empty() {
        checks.push(DoctorCheck::ok("home-private", "Only you can read the data folder."));
    }
    checks
}

fn free_space(home: &Path) -> DoctorCheck {
    match host::disk_free(home) {
        None => DoctorCheck::ok("disk", "The free space of the disk is not known."),
        Some(free) if free < CRITICAL_SPACE => {
            let message =
                format!("The disk is nearly full: {} free. New messages may not be kept.", bytes(free));
            DoctorCheck::fail(
                "disk",
                message,
                "Free some space, for example by removing models that you do not use.",
            )
        }
        Some(free) if free < LOW_SPACE => {
            let message =
                format!("The disk has {} left: enough for conversations, but not for a model.", bytes(free));
            DoctorCheck::warn("disk", message, "Free some space before you download a model.")
        }
        Some(free) => DoctorCheck::ok("disk", format!("The disk has {} left.", bytes(free))),
    }
}
