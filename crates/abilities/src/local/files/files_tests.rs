use std::path::Path;
use std::sync::Arc;

use config::{Config, Folders};
use protocol::Risk;
use serde_json::json;
use tools::{Effect, Origin, ToolError};

use super::*;
use testkit::ToolTester;

/// Sets up a home with a data folder inside and these folders granted.
fn kit(granted: &[&str]) -> ToolTester {
    let kit = ToolTester::new(|_, home| {
        std::fs::create_dir_all(home.join("data/users/other")).unwrap();
        let mut config = Config::default();
        config.files.folders = granted.iter().map(|folder| (*folder).to_owned()).collect();
        let config = Arc::new(config);
        let folders = Folders { user: Some(home.to_path_buf()), ..Folders::within(home.join("data")) };
        tools(&Arc::new(FolderGrants::new(Arc::new(move || Arc::clone(&config)), folders))).unwrap()
    });
    ToolTester { own: Some("data".into()), ..kit }
}

fn with_documents() -> ToolTester {
    let kit = kit(&["~/Documents"]);
    kit.write("Documents/notes.txt", "one\ntwo\nthree\n");
    kit.write("Documents/sub/deep.md", "# Deep");
    kit.write("secret.txt", "secret");
    kit
}

#[tokio::test]
async fn without_a_grant_it_says_how_to_give_one() {
    let kit = kit(&[]);
    for (tool, arguments) in [
        ("read_file", json!({"path": "a"})),
        ("list_files", json!({})),
        ("write_file", json!({"path": "a", "content": ""})),
    ] {
        assert_eq!(
            kit.run(tool, arguments).await,
            Err(ToolError::Unavailable(
                "No folder is granted. Grant one in Settings → Files, or as files.folders in the configuration.".into()
            ))
        );
    }
}

#[tokio::test]
async fn files_are_read_however_the_path_is_written() {
    let kit = with_documents();
    let whole = kit.folder.path().join("Documents/notes.txt").display().to_string();
    for path in ["notes.txt", "./notes.txt", "Documents/notes.txt", "~/Documents/notes.txt", whole.as_str()] {
        assert_eq!(kit.say("read_file", json!({"path": path})).await, "one\ntwo\nthree", "{path}");
    }
    let output = kit.run("read_file", json!({"path": "notes.txt", "offset": 2, "limit": 1})).await.unwrap();
    assert_eq!(output.text, "two\n[lines 2 to 2 of 3; go on with offset 3]");
    let real = std::fs::canonicalize(&whole).unwrap().display().to_string();
    assert_eq!(output.origins, [Origin::File(real)], "what a file says is not the user's word");
}

#[tokio::test]
async fn nothing_outside_of_a_grant_is_reached() {
    let kit = with_documents();
    let outside = kit.folder.path().join("secret.txt").display().to_string();
    for path in [
        "../secret.txt",
        "sub/../../secret.txt",
        "~/secret.txt",
        "/etc/hostname",
        &outside,
        "Documents/../secret.txt",
        "a\0b",
    ] {
        for (tool, arguments) in [
            ("read_file", json!({"path": path})),
            ("list_files", json!({"path": path})),
            ("write_file", json!({"path": path, "content": "x", "mode": "replace"})),
        ] {
            let said = kit.run(tool, arguments).await;
            assert!(matches!(said, Err(ToolError::Impossible(_))), "{tool} {path}: {said:?}");
        }
    }
    assert_eq!(kit.file("secret.txt").as_deref(), Some("secret"));
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_nowhere() {
    let kit = with_documents();
    let documents = kit.folder.path().join("Documents");
    std::os::unix::fs::symlink("../secret.txt", documents.join("link.txt")).unwrap();
    std::os::unix::fs::symlink("..", documents.join("up")).unwrap();
    for path in ["link.txt", "up/secret.txt"] {
        assert!(kit.run("read_file", json!({"path": path})).await.is_err(), "{path}");
        let write = json!({"path": path, "content": "x", "mode": "replace"});
        assert!(kit.run("write_file", write).await.is_err(), "{path}");
    }
    assert_eq!(kit.file("secret.txt").as_deref(), Some("secret"));
}

#[tokio::test]
async fn some_folders_cannot_be_granted() {
    let cases = ["/", "~", "~/", ".", "~/data", "~/data/users", "data", "~/nowhere", "", "/usr/../.."];
    for granted in cases {
        let kit = kit(&[granted]);
        let said = kit.run("list_files", json!({})).await;
        assert!(matches!(said, Err(ToolError::Unavailable(_))), "{granted}: {said:?}");
    }
    // A grant of the home's parent contains the home and is refused, also through a link.
    let kit = kit(&["~/link"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(kit.folder.path(), kit.folder.path().join("link")).unwrap();
    assert!(kit.run("list_files", json!({})).await.is_err());
}

#[tokio::test]
async fn one_bad_grant_does_not_spoil_the_others() {
    let kit = kit(&["/", "~/Documents"]);
    kit.write("Documents/a.txt", "a");
    assert_eq!(kit.say("read_file", json!({"path": "a.txt"})).await, "a");
}

#[tokio::test]
async fn several_grants_are_told_apart() {
    let kit = kit(&["~/Documents", "Music"]);
    kit.write("Documents/a.txt", "document");
    kit.write("Music/a.txt", "song");
    kit.write("Music/b.txt", "b");
    let listed = kit.say("list_files", json!({})).await;
    assert!(
        listed.starts_with("Granted folders: ") && listed.contains("Documents") && listed.contains("Music")
    );
    assert_eq!(kit.say("read_file", json!({"path": "Music/a.txt"})).await, "song");
    assert_eq!(kit.say("read_file", json!({"path": "b.txt"})).await, "b");
    let said = kit.say("write_file", json!({"path": "fresh.txt", "content": "x"})).await;
    assert!(said.contains("Begin with one of them"), "{said}");
    kit.say("write_file", json!({"path": "Music/fresh.txt", "content": "x"})).await;
    assert_eq!(kit.file("Music/fresh.txt").as_deref(), Some("x"));
}

#[tokio::test]
async fn folders_are_listed() {
    let kit = with_documents();
    let listed = kit.say("list_files", json!({})).await;
    assert!(listed.ends_with("Documents:\nnotes.txt (14 bytes)\nsub/"), "{listed}");
    assert!(kit.say("list_files", json!({"path": "sub"})).await.ends_with("deep.md (6 bytes)"));
    for (path, says) in [("notes.txt", "is a file; read_file"), ("none", "is not there")] {
        let said = kit.say("list_files", json!({"path": path})).await;
        assert!(said.contains(says), "{said}");
    }
    for n in 0..300 {
        kit.write(&format!("Documents/many/{n}"), "");
    }
    assert!(kit.say("list_files", json!({"path": "many"})).await.ends_with("[100 more are left out]"));
}

#[tokio::test]
async fn files_are_written_in_three_ways() {
    let kit = with_documents();
    let write = |path: &str, content: &str, mode: &str| {
        kit.say("write_file", json!({"path": path, "content": content, "mode": mode}))
    };
    assert!(write("new/a.txt", "one", "create").await.ends_with("a.txt is written (3 bytes)."));
    let said = kit.say("write_file", json!({"path": "new/a.txt", "content": "two"})).await;
    assert!(said.contains("is there already"), "{said}");
    assert_eq!(kit.file("Documents/new/a.txt").as_deref(), Some("one"));
    write("new/a.txt", " and two", "append").await;
    assert_eq!(kit.file("Documents/new/a.txt").as_deref(), Some("one and two"));
    write("new/a.txt", "three", "replace").await;
    assert_eq!(kit.file("Documents/new/a.txt").as_deref(), Some("three"));
    write("log.txt", "first", "append").await;
    assert_eq!(kit.file("Documents/log.txt").as_deref(), Some("first"));
    for path in ["sub", "", "Documents", ".git/config", "sub/.GIT/hooks/x"] {
        assert!(write(path, "x", "replace").await.ends_with('.'));
    }
    assert!(!Path::new(&kit.folder.path().join("Documents/.git")).exists());
    assert!(write("big.txt", &"x".repeat(2 << 20), "create").await.contains("1 MB"));
    assert_eq!(kit.file("Documents/big.txt"), None);
}

#[tokio::test]
async fn two_that_append_at_once_lose_nothing() {
    let kit = with_documents();
    let writes = (0..20).map(|n| {
        kit.say("write_file", json!({"path": "log.txt", "content": format!("{n}\n"), "mode": "append"}))
    });
    futures_util::future::join_all(writes).await;
    assert_eq!(kit.file("Documents/log.txt").unwrap().lines().count(), 20);
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let kit = with_documents();
    std::fs::write(kit.folder.path().join("Documents/picture.png"), [0x89, b'P', 0, 0xff]).unwrap();
    kit.write("Documents/empty.txt", "");
    kit.write("Documents/bom.txt", "\u{feff}text");
    let large = std::fs::File::create(kit.folder.path().join("Documents/large.txt")).unwrap();
    large.set_len(9 << 20).unwrap();
    for (path, says) in [
        ("none.txt", "is not there; list_files"),
        ("sub", "is a folder; list_files"),
        ("picture.png", "is not text"),
        ("large.txt", "is larger than 8 MB"),
        ("empty.txt", "[The file is empty.]"),
        ("bom.txt", "text"),
    ] {
        let said = kit.say("read_file", json!({"path": path})).await;
        assert!(said.contains(says), "{path}: {said}");
    }
}

#[test]
fn the_gate_knows_what_they_do_and_tags_lead_to_them() {
    let kit = with_documents();
    let spec = kit.tool("write_file").spec();
    let effects = [Effect::Changes, Effect::OwnersMachine];
    assert_eq!((spec.risk, spec.effects.as_slice()), (Risk::Risky, effects.as_slice()));
    assert_eq!(spec.tags, ["WORKSPACE_WRITE"]);
    assert_eq!(spec.parameters["x-pipe"], json!(["path", "content"]));
    assert!(spec.outline().contains("mode?: create|replace|append"), "{}", spec.outline());
    let spec = kit.tool("read_file").spec();
    assert_eq!((spec.risk, spec.tags.as_slice()), (Risk::Safe, ["WORKSPACE_READ".to_owned()].as_slice()));
    assert!(spec.has(Effect::BringsUntrusted) && spec.has(Effect::ReadsPrivate));
}
