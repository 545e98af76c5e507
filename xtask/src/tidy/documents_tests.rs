use super::*;

#[test]
fn an_invariant_names_a_test_that_exists() {
    let table = "\
| number | what holds | guarded by |
|---|---|---|
| I1 | one writer | `store::writer_tests::a_second_writer_waits` |
| I2 | a page | `web/e2e/first.test.mjs` |
| I4 | skipped a number | `xtask::tidy::tests::it_holds`, `store::gone` |
| I4 | no guard | |
";
    let tree = SourceTree::of(&[
        (ARCHITECTURE, "One writer (I1). I2, I4, and I9 of another table."),
        (INVARIANTS, table),
        ("crates/store/src/writer_tests.rs", "#[test]\nfn a_second_writer_waits() {}\n"),
        ("web/e2e/first.test.mjs", ""),
        ("xtask/src/tidy/tests.rs", "fn it_holds() {}\nfn gone() {}\n"),
    ]);
    assert_eq!(
        unguarded_invariants(&tree),
        [
            "crates/INVARIANTS.md:5: I4 should be I3",
            "crates/INVARIANTS.md:5: there is no test store::gone",
            "crates/INVARIANTS.md:6: I4 names no test",
            "ARCHITECTURE.md: I3 is not mentioned",
            "ARCHITECTURE.md: there is no I9",
        ]
    );
    assert_eq!(unguarded_invariants(&SourceTree::default()), ["crates/INVARIANTS.md is missing"]);
    assert_eq!(unguarded_invariants(&SourceTree::of(&[(INVARIANTS, "# Words")])).len(), 1);
}

#[test]
fn commands_in_documents_exist() {
    let cli = "enum Command {\n    /// Starts.\n    Serve(Serve),\n    Doctor {\n    },\n    DoThis,\n}\n";
    for (readme, unknown) in [
        ("Type `cargo xtask run`.", None),
        ("Type `cargo xtask rum --port 1`.", Some("xtask rum")),
        ("```\n$ cargo xtask test --tier pure   # or cargo xtask frob\n```", None),
        ("```\nperigee serve --port 1\nperigee do-this\n```", None),
        ("```\nperigee frob\n```", Some("perigee frob")),
        ("`perigee doctor --json` and `perigee --help`", None),
        ("perigee frob outside code, and `cargo build`", None),
        ("`cargo xtask COMMAND`", None),
        ("`the xtask frob`", None),
    ] {
        let findings =
            unknown_commands(&SourceTree::of(&[("README.md", readme), ("crates/perigee/src/cli.rs", cli)]));
        assert_eq!(findings.len(), usize::from(unknown.is_some()), "{readme}: {findings:?}");
        assert!(
            unknown.is_none_or(|unknown| findings.iter().any(|found| found.contains(unknown))),
            "{findings:?}"
        );
    }
}

#[test]
fn links_to_files_lead_somewhere() {
    for (path, text, broken) in [
        ("README.md", "[a](docs/guide.md) ![b](docs/moon.png \"title\")", 0),
        ("README.md", "[a](docs/guide.md#part) [b](#here) [c](https://example.org/x) [d](docs)", 0),
        ("README.md", "[a](docs/gone.md) and [b](../outside.md)", 2),
        ("docs/guide.md", "[up](../README.md) [beside](./guide.md) [root](/README.md)", 0),
        ("docs/guide.md", "[a](README.md)", 1),
        ("README.md", "```\n[a](gone.md)\n```", 0),
    ] {
        let mut tree = SourceTree::of(&[("README.md", ""), ("docs/guide.md", ""), ("docs/moon.png", "")]);
        tree.files.retain(|file| file.path != path);
        tree.files.push(File { path: path.to_owned(), text: text.to_owned() });
        assert_eq!(broken_links(&tree).len(), broken, "{path}: {text}: {:?}", broken_links(&tree));
    }
}

#[test]
fn paths_in_documents_for_developers_exist() {
    for (text, missing) in [
        ("`crates/store/src/lib.rs`, in `crates/store/`", 0),
        ("`crates/store/src/gone.rs` and `web/gone/`", 2),
        ("`store/src/lib.rs` and `store/src/gone.rs`", 1),
        ("`skills/NAME/SKILL.md`, `crates/store/src/*.md`, `src/gone.rs`, crates/gone", 0),
    ] {
        let tree = SourceTree::of(&[(CONTRIBUTING, text), ("crates/store/src/lib.rs", "")]);
        assert_eq!(missing_paths(&tree).len(), missing, "{text}: {:?}", missing_paths(&tree));
    }
}
