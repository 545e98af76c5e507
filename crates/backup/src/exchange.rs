//! Replaces several files and folders, all or none.
//!
//! Each place goes through at most three states: unchanged; old content in the set; new content in place. A rollback
//! determines the state from the files that exist and works from any of them.

use std::path::{Path, PathBuf};

use host::FileError;
use jiff::Timestamp;

use super::BackupError;
use super::disk::{Rename, is_there, is_workroom, relocate, remove, remove_if_empty};
use super::journal::{Move, MoveState, Set, Sets};
use super::places::BackupPart;

/// The folder within a set for the redundant copy when an interrupted move between disks left two.
const SPARE: &str = "spare";

/// Replaces each place by the content of `staged` with the same name. Returns the folder with the replaced content.
pub(super) fn put_in_place(
    rename: Rename<'_>,
    places: &[BackupPart],
    staged: &Path,
    backups: &Path,
    now: Timestamp,
) -> Result<PathBuf, BackupError> {
    let planned = |place: &BackupPart| Move {
        name: place.name.to_owned(),
        path: place.path.clone(),
        had: is_there(&place.path),
        gets: is_there(&staged.join(place.name)),
    };
    exchange(rename, Set::begin(backups, staged, places.iter().map(planned).collect(), now)?)
}

/// Puts the newest set back, and creates another set from the content that it replaces.
pub(super) fn undo(rename: Rename<'_>, backups: &Path, now: Timestamp) -> Result<PathBuf, BackupError> {
    let Sets { readable, unreadable } = Sets::find(backups)?;
    // The unreadable set may be the newest one.
    if let Some((folder, why)) = unreadable.into_iter().next() {
        return Err(BackupError::BadSet { folder, why });
    }
    let newest = readable.into_iter().max_by_key(|set| set.journal.number);
    let Some(newest) = newest else { return Err(BackupError::NothingToUndo) };
    let planned = |old: &Move| Move {
        name: old.name.clone(),
        path: old.path.clone(),
        had: is_there(&old.path),
        gets: is_there(&newest.holds(&old.name)),
    };
    let moves: Vec<Move> = newest.journal.moves.iter().map(planned).collect();
    let missing = newest.journal.moves.iter().zip(&moves).find(|(old, planned)| old.had != planned.gets);
    if let Some((old, _)) = missing {
        let why = format!("{} should {}be in it", old.name, if old.had { "" } else { "not " });
        return Err(BackupError::BadSet { folder: newest.folder, why });
    }
    let kept = exchange(rename, Set::begin(backups, &newest.folder, moves, now)?)?;
    discard(&newest);
    Ok(kept)
}

/// Rolls back all interrupted exchanges. Returns true if there were any.
pub(super) fn mend(rename: Rename<'_>, backups: &Path) -> Result<bool, BackupError> {
    let Sets { readable, unreadable } = Sets::find(backups)?;
    for (folder, why) in unreadable {
        tracing::warn!(folder = %folder.display(), why, "what a restore replaced is here, and cannot be put back");
    }
    let mut cut: Vec<Set> =
        readable.into_iter().filter(|set| set.journal.state == MoveState::Moving).collect();
    cut.sort_by_key(|set| std::cmp::Reverse(set.journal.number));
    for set in &cut {
        roll_back(rename, set)?;
        let incoming = &set.journal.incoming;
        if is_workroom(incoming) && incoming.parent() == Some(backups) {
            remove(incoming);
        }
    }
    Ok(!cut.is_empty())
}

fn exchange(rename: Rename<'_>, mut set: Set) -> Result<PathBuf, BackupError> {
    let moved = (|| {
        for Move { name, path, had, gets } in &set.journal.moves {
            if *had {
                relocate(rename, path, &set.holds(name))?;
            }
            if *gets {
                relocate(rename, &set.journal.incoming.join(name), path)?;
            }
        }
        Ok(())
    })();
    let done = moved.and_then(|()| {
        set.journal.state = MoveState::Done;
        set.write()
    });
    let Err(cause) = done else { return Ok(set.folder) };
    match roll_back(rename, &set) {
        Ok(()) => Err(BackupError::PutBack { cause }),
        Err(again) => {
            set.journal.state = MoveState::Moving;
            set.write().ok();
            Err(BackupError::Stuck { cause, again, folder: set.folder })
        }
    }
}

/// Moves everything back. Continues after a failure, so that as much as possible is restored, and returns the first
/// failure.
fn roll_back(rename: Rename<'_>, set: &Set) -> Result<(), FileError> {
    let mut outcome = Ok(());
    for planned in set.journal.moves.iter().rev() {
        let back = put_back(rename, set, planned);
        outcome = outcome.and(back);
    }
    if outcome.is_ok() {
        discard(set);
    }
    outcome
}

fn put_back(rename: Rename<'_>, set: &Set, Move { name, path, had, gets }: &Move) -> Result<(), FileError> {
    let (old, other) = (set.holds(name), set.journal.incoming.join(name));
    let old_is_aside = *had && is_there(&old);
    if *gets && is_there(path) && (old_is_aside || !had) {
        let to = if is_there(&other) { set.holds(SPARE).join(name) } else { other };
        relocate(rename, path, &to)?;
    }
    if old_is_aside && !is_there(path) {
        relocate(rename, &old, path)?;
    }
    Ok(())
}

/// Removes a set. The journal goes first, because a folder without one no longer counts as a set.
fn discard(set: &Set) {
    remove(&set.journal_file());
    remove_if_empty(&set.folder);
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
