use super::*;

fn one(path: &str, text: &str) -> SourceTree {
    SourceTree::of(&[(path, text)])
}

#[test]
fn long_files_are_listed_and_longer_ones_fail() {
    for (path, lines, grows, fails) in [
        ("src/a.rs", 500, false, false),
        ("src/a.rs", 501, true, false),
        ("src/a.rs", 800, true, false),
        ("src/a.rs", 801, false, true),
        ("web/a.tsx", 900, false, true),
        ("web/src/api/protocol.gen.ts", 900, false, false),
        ("Cargo.lock", 5000, false, false),
        ("docs/guide.md", 900, false, false),
    ] {
        let tree = one(path, &"line\n".repeat(lines));
        assert_eq!(
            (growing(&tree).len(), too_long(&tree).len()),
            (grows.into(), fails.into()),
            "{path} {lines}"
        );
    }
}

#[test]
fn unfinished_work_is_found_as_a_word() {
    for (line, found) in [
        ("// TODO: later", true),
        ("/* FIXME */", true),
        ("# XXX", true),
        ("    todo!(\"later\")", true),
        ("unimplemented!()", true),
        ("mktemp -d moon.XXXXXX", false),
        ("const MASTODON: u8 = 1;", false),
        ("todo = \"deny\"", false),
        ("a todo list", false),
    ] {
        assert_eq!(!unfinished(&one("a.rs", line)).is_empty(), found, "{line}");
    }
    assert_eq!(unfinished(&one("a.rs", "\n\n// TODO")), ["a.rs:3: TODO"]);
    assert!(unfinished(&one("xtask/src/tidy/words.rs", "TODO")).is_empty(), "the rule itself");
}

#[test]
fn paths_of_one_machine_are_found() {
    for (line, found) in [
        ("open(\"/work/main/a\")", true),
        ("cd /root/.cargo", true),
        ("see /home/sam/notes", true),
        ("see /home/ada/notes", false),
        ("~/work/notes", false),
        ("https://example.com/work/a", false),
        ("crates/work/src", false),
        ("the /home/ folder", false),
        ("${ROOT}/root/x", false),
        ("/homework/", false),
    ] {
        assert_eq!(!machine_paths(&one("a.md", line)).is_empty(), found, "{line}");
    }
}

#[test]
fn registry_hosts_are_found() {
    assert_eq!(
        registry_hosts(&one("a.toml", "url = \"https://pypi.org/simple\"")),
        ["a.toml:1: names pypi.org"]
    );
    assert!(registry_hosts(&one("README.md", "https://example.org")).is_empty());
}

#[test]
fn tests_that_are_left_out_are_found() {
    for (path, line, found) in [
        ("a.rs", "    #[ignore]", true),
        ("a.rs", "#[ignore = \"slow\"]", true),
        ("a.rs", "// an #[ignore] would hide it", false),
        ("a.test.ts", "it.only(\"x\", () => {})", true),
        ("a.test.mjs", "describe.only(\"x\")", true),
        ("a.md", "it.only(", false),
    ] {
        assert_eq!(!tests_left_out(&one(path, line)).is_empty(), found, "{path} {line}");
    }
}
