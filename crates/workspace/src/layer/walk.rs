//! What lies in a layer, and whose it is: the work's, git's, or of no interest to anybody.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use host::{EntryInfo, EntryKind, RootDir};
use sandbox::{Found, Ground, Kind};

use super::rules::{LONGEST_RULES, RULE_FILES, Rules};

/// Folders nested deeper than this are nobody's work.
pub const DEEPEST: usize = 64;
/// Nor are folders with more in them.
pub const MOST_IN_A_FOLDER: usize = 100_000;

/// Whose a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// In play: what a command did to it is a change.
    Works,
    /// Ignored: it stays in the layer, and goes nowhere else.
    Nobodys,
    /// It goes with the command.
    Gits,
}

/// What a file with rules says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saying {
    AsOnDisk,
    /// It is not there, or will not be.
    Nothing,
    Text(Vec<u8>),
}

impl From<Option<Vec<u8>>> for Saying {
    fn from(text: Option<Vec<u8>>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }
}

/// A folder of the layer.
#[derive(Debug, Clone)]
pub struct Folder {
    pub path: PathBuf,
    pub depth: usize,
    /// The disk has a folder there, too, which shows through.
    pub is_below: bool,
    /// A folder on the way is ignored in the layer, or on the disk.
    ignored: Ignored,
}

impl Folder {
    pub fn root() -> Self {
        Self { path: PathBuf::new(), depth: 0, is_below: true, ignored: Ignored::default() }
    }

    /// Too full or too deep to be anybody's work.
    pub fn is_odd(&self, entries: &[Entry]) -> bool {
        entries.len() >= MOST_IN_A_FOLDER || self.depth >= DEEPEST
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Ignored {
    here: bool,
    on_disk: bool,
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub path: PathBuf,
    pub found: Found,
    pub whose: Whose,
    /// What the disk has there.
    pub below: Option<EntryInfo>,
    ignored: Ignored,
}

impl Entry {
    pub fn is_below(&self, kind: EntryKind) -> bool {
        self.below.as_ref().is_some_and(|info| info.kind == kind)
    }

    /// The folder that it is, for the next step of the walk.
    pub fn as_folder(&self, depth: usize) -> Folder {
        let is_below = self.is_below(EntryKind::Folder);
        Folder { path: self.path.clone(), depth, is_below, ignored: self.ignored }
    }
}

/// A walk through a layer, from its root down.
pub struct Walk<'a> {
    pub ground: &'a Ground,
    pub disk: &'a RootDir,
    /// What the overlay has: it is in play, whatever rules say.
    known: BTreeSet<PathBuf>,
    /// As they are with all that lies in the layer, and as they are without.
    here: Rules,
    on_disk: Rules,
}

impl<'a> Walk<'a> {
    pub fn new(ground: &'a Ground, disk: &'a RootDir, known: impl Iterator<Item = PathBuf>) -> Self {
        let rules = || Rules::new(disk.path());
        Self { ground, disk, known: known.collect(), here: rules(), on_disk: rules() }
    }

    /// What lies in a folder. `rules` says what a file with rules will say when all is done.
    pub fn entries(&mut self, folder: &Folder, rules: impl Fn(&Path) -> Saying) -> io::Result<Vec<Entry>> {
        let disk = self.disk;
        let on_disk = |path: &Path| disk.read(path, LONGEST_RULES).ok().filter(|_| folder.is_below);
        self.on_disk.enter(&folder.path, on_disk);
        self.here.enter(&folder.path, |path| match rules(path) {
            Saying::AsOnDisk => on_disk(path),
            Saying::Nothing => None,
            Saying::Text(text) => Some(text),
        });
        let listed = self.ground.list(&folder.path, MOST_IN_A_FOLDER)?;
        Ok(listed
            .into_iter()
            .map(|(name, found)| self.entry(folder, &folder.path.join(name), found))
            .collect())
    }

    fn entry(&self, folder: &Folder, path: &Path, found: Found) -> Entry {
        // Nothing of the disk shows through a link.
        let below = folder.is_below.then(|| self.disk.metadata(path).ok().flatten()).flatten();
        let is_folder = found.kind == Kind::Folder;
        let was_folder = below.as_ref().is_some_and(|info| info.kind == EntryKind::Folder);
        let ignored = Ignored {
            here: folder.ignored.here
                || self.here.is_ignored(path, is_folder || (found.kind == Kind::Whiteout && was_folder)),
            on_disk: folder.ignored.on_disk || self.on_disk.is_ignored(path, was_folder),
        };
        // What the disk has in play stays so, whatever rules a command writes; and those rules are to be seen.
        let after = (Bound::Excluded(path), Bound::Unbounded);
        let next = self.known.range::<Path, _>(after).next();
        let is_way = is_folder && next.is_some_and(|next| next.starts_with(path));
        let is_known = (below.is_some() && !ignored.on_disk) || is_way || self.known.contains(path);
        let name = path.file_name().unwrap_or_default();
        let is_rule = folder.is_below && !folder.ignored.here && RULE_FILES.iter().any(|rule| name == *rule);
        let whose = if name.eq_ignore_ascii_case(".git") {
            Whose::Gits
        } else if ignored.here && !is_known && !is_rule {
            Whose::Nobodys
        } else {
            Whose::Works
        };
        Entry { path: path.to_owned(), found, whose, below, ignored }
    }
}

/// What a file with rules says in a folder that the disk does not have, if it ignores itself, as those do that tools put
/// into their caches: then it stays there for the rules alone. Any other goes, or is the overlay's.
pub fn rules_of_its_own(ground: &Ground, root: &Path, folder: &Folder, path: &Path) -> Saying {
    let text = ground.read(path, LONGEST_RULES).ok().flatten();
    let Some(text) = text.filter(|_| !folder.is_below) else { return Saying::AsOnDisk };
    let mut rules = Rules::new(root);
    rules.enter(&folder.path, |other| (other == path).then(|| text.clone()));
    if rules.is_ignored(path, false) { Saying::Text(text) } else { Saying::Nothing }
}

/// Takes a folder away with all that is in it; of the root, all that is in it.
pub fn empty(ground: &Ground, folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() { ground.clear() } else { ground.remove(folder) }
}

/// What of these lies in a folder.
pub fn beneath<'m, T>(paths: &'m BTreeMap<PathBuf, T>, folder: &'m Path) -> impl Iterator<Item = &'m T> {
    // Paths are in order of their names, one after the other, so that what lies in a folder follows it.
    let after = (Bound::Excluded(folder), Bound::Unbounded);
    paths
        .range::<Path, _>(after)
        .take_while(move |(path, _)| path.starts_with(folder))
        .map(|(_, value)| value)
}
