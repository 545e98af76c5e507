//! Searches the data folder for remains of forgotten words.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use memory::Redaction;

/// The size in bytes of the pieces in which files are read.
const PIECE: usize = 4 << 20;
/// The overlap in bytes, for words that begin in one piece and end in the next.
const OVERLAP: usize = 16 << 10;

/// The places outside the database that may contain the words.
#[derive(Debug, Clone, Default)]
pub struct SearchedPlaces {
    /// The data folder, which is searched completely afterwards.
    pub home: PathBuf,
    /// The file with the owner's terminal input history.
    pub typed: PathBuf,
    pub backups: PathBuf,
    /// The model files, which contain no user data.
    pub models: PathBuf,
}

/// Searches every file of the data folder and the packed objects of git histories. Backups and models are left out.
pub fn found_in(places: &SearchedPlaces, redaction: &Redaction) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![places.home.clone()];
    while let Some(folder) = folders.pop() {
        if folder == places.backups || folder == places.models {
            continue;
        }
        let is_git = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".git"));
        let packed = if is_git { memory::files::unpacked(&folder) } else { Vec::new() };
        if packed.iter().any(|object| redaction.occurs_in(&String::from_utf8_lossy(object))) {
            found.push(shown(&folder, places));
        }
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && holds(&path, redaction) {
                found.push(shown(&path, places));
            }
        }
    }
    found.sort();
    found
}

/// Returns true if a file contains the words. In a database they may stand directly beside other text; in other files
/// only whole words count, since *max* in *max_tokens* is a different word.
fn holds(path: &Path, redaction: &Redaction) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_database = name.contains(".db");
    let Ok(mut file) = File::open(path) else { return false };
    let (mut held, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        let Ok(read @ 1..) = file.read(&mut piece) else { return false };
        held.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&held);
        if if is_database { redaction.occurs_anywhere_in(&text) } else { redaction.occurs_in(&text) } {
            return true;
        }
        let kept = held.len().saturating_sub(OVERLAP);
        held.drain(..kept);
    }
}

fn shown(path: &Path, places: &SearchedPlaces) -> String {
    path.strip_prefix(&places.home).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test lays out files of its own")]
    fn words_are_found_across_pieces_and_whole_outside_of_databases() {
        let home = tempfile::tempdir().unwrap();
        let places = SearchedPlaces { home: home.path().to_owned(), ..SearchedPlaces::default() };
        let redaction = Redaction::of_words(["Zebulon Max".to_owned(), "max".to_owned()]).unwrap();
        std::fs::write(home.path().join("config.toml"), "max_tokens = 3\nmaximum = 4").unwrap();
        assert_eq!(found_in(&places, &redaction), Vec::<String>::new());
        std::fs::write(home.path().join("perigee.db"), "\u{3}valuemaxfact").unwrap();
        let mut long = "x ".repeat(PIECE / 2 - 4).into_bytes();
        long.extend_from_slice(b" Zebulon\nMax.");
        std::fs::write(home.path().join("notes.txt"), long).unwrap();
        assert_eq!(found_in(&places, &redaction), ["notes.txt", "perigee.db"]);
    }
}
