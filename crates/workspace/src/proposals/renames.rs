//! Detects moved files: a deleted and a new file with the same or similar lines.

use std::collections::HashMap;

use store::StoredCodeFile;

/// The minimum similarity of a moved file, in percent.
const ALIKE: usize = 60;
/// Above this number of pairs, only identical files are detected as moved. The same applies to files of more than
/// `MOST_BYTES` bytes.
const MOST_PAIRS: usize = 2_000;
const MOST_BYTES: usize = 1 << 20;

/// Returns for each file the index of the file that it was moved from. A deleted file is the source of at most one new
/// file.
pub fn sources(files: &[StoredCodeFile]) -> Vec<Option<usize>> {
    let mut sources = vec![None; files.len()];
    let comes =
        |file: &StoredCodeFile| file.before.is_none() && file.after.as_ref().is_some_and(|b| !b.is_empty());
    let mut gone: Vec<usize> = (0..files.len()).filter(|&at| files[at].after.is_none()).collect();
    let mut new: Vec<usize> = (0..files.len()).filter(|&at| comes(&files[at])).collect();
    new.retain(|&at| {
        let same = gone.iter().position(|&source| files[source].before == files[at].after);
        sources[at] = same.map(|same| gone.remove(same));
        sources[at].is_none()
    });
    if new.len() * gone.len() > MOST_PAIRS {
        return sources;
    }
    for at in new {
        let alike = |&source: &usize| likeness(files[source].before.as_deref(), files[at].after.as_deref());
        let best = gone.iter().enumerate().max_by_key(|(_, source)| alike(source));
        if let Some((best, _)) = best.filter(|(_, source)| alike(source) >= ALIKE) {
            sources[at] = Some(gone.remove(best));
        }
    }
    sources
}

/// Returns the base of a file's diff: its old content, or that of the file it was moved from.
pub fn base(files: &[StoredCodeFile], source: Option<usize>, at: usize) -> Option<&[u8]> {
    files[source.unwrap_or(at)].before.as_deref()
}

/// Returns the percentage of common lines of two texts, regardless of their order.
fn likeness(one: Option<&[u8]>, other: Option<&[u8]>) -> usize {
    let (Some(one), Some(other)) = (one, other) else { return 0 };
    if one.len().max(other.len()) > MOST_BYTES || one.contains(&0) || other.contains(&0) {
        return 0;
    }
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    for line in one.split_inclusive(|byte| *byte == b'\n') {
        *known.entry(line).or_default() += 1;
    }
    let mut shared = 0;
    for line in other.split_inclusive(|byte| *byte == b'\n') {
        if let Some(left) = known.get_mut(line).filter(|left| **left > 0) {
            *left -= 1;
            shared += line.len();
        }
    }
    2 * shared * 100 / (one.len() + other.len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::PendingChange;
    use crate::proposals::stored_file;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> StoredCodeFile {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        stored_file(
            path.into(),
            PendingChange { before: bytes(before), after: bytes(after), ..PendingChange::default() },
        )
    }

    #[test]
    fn what_has_most_of_the_lines_is_the_same_file() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\n";
        let new = old.replace("three", "III");
        for (name, files, expected) in [
            ("the same", vec![file("a", Some(old), None), file("b", None, Some(old))], vec![None, Some(0)]),
            ("edited", vec![file("a", Some(old), None), file("b", None, Some(&new))], vec![None, Some(0)]),
            ("another", vec![file("a", Some(old), None), file("b", None, Some("x\ny\n"))], vec![None, None]),
            ("empty", vec![file("a", Some(""), None), file("b", None, Some(""))], vec![None, None]),
            ("no text", vec![file("a", Some("a\0b"), None), file("b", None, Some("a\0c"))], vec![None, None]),
            ("changed in its place", vec![file("a", Some(old), Some(&new))], vec![None]),
            (
                "the one that is more alike",
                vec![file("a", Some(&new), None), file("b", None, Some(old)), file("c", Some(old), None)],
                vec![None, Some(2), None],
            ),
            (
                "one source for one",
                vec![file("a", Some(old), None), file("b", None, Some(&new)), file("c", None, Some(old))],
                vec![None, None, Some(0)],
            ),
        ] {
            assert_eq!(sources(&files), expected, "{name}");
        }
    }
}
