//! Files that were moved: one goes, and one comes that has its lines, or most of them.

use std::collections::HashMap;

use store::CodeFile;

/// So much of two files is the same, in percent, where one is the other under another name.
const ALIKE: usize = 60;
/// Beyond this, files are compared as a whole alone: nobody looks at the pieces of so much.
const MOST_PAIRS: usize = 2_000;
const MOST_BYTES: usize = 1 << 20;

/// Where each file was before it had this name, as its place in the list. Each that goes is the source of one that comes.
pub fn sources(files: &[CodeFile]) -> Vec<Option<usize>> {
    let mut sources = vec![None; files.len()];
    let comes = |file: &CodeFile| file.before.is_none() && file.after.as_ref().is_some_and(|b| !b.is_empty());
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

/// What a file is changed from: what it was, or what the file was that was moved here.
pub fn base(files: &[CodeFile], source: Option<usize>, at: usize) -> Option<&[u8]> {
    files[source.unwrap_or(at)].before.as_deref()
}

/// How much of two texts is the same, in percent, by their lines, wherever those stand.
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
    use crate::overlay::Change;
    use crate::proposals::proposed;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> CodeFile {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        proposed(path.into(), Change { before: bytes(before), after: bytes(after), ..Change::default() })
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
