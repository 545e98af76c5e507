use std::os::unix::fs::symlink;

use super::*;

fn setup(folders: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for path in folders {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    let root = folder.path().canonicalize().unwrap();
    (folder, root)
}

#[track_caller]
fn check(root: &Path, pinned: &[&str], shut: &[&str]) {
    let RepositoryGuards { mounts, placeholders: _held, .. } = guarded(root).unwrap();
    for path in pinned {
        assert!(mounts.contains(&Mount::Write(root.join(path))), "{path} in {mounts:?}");
    }
    for path in shut {
        assert!(mounts.contains(&Mount::Read(root.join(path))), "{path} in {mounts:?}");
    }
}

#[test]
fn a_placeholder_is_there_as_long_as_somebody_needs_it() {
    let (_folder, root) = setup(&[]);
    let folder = Arc::new(LinkFreeFolder::open(&root).unwrap());
    let path = Path::new("commondir");
    let first = Placeholder::put(&folder, &root, path).unwrap();
    let second = Placeholder::put(&folder, &root, path).unwrap();
    drop(first);
    assert_eq!(fs::read_to_string(root.join(path)).unwrap(), HERE);
    drop(second);
    assert!(!root.join(path).exists());
    fs::write(root.join(path), "../elsewhere\n").unwrap();
    assert!(Placeholder::put(&folder, &root, path).is_none());
    assert!(root.join(path).exists(), "what is there by right stays");
}

#[test]
fn every_folder_on_the_way_to_a_repository_stays_where_it_is() {
    let (_folder, root) =
        setup(&["a/b/.git/modules/lib/part", "deep/er/and/still/deeper/.git", ".git/rebase-merge"]);
    fs::write(root.join("a/b/.git/modules/lib/part/HEAD"), "").unwrap();
    let pinned =
        ["a", "a/b", "a/b/.git", "a/b/.git/modules", "a/b/.git/modules/lib", "a/b/.git/modules/lib/part"];
    let shut = ["a/b/.git/hooks", "a/b/.git/commondir", "a/b/.git/modules/lib/part/config"];
    check(&root, &pinned, &shut);
    check(&root, &["deep/er/and/still"], &["deep/er/and/still/deeper/.git/hooks", ".git/rebase-merge"]);
}

#[test]
fn a_repository_that_lies_elsewhere_is_guarded_there() {
    let (_folder, root) = setup(&["meta/hooks", "sub", "bare/objects", "bare/refs"]);
    fs::write(root.join("sub/.git"), "gitdir: ../meta\n").unwrap();
    fs::write(root.join("bare/HEAD"), "ref: refs/heads/main\n").unwrap();
    check(
        &root,
        &["sub", "meta", "bare"],
        &["sub/.git", "meta/hooks", "meta/config", "bare/hooks", "bare/config"],
    );
    fs::write(root.join("sub/.git"), "gitdir: ../../elsewhere\n").unwrap();
    check(&root, &["sub"], &["sub/.git"]);
}

#[test]
fn what_a_command_laid_out_leads_nobody_out() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "").unwrap();
    for name in ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees", "rebase-merge"] {
        for to in [outside.path().to_owned(), outside.path().join("made"), outside.path().join("secret")] {
            let (_folder, root) = setup(&["s/.git"]);
            symlink(&to, root.join("s/.git").join(name)).unwrap();
            let RepositoryGuards { mounts, placeholders, .. } = guarded(&root).unwrap();
            let expected = [Mount::Write(root.join("s")), Mount::Read(root.join("s/.git"))];
            assert_eq!(mounts, expected, "nothing of it can be changed: {name}");
            assert!(placeholders.is_empty());
        }
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "and nothing is made there");
    let (_folder, root) = setup(&[".git", "githooks", "s"]);
    symlink("../githooks", root.join(".git/hooks")).unwrap();
    check(&root, &[], &[".git", "githooks"]);
    symlink("../.git", root.join("s/.git")).unwrap();
    let refused = guarded(&root).unwrap_err().to_string();
    assert!(refused.contains("s/.git is a link"), "{refused}");
}

#[test]
fn settings_that_are_taken_in_are_guarded() {
    let (_folder, root) = setup(&[".git", "etc", "venv/src/dep/.git"]);
    fs::write(root.join(".git/config"), "[core]\n\tpath = x\n[include]\n\tpath = ../etc/gitconfig\n")
        .unwrap();
    fs::write(root.join("etc/gitconfig"), "").unwrap();
    check(&root, &["etc"], &["etc/gitconfig", ".git/config", "venv/src/dep/.git/hooks"]);
}

#[test]
fn settings_that_never_end_are_not_read() {
    let (_folder, root) = setup(&["s/.git", "t/.git"]);
    rustix::fs::mkfifoat(rustix::fs::CWD, root.join("s/.git/config"), rustix::fs::Mode::from_raw_mode(0o600))
        .unwrap();
    fs::File::create(root.join("t/.git/config")).unwrap().set_len(3 << 30).unwrap();
    check(&root, &["s/.git", "t/.git"], &["s/.git/hooks", "t/.git/config"]);
}

#[test]
fn sockets_of_others_are_found() {
    let (_folder, root) = setup(&["run"]);
    let _listening = std::os::unix::net::UnixListener::bind(root.join("run/db.sock")).unwrap();
    assert_eq!(guarded(&root).unwrap().sockets, [root.join("run/db.sock")]);
}

#[test]
fn files_that_settings_take_in_are_found_however_they_are_written() {
    let home = std::env::home_dir().unwrap_or_default();
    for (settings, expected) in [
        ("[include]\n\tpath = a/b\n[core]\n\tpath = c", vec!["a/b".into()]),
        ("[include] path = a", vec!["a".into()]),
        ("[Include]path=a # mine\npath = \"b ; c\" ; theirs", vec!["a".into(), "b ; c".into()]),
        ("[includeIf \"gitdir:~/x]y/\"] path = a]b", vec!["a]b".into()]),
        ("[include] path = ~/work/x", vec![home.join("work/x")]),
        ("[core] path = a\n[include", Vec::<PathBuf>::new()),
    ] {
        assert_eq!(included(settings).collect::<Vec<_>>(), expected, "{settings}");
    }
}
