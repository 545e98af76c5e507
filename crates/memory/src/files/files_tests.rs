use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use store::Store;
use tools::{Effect, Group, ToolError};

use testkit::ToolTester;

use super::MemoryFiles;

fn kit() -> ToolTester {
    ToolTester::new(|clock, folder| {
        let store = Store::open(&folder.join("perigee.db"), Arc::clone(clock)).unwrap();
        super::tools(&MemoryFiles::new(Arc::clone(clock), Arc::new(store))).unwrap()
    })
}

/// Runs the real git in the memories folder and returns its output, or `None` if git is not available.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(["-c", "safe.directory=*", "-c", "core.quotepath=off"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .ok()?;
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

#[tokio::test]
async fn a_memory_is_written_read_changed_and_deleted() {
    let kit = kit();
    assert_eq!(
        kit.say("memory_list", json!({})).await,
        "There are no memories yet. memory_create makes one."
    );
    let said = kit
        .say("memory_create", json!({"filename": "people", "content": "# People\nAda likes tea.\n"}))
        .await;
    assert_eq!(said, "people.md is saved.");
    assert_eq!(kit.file("memories/people.md").as_deref(), Some("# People\nAda likes tea.\n"));
    assert_eq!(kit.say("memory_read", json!({"filename": "people.md"})).await, "# People\nAda likes tea.");
    let patch = json!({"filename": "people", "old_string": "tea", "new_string": "coffee"});
    assert_eq!(kit.say("memory_patch", patch).await, "people.md is saved.");
    assert_eq!(kit.file("memories/people.md").as_deref(), Some("# People\nAda likes coffee.\n"));
    kit.say("memory_edit", json!({"filename": "people", "content": "Nobody."})).await;
    assert_eq!(kit.say("memory_list", json!({})).await, "people.md");
    let said = kit.say("memory_delete", json!({"filename": "people"})).await;
    assert_eq!(said, "people.md is deleted. It can be brought back from the history of the memories.");
    assert_eq!(kit.file("memories/people.md"), None);
    assert!(
        kit.say("memory_read", json!({"filename": "people"}))
            .await
            .starts_with("There is no memory people.md.")
    );
}

#[tokio::test]
async fn every_change_is_a_commit_that_git_can_read() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
    kit.say("memory_edit", json!({"filename": "a", "content": "two"})).await;
    kit.say("memory_create", json!({"filename": "трип.md", "content": "b"})).await;
    kit.say("memory_delete", json!({"filename": "a"})).await;
    let folder = kit.folder.path().join("memories");
    let Some(log) = git(&folder, &["log", "--reverse", "--format=%an|%ae|%aI|%s"]) else { return };
    let expected = ["Create a.md", "Edit a.md", "Create трип.md", "Delete a.md"]
        .map(|subject| format!("Perigee|perigee@localhost|2026-11-15T12:00:00Z|{subject}"));
    assert_eq!(log.replace("+00:00", "Z").lines().collect::<Vec<_>>(), expected);
    assert_eq!(git(&folder, &["status", "--porcelain"]).unwrap(), "", "the index knows it too");
    assert_eq!(git(&folder, &["show", "HEAD~1:a.md"]).unwrap(), "two", "what was deleted can be had back");
    git(&folder, &["fsck", "--strict"]).unwrap();
}

#[tokio::test]
async fn a_patch_needs_exactly_one_place() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "tea tea aaa x"})).await;
    let cases = [
        ("coffee", "is not in a.md"),
        ("tea", "is in a.md more than once"),
        ("aa", "is in a.md more than once"),
        ("", "old_string is empty"),
        ("x", "are the same"),
    ];
    for (old, says) in cases {
        let said =
            kit.say("memory_patch", json!({"filename": "a", "old_string": old, "new_string": "x"})).await;
        assert!(said.contains(says), "{old}: {said}");
        assert_eq!(kit.file("memories/a.md").as_deref(), Some("tea tea aaa x"), "{old}");
    }
}

#[tokio::test]
async fn creating_never_overwrites_also_where_only_capitals_differ() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "Notes", "content": "first"})).await;
    for filename in ["Notes", "Notes.md", "notes", "NOTES.MD"] {
        let said = kit.say("memory_create", json!({"filename": filename, "content": "second"})).await;
        assert!(said.contains("Notes.md already") && said.contains("memory_edit"), "{filename}: {said}");
    }
    assert_eq!(kit.file("memories/Notes.md").as_deref(), Some("first"));
    assert_eq!(kit.say("memory_read", json!({"filename": "notes"})).await, "first");
    let said = kit.say("memory_edit", json!({"filename": "other", "content": "x"})).await;
    assert!(said.starts_with("There is no memory other.md."), "{said}");
}

#[tokio::test]
async fn names_lead_nowhere_else() {
    let kit = kit();
    kit.write("soul/identity.md", "who she is");
    kit.write("memories/keep.md", "kept");
    for filename in ["../soul/identity", "/etc/hostname", ".git/config", "sub/a", "..", ""] {
        for tool in ["memory_create", "memory_edit"] {
            let said = kit.run(tool, json!({"filename": filename, "content": "x"})).await;
            assert!(matches!(said, Err(ToolError::Impossible(_))), "{tool} {filename}: {said:?}");
        }
        for tool in ["memory_read", "memory_delete"] {
            assert!(kit.run(tool, json!({"filename": filename})).await.is_err(), "{tool} {filename}");
        }
    }
    assert_eq!(kit.file("soul/identity.md").as_deref(), Some("who she is"));
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_no_memories() {
    let kit = kit();
    kit.write("secret.txt", "secret");
    std::fs::create_dir(kit.folder.path().join("memories")).unwrap();
    std::os::unix::fs::symlink("../secret.txt", kit.folder.path().join("memories/link.md")).unwrap();
    assert!(kit.say("memory_read", json!({"filename": "link"})).await.starts_with("There is no memory"));
    assert!(kit.run("memory_create", json!({"filename": "link", "content": "x"})).await.is_err());
    assert_eq!(kit.file("secret.txt").as_deref(), Some("secret"));
}

#[tokio::test]
async fn two_calls_at_once_lose_nothing() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "list", "content": "0 end"})).await;
    let patches = (1..=12).map(|n| {
        kit.say(
            "memory_patch",
            json!({"filename": "list", "old_string": "end", "new_string": format!("{n} end")}),
        )
    });
    assert!(join_all(patches).await.iter().all(|said| said == "list.md is saved."));
    let text = kit.file("memories/list.md").unwrap();
    assert!((0..=12).all(|n| text.split(' ').any(|word| word == n.to_string())), "{text}");
    if let Some(count) = git(&kit.folder.path().join("memories"), &["rev-list", "--count", "HEAD"]) {
        assert_eq!(count, "13");
    }
}

#[tokio::test]
async fn what_was_written_by_hand_is_in_the_history_before_it_is_changed() {
    let kit = kit();
    kit.write("memories/hand.md", "by hand");
    kit.write("memories/other.md", "not hers to commit");
    kit.say("memory_edit", json!({"filename": "hand", "content": "by her"})).await;
    let folder = kit.folder.path().join("memories");
    let Some(log) = git(&folder, &["log", "--reverse", "--format=%s"]) else { return };
    assert_eq!(log, "Keep hand.md\nEdit hand.md");
    assert_eq!(git(&folder, &["show", "HEAD~1:hand.md"]).unwrap(), "by hand");
    assert_eq!(git(&folder, &["ls-files"]).unwrap(), "hand.md", "nothing else was added");
}

#[tokio::test]
async fn an_enclosing_repository_is_left_alone() {
    let kit = kit();
    if git(kit.folder.path(), &["init", "-q"]).is_none() {
        return;
    }
    kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
    assert!(kit.folder.path().join("memories/.git").is_dir());
    assert_eq!(git(kit.folder.path(), &["rev-list", "--all", "--count"]).unwrap(), "0");
    assert_eq!(git(kit.folder.path(), &["ls-files"]).unwrap(), "");
}

#[tokio::test]
async fn where_git_fails_what_is_there_stays_and_what_is_not_is_saved() {
    for hindrance in ["file", "lock"] {
        let kit = kit();
        if hindrance == "file" {
            kit.write("memories/.git", "gitdir: /somewhere/else");
        } else {
            kit.say("memory_create", json!({"filename": "first", "content": "x"})).await;
            kit.write("memories/.git/refs/heads/main.lock", "");
        }
        let said = kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
        assert!(said.starts_with("a.md is saved, but the history"), "{hindrance}: {said}");
        assert_eq!(kit.file("memories/a.md").as_deref(), Some("one"), "{hindrance}");
        for (tool, arguments) in [
            ("memory_edit", json!({"filename": "a", "content": "two"})),
            ("memory_patch", json!({"filename": "a", "old_string": "one", "new_string": "two"})),
            ("memory_delete", json!({"filename": "a"})),
        ] {
            let refused = kit.run(tool, arguments).await.unwrap_err();
            let says =
                matches!(&refused, ToolError::Failed(words) if words.starts_with("a.md stays as it is"));
            assert!(says, "{hindrance}, {tool}: {refused:?}");
            assert_eq!(kit.file("memories/a.md").as_deref(), Some("one"), "{hindrance}, {tool}");
        }
    }
}

#[tokio::test]
async fn an_index_that_somebody_holds_keeps_nobody_from_writing() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
    kit.write("memories/a.md", "by hand");
    kit.write("memories/.git/index.lock", "");
    assert_eq!(kit.say("memory_edit", json!({"filename": "a", "content": "two"})).await, "a.md is saved.");
    let folder = kit.folder.path().join("memories");
    let Some(kept) = git(&folder, &["show", "HEAD~1:a.md"]) else { return };
    assert_eq!((kept.as_str(), git(&folder, &["show", "HEAD:a.md"]).unwrap().as_str()), ("by hand", "two"));
}

#[tokio::test]
async fn a_patch_that_fits_everywhere_is_refused_at_once() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "a".repeat(250_000)})).await;
    let began = Instant::now();
    let patch = json!({"filename": "a", "old_string": "a".repeat(125_000), "new_string": "b"});
    let said = kit.say("memory_patch", patch).await;
    assert!(said.contains("more than once"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_repository_that_was_left_half_made_is_mended() {
    let kit = kit();
    std::fs::create_dir_all(kit.folder.path().join("memories/.git/objects")).unwrap();
    assert_eq!(kit.say("memory_create", json!({"filename": "a", "content": "one"})).await, "a.md is saved.");
}

#[cfg(unix)]
#[tokio::test]
async fn a_crash_while_the_history_is_exchanged_loses_none_of_it() {
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
    let files = kit.folder.path().join("memories");
    // Simulates a power failure after the new repository is complete and the old one has been moved aside.
    assert!(git(&files, &["clone", "--bare", "-q", ".", ".git.new"]).is_some());
    std::fs::rename(files.join(".git"), files.join(".git.old")).unwrap();
    kit.say("memory_edit", json!({"filename": "a", "content": "two"})).await;
    let log = git(&files, &["--git-dir", ".git", "log", "--format=%s"]).unwrap();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(!files.join(".git.old").exists() && !files.join(".git.new").exists());
}

#[tokio::test]
async fn hooks_and_settings_of_the_repository_run_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let kit = kit();
    kit.say("memory_create", json!({"filename": "a", "content": "one"})).await;
    let trap = format!("#!/bin/sh\ntouch '{}/sprung'\n", kit.folder.path().display());
    for hook in ["pre-commit", "post-commit", "commit-msg", "reference-transaction", "fsmonitor"] {
        kit.write(&format!("memories/.git/hooks/{hook}"), &trap);
        let path = kit.folder.path().join(format!("memories/.git/hooks/{hook}"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let config = kit.file("memories/.git/config").unwrap();
    let filter =
        "[core]\n\tfsmonitor = .git/hooks/fsmonitor\n[filter \"x\"]\n\tclean = .git/hooks/pre-commit\n";
    kit.write("memories/.git/config", &format!("{config}{filter}"));
    kit.write("memories/.gitattributes", "*.md filter=x\n");
    assert_eq!(kit.say("memory_edit", json!({"filename": "a", "content": "two"})).await, "a.md is saved.");
    assert_eq!(kit.file("sprung"), None);
}

#[tokio::test]
async fn what_is_too_large_or_no_text_is_refused_with_words() {
    let kit = kit();
    let said = kit.say("memory_create", json!({"filename": "a", "content": "x".repeat(300_000)})).await;
    assert_eq!(said, "A memory holds at most 256 KB. Divide it into several.");
    kit.say("memory_create", json!({"filename": "long", "content": "a line of words\n".repeat(2_000)})).await;
    let said = kit.say("memory_read", json!({"filename": "long"})).await;
    assert!(said.ends_with("go on with offset 469]"), "{}", &said[said.len() - 80..]);
    std::fs::write(kit.folder.path().join("memories/picture.md"), [0xff, 0xfe, 0]).unwrap();
    assert_eq!(
        kit.say("memory_read", json!({"filename": "picture"})).await,
        "picture.md is not text, so I leave it alone."
    );
}

#[test]
fn the_settings_and_the_gate_know_what_they_do() {
    let kit = kit();
    for (name, group, effect) in [
        ("memory_create", Group::Memory, Effect::Changes),
        ("memory_edit", Group::Memory, Effect::Changes),
        ("memory_patch", Group::Memory, Effect::Changes),
        ("memory_delete", Group::Memory, Effect::Changes),
        ("memory_read", Group::MemoryReading, Effect::ReadsPrivate),
        ("memory_list", Group::MemoryReading, Effect::ReadsPrivate),
    ] {
        let spec = kit.tool(name).spec();
        assert_eq!((spec.group, spec.effects.as_slice()), (group, [effect].as_slice()), "{name}");
    }
}
