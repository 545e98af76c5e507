use super::*;

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let manifests = [("crates/a/Cargo.toml", ""), ("crates/b/Cargo.toml", "")];
    SourceTree::of(&manifests.iter().chain(files).copied().collect::<Vec<_>>())
}

#[test]
fn a_public_name_stands_once_in_the_workspace() {
    for (a, b, found) in [
        ("pub struct Place;", "pub enum Place {}", true),
        ("pub struct Place;", "pub(crate) type Place = u8;", true),
        ("mod inner { pub(super) struct Place; } pub trait Place {}", "", true),
        ("pub struct Place;", "struct Place;", false),
        ("pub struct Place;", "pub fn place() {} pub const Place: u8 = 1;", false),
        ("pub struct Place;", "#[cfg(test)] pub struct Place;", false),
        ("pub struct Place;", "fn f() { pub struct Place; }", false),
    ] {
        let tree = tree(&[("crates/a/src/lib.rs", a), ("crates/b/src/lib.rs", b)]);
        assert_eq!(!without_reason(&public_types(&tree), &[]).is_empty(), found, "{a} {b}");
    }
}

#[test]
fn the_list_begins_with_the_most_frequent_name() {
    let tree = tree(&[
        ("crates/a/src/lib.rs", "pub struct Stage;\npub struct Place;\nmod b { pub struct Place; }"),
        ("crates/b/src/lib.rs", "pub struct Stage; pub struct Place;"),
    ]);
    let text = describe_with(&tree, &[("Place", "an example")]);
    assert!(text.starts_with("Place: 3 times\n    crates/a/src/lib.rs:2 struct\n"), "{text}");
    assert!(text.ends_with("2 names of public types are used more than once, 1 without a reason"), "{text}");
}

#[test]
fn a_name_on_the_list_that_stands_once_is_taken_off_it() {
    let places = public_types(&tree(&[("crates/a/src/lib.rs", "pub struct Place;")]));
    assert_eq!(without_reason(&places, &[("Place", "an example")]).len(), 1);
}

#[test]
fn names_that_were_given_up_do_not_come_back() {
    for (path, text, found) in [
        ("crates/a/src/lib.rs", "struct Desk;", true),
        ("crates/a/src/lib.rs", "struct Desktop; fn desk() {}", false),
        ("crates/a/src/shelf.rs", "", true),
        ("crates/a/src/hands/mod.rs", "", true),
        ("crates/a/src/shelf.md", "", false),
        ("crates/a/src/handshake.rs", "", false),
    ] {
        assert_eq!(!retired(&tree(&[(path, text)])).is_empty(), found, "{path} {text}");
    }
}
