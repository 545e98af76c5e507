use std::path::Path;

use store::{
    CodeBatch, CodeIndex, CodeIndexError, CodeWords, IndexFile, IndexFileKind, NewIndexFile, NewIndexSymbol,
    StoreError, WordWeights,
};

use crate::support::{Folder, meddle};

const ALIKE: WordWeights = WordWeights { path: 1.0, names: 1.0, prose: 1.0, body: 1.0 };

/// A file with one symbol and some words.
fn file(path: &str, symbol: &str, words: &str) -> NewIndexFile {
    let known = IndexFile {
        hash: [u8::try_from(words.len()).unwrap(); 16],
        language: Some("Rust".into()),
        lines: 3,
        ..IndexFile::unread(path, IndexFileKind::Text, 40, Some(7))
    };
    let key = symbol.to_lowercase().replace('_', "");
    NewIndexFile {
        file: known,
        outline: Some(symbol.as_bytes().to_vec()),
        symbols: vec![NewIndexSymbol { key, name: symbol.into(), kind: "function".into(), line: 2 }],
        words: CodeWords { path: path.replace(['/', '.'], " "), body: words.into(), ..CodeWords::default() },
    }
}

fn with(files: &[(&str, &str, &str)]) -> CodeBatch {
    let files = files.iter().map(|(path, symbol, words)| file(path, symbol, words)).collect();
    CodeBatch { files, ..CodeBatch::default() }
}

fn paths(index: &CodeIndex) -> Vec<String> {
    index.files().unwrap().into_iter().map(|file| file.path).collect()
}

fn found(index: &CodeIndex, term: &str) -> Vec<String> {
    let found = index.search(&[term.to_owned()], ALIKE, 10).unwrap();
    found.into_iter().map(|(path, _)| path).collect()
}

fn defined(index: &CodeIndex, key: &str, name: &str) -> Vec<String> {
    let found = index.find_symbol(key, name, 10).unwrap();
    found.into_iter().map(|symbol| format!("{}:{} {}", symbol.path, symbol.line, symbol.name)).collect()
}

#[test]
fn files_are_found_by_names_and_words_until_they_change_or_go() {
    let folder = Folder::new();
    let index = CodeIndex::open(&folder.file("made/on/the/way.db")).unwrap();
    let first = index.generation().unwrap();
    index
        .apply(&with(&[("a.rs", "parse_date", "moon sun"), ("b.rs", "parseDate", "moon moon moon")]))
        .unwrap();
    assert_eq!(paths(&index), ["a.rs", "b.rs"]);
    assert_eq!(defined(&index, "parsedate", "parseDate"), ["b.rs:2 parseDate", "a.rs:2 parse_date"]);
    assert_eq!(found(&index, "moon"), ["b.rs", "a.rs"]);
    assert_eq!(found(&index, "moons"), ["b.rs", "a.rs"], "the ending does not matter");
    assert_eq!(index.outline("b.rs").unwrap().unwrap(), b"parseDate");
    assert_ne!(index.generation().unwrap(), first);

    index
        .apply(&CodeBatch {
            removed: vec!["a.rs".into(), "never.rs".into()],
            ..with(&[("b.rs", "other", "star")])
        })
        .unwrap();
    assert_eq!(paths(&index), ["b.rs"]);
    assert!(defined(&index, "parsedate", "").is_empty() && found(&index, "moon").is_empty());
    assert_eq!(found(&index, "star"), ["b.rs"]);

    let before = index.generation().unwrap();
    let touched = IndexFile { stamp: Some(99), bytes: 41, ..index.files().unwrap()[0].clone() };
    index.apply(&CodeBatch { touched: vec![touched.clone()], ..CodeBatch::default() }).unwrap();
    assert_eq!(index.files().unwrap(), [touched]);
    assert_eq!(index.generation().unwrap(), before, "nothing that is known of it has changed");
    assert_eq!(found(&index, "star"), ["b.rs"]);
}

#[test]
fn a_folder_is_what_lies_in_it() {
    let folder = Folder::new();
    let index = CodeIndex::open(&folder.file("index.db")).unwrap();
    let names = ["a", "a.rs", "a/b.rs", "a/c/d.rs", "a-b/c.rs", "a0.rs", "ab/c.rs", "b/a/c.rs", "50%/x_y.rs"];
    let files: Vec<(&str, &str, &str)> = names.iter().map(|name| (*name, "x", "")).collect();
    index.apply(&with(&files)).unwrap();
    for (path, expected) in [
        ("a", vec!["a", "a/b.rs", "a/c/d.rs"]),
        ("a/c", vec!["a/c/d.rs"]),
        ("a/b.rs", vec!["a/b.rs"]),
        ("50%", vec!["50%/x_y.rs"]),
        ("nowhere", vec![]),
    ] {
        let files = index.files_at(path).unwrap();
        assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), expected, "{path}");
    }
}

#[test]
fn whatever_is_looked_for_is_a_word_and_no_command() {
    let folder = Folder::new();
    let index = CodeIndex::open(&folder.file("index.db")).unwrap();
    index.apply(&with(&[("a.rs", "x", "near moon")])).unwrap();
    for term in
        ["\"", "\"\"", "a\" OR \"b", "NEAR(", "*", "", " ", "moon*", "path:", "-", "\0", "ä", "(", "^"]
    {
        assert!(index.search(&[term.to_owned()], ALIKE, 5).is_ok(), "{term:?}");
    }
    assert_eq!(found(&index, "moon"), ["a.rs"]);
    let many: Vec<String> = (0..5_000).map(|number| format!("word{number}")).chain(["moon".into()]).collect();
    assert!(index.search(&many, ALIKE, 5).is_ok());
    assert!(index.search(&[], ALIKE, 5).unwrap().is_empty());
}

#[test]
fn what_cannot_be_used_is_made_anew_and_what_is_not_ours_is_left() {
    let folder = Folder::new();
    let filled = |name: &str| {
        let path = folder.file(name);
        let index = CodeIndex::open(&path).unwrap();
        index.apply(&with(&[("a.rs", "x", "moon")])).unwrap();
        path
    };
    let is_new = |path: &Path| {
        let index = CodeIndex::open(path).unwrap();
        assert_eq!(paths(&index), Vec::<String>::new());
        index.apply(&with(&[("b.rs", "y", "sun")])).unwrap();
        assert_eq!(found(&index, "sun"), ["b.rs"]);
    };
    let other = filled("other-format.db");
    meddle(&other, "PRAGMA user_version = 77");
    is_new(&other);
    let garbage = filled("garbage.db");
    std::fs::write(&garbage, "not a database at all ".repeat(999)).unwrap();
    is_new(&garbage);
    let torn = filled("torn.db");
    let bytes = std::fs::read(&torn).unwrap();
    std::fs::write(&torn, &bytes[..1_000]).unwrap();
    is_new(&torn);

    let kept = filled("kept.db");
    assert_eq!(paths(&CodeIndex::open(&kept).unwrap()), ["a.rs"]);

    let foreign = folder.file("foreign.db");
    meddle(&foreign, "CREATE TABLE bookmarks (url TEXT)");
    let before = std::fs::read(&foreign).unwrap();
    assert_eq!(CodeIndex::open(&foreign).err(), Some(CodeIndexError::Store(StoreError::Foreign)));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);
}

#[test]
fn damage_that_shows_later_empties_it_once() {
    let folder = Folder::new();
    let path = folder.file("index.db");
    let many: Vec<NewIndexFile> = (0..400)
        .map(|number| file(&format!("src/{number}.rs"), &format!("name_{number}"), "moon sun"))
        .collect();
    CodeIndex::open(&path).unwrap().apply(&CodeBatch { files: many, ..CodeBatch::default() }).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // All but the first page, which identifies the file.
    bytes[4096..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let index = CodeIndex::open(&path).unwrap();
    let error = index.files().unwrap_err();
    assert!(matches!(error, CodeIndexError::Damaged(_)), "{error:?}");
    assert!(error.to_string().contains("being rebuilt"), "{error}");
    assert_eq!(paths(&index), Vec::<String>::new());
    index.apply(&with(&[("a.rs", "x", "moon")])).unwrap();
    assert_eq!(found(&index, "moon"), ["a.rs"]);
}

#[test]
fn what_was_kept_in_another_form_is_forgotten() {
    let folder = Folder::new();
    let path = folder.file("index.db");
    let index = CodeIndex::open(&path).unwrap();
    index.keep_form("one").unwrap();
    index.apply(&with(&[("a.rs", "x", "moon")])).unwrap();
    index.keep_form("one").unwrap();
    assert_eq!(paths(&index), ["a.rs"]);
    index.renew().unwrap();
    index.apply(&with(&[("b.rs", "x", "moon")])).unwrap();
    drop(index);
    let index = CodeIndex::open(&path).unwrap();
    index.keep_form("one").unwrap();
    assert_eq!(paths(&index), ["b.rs"], "the format outlives a rebuild");
    index.keep_form("two").unwrap();
    assert_eq!(paths(&index), Vec::<String>::new());
}

#[test]
fn vectors_belong_to_a_content() {
    let folder = Folder::new();
    let index = CodeIndex::open(&folder.file("index.db")).unwrap();
    index.apply(&with(&[("a.rs", "x", "moon"), ("b.rs", "y", "sun")])).unwrap();
    let hash = index.files_at("a.rs").unwrap()[0].hash;
    assert!(index.put_vectors("mini", "a.rs", &hash, &[vec![1], vec![2]]).unwrap());
    assert!(!index.put_vectors("mini", "a.rs", &[99; 16], &[vec![3]]).unwrap());
    assert!(!index.put_vectors("mini", "gone.rs", &hash, &[vec![3]]).unwrap());
    let kept = |model: &str| {
        let vectors = index.vectors(model).unwrap();
        vectors.into_iter().map(|kept| (kept.path, kept.chunk, kept.vector)).collect::<Vec<_>>()
    };
    assert_eq!(kept("mini"), [("a.rs".into(), 0, vec![1]), ("a.rs".into(), 1, vec![2])]);
    assert!(kept("large").is_empty());
    let without: Vec<String> =
        index.without_vectors("mini", 9).unwrap().into_iter().map(|(path, _)| path).collect();
    assert_eq!(without, ["b.rs"]);
    index.apply(&with(&[("a.rs", "x", "another text")])).unwrap();
    assert!(kept("mini").is_empty());
}

#[test]
fn many_write_and_read_at_once() {
    let folder = Folder::new();
    let path = folder.file("index.db");
    let (one, other) = (CodeIndex::open(&path).unwrap(), CodeIndex::open(&path).unwrap());
    std::thread::scope(|scope| {
        for (name, index) in [("one", &one), ("two", &other), ("three", &one)] {
            scope.spawn(move || {
                for number in 0..30 {
                    index
                        .apply(&with(&[
                            (&format!("{name}/{number}.rs"), name, "moon"),
                            ("shared.rs", name, "sun"),
                        ]))
                        .unwrap();
                    assert_eq!(found(index, "sun"), ["shared.rs"]);
                }
            });
        }
    });
    assert_eq!(paths(&one).len(), 91);
    assert_eq!(paths(&one), paths(&other));
}
