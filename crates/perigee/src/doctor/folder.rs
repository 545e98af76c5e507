//! Checks of the data folder: existence, owner, permissions and free space.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use host::RootDir;

use super::{Check, Patient};
use crate::terminal::bytes;

/// Free space, in bytes, that suffices for conversations but not for a model.
const LITTLE_ROOM: u64 = 2_000_000_000;
const NO_ROOM: u64 = 100_000_000;
/// Files that no other user may read.
const PRIVATE: [&str; 7] =
    ["token", "run.json", "config.toml", "config.json", "perigee.db", "perigee.db-wal", "chat_history"];

pub fn checks(patient: &Patient) -> Vec<Check> {
    let home = &patient.folders.home;
    let found = match std::fs::metadata(home) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("The data folder will be {}. The first start makes it.", home.display());
            return vec![Check::ok("home", message), room(home)];
        }
        Err(error) => {
            let message = format!("The data folder {} cannot be reached: {error}.", home.display());
            return vec![Check::fail(
                "home",
                message,
                "Give yourself access to it, or choose another with --home.",
            )];
        }
    };
    let mut checks = vec![usable(home, &found)];
    checks.extend(privacy(home, &found));
    checks.push(room(home));
    checks
}

fn usable(home: &Path, found: &Metadata) -> Check {
    if !found.is_dir() {
        let message = format!("{} is a file, and should be a folder.", home.display());
        return Check::fail("home", message, "Move it away, or choose another folder with --home.");
    }
    match try_write(home) {
        Ok(()) => Check::ok("home", format!("The data folder is {}.", home.display())),
        Err(error) => {
            let message = format!("Nothing can be written to the data folder: {error}.");
            Check::fail("home", message, format!("Make it yours: sudo chown -R $USER \"{}\"", home.display()))
        }
    }
}

fn try_write(home: &Path) -> Result<(), String> {
    const NAME: &str = ".doctor";
    let root = RootDir::open(home).map_err(|error| error.to_string())?;
    root.write(NAME, b"").and_then(|()| root.remove(NAME)).map_err(|error| error.to_string())
}

fn privacy(home: &Path, found: &Metadata) -> Vec<Check> {
    let open_to_others = |found: &Metadata| found.permissions().mode() & 0o077 != 0;
    let mut checks = Vec::new();
    if open_to_others(found) {
        let mend = format!("Close it: chmod 700 \"{}\"", home.display());
        checks.push(Check::warn(
            "home-private",
            "Other users of this machine can look into the data folder.",
            mend,
        ));
    }
    let readable: Vec<&str> = PRIVATE
        .into_iter()
        .filter(|name| std::fs::metadata(home.join(name)).is_ok_and(|found| open_to_others(&found)))
        .collect();
    if !readable.is_empty() {
        let message = format!("Other users of this machine may read {}.", readable.join(", "));
        let files: Vec<String> =
            readable.iter().map(|name| format!("\"{}\"", home.join(name).display())).collect();
        checks.push(Check::warn(
            "files-private",
            message,
            format!("Close them: chmod 600 {}", files.join(" ")),
        ));
    }
    if checks.is_empty() {
        checks.push(Check::ok("home-private", "Only you can read what is in it."));
    }
    checks
}

fn room(home: &Path) -> Check {
    match host::disk_free(home) {
        None => Check::ok("disk", "The system does not tell how much room the disk has."),
        Some(free) if free < NO_ROOM => {
            let message =
                format!("The disk is nearly full: {} free. New messages may not be kept.", bytes(free));
            Check::fail(
                "disk",
                message,
                "Free some space, for instance by removing models that you do not use.",
            )
        }
        Some(free) if free < LITTLE_ROOM => {
            let message = format!(
                "The disk has {} left: enough for conversations, too little for a model.",
                bytes(free)
            );
            Check::warn("disk", message, "Free some space before you download a model.")
        }
        Some(free) => Check::ok("disk", format!("The disk has {} left.", bytes(free))),
    }
}
