use super::*;

fn words(policy: &Policy) -> Vec<String> {
    let words = FileSystemView::new(policy).unwrap().arguments(Path::new("/usr/bin/perigee"));
    words.all.into_iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn says(words: &[String], wanted: &[&str]) -> bool {
    words.windows(wanted.len()).any(|window| window == wanted)
}

#[test]
fn a_tool_sees_its_own_folder_and_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let storage = folder.path().join("sandbox");
    std::fs::create_dir(&storage).unwrap();
    let policy = Policy::tool(folder.path(), &storage).unwrap();
    let words = words(&policy);
    let (folder, storage) = (policy.folder.to_str().unwrap(), policy.writes[0].to_str().unwrap());
    assert!(says(&words, &["--ro-bind", folder, folder]));
    assert!(says(&words, &["--bind", storage, storage]));
    assert!(says(&words, &["--ro-bind", "/usr", "/usr"]));
    assert_eq!(words.iter().filter(|word| *word == "--bind").count(), 1, "nothing else can be changed");
    for hidden in ["/etc", "/etc/shadow", "/home", "/root", "/var", "/run", "/sys"] {
        assert!(!words.iter().any(|word| word == hidden), "{hidden}");
    }
}

#[test]
fn what_git_would_run_is_out_of_reach() {
    let folder = tempfile::tempdir().unwrap();
    for path in [".git/hooks", "part/.git", "node_modules/other/.git/hooks"] {
        std::fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    std::fs::write(folder.path().join(".git/config"), "").unwrap();
    std::fs::create_dir(folder.path().join("tree")).unwrap();
    std::fs::write(folder.path().join("tree/.git"), "gitdir: elsewhere").unwrap();
    let policy = Policy::shell(folder.path()).unwrap();
    let words = words(&policy);
    let root = policy.folder.to_str().unwrap();
    let in_place = |path: &str, option: &str| {
        let path = format!("{root}/{path}");
        says(&words, &[option, &path, &path])
    };
    assert!(in_place(".git", "--bind"), "it cannot be moved away");
    assert!(in_place(".git/hooks", "--ro-bind"));
    assert!(in_place(".git/config", "--ro-bind"));
    assert!(in_place("tree/.git", "--ro-bind"));
    assert!(in_place("part/.git", "--bind"));
    assert!(
        in_place("part/.git/config", "--ro-bind"),
        "what is missing is made, so that nobody else makes it"
    );
    assert!(in_place("part/.git/hooks", "--ro-bind"));
    assert!(in_place("node_modules/other/.git/hooks", "--ro-bind"));
}

#[test]
fn what_is_hidden_is_hidden_wherever_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("data");
    std::fs::create_dir(&secret).unwrap();
    let policy = Policy::shell(folder.path()).unwrap();
    let secret = policy.folder.join("data");
    let policy = policy.hide(&secret).hide("/nowhere");
    let view = FileSystemView::new(&policy).unwrap();
    assert!(!view.shows(&secret));
    assert!(view.shows(&policy.folder));
    assert!(!words(&policy).iter().any(|word| word == "/nowhere"));
    let inner = secret.join("shown");
    std::fs::create_dir(&inner).unwrap();
    let policy = policy.read(&inner);
    let view = FileSystemView::new(&policy).unwrap();
    assert!(view.shows(&inner) && !view.shows(&secret), "what is named within it was meant");
}

#[test]
fn only_the_variables_that_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let policy = Policy::tool(folder.path(), folder.path()).unwrap().env("OWN", "1");
    let variables = FileSystemView::new(&policy).unwrap().environment();
    for (name, _) in &variables {
        assert!(
            ["HOME", "PATH", "TMPDIR", "LANG", "TZ", "OWN"].iter().any(|known| name == known),
            "{name:?}"
        );
    }
    assert!(variables.iter().any(|(name, value)| name == "HOME" && value == "/tmp"));
}

#[test]
fn who_may_reach_somebody_learns_of_the_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let found = |policy: Policy, hosts: &[&str], name: &str| {
        let policy = policy.allow_hosts(host::AllowedHosts::parse(hosts).unwrap());
        let variables = FileSystemView::new(&policy).unwrap().environment();
        variables.into_iter().find(|(own, _)| own == name).map(|(_, value)| value.into_string().unwrap())
    };
    let tool = || Policy::tool(folder.path(), folder.path()).unwrap();
    let shell = || Policy::shell(folder.path()).unwrap();
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        for policy in [tool(), shell()] {
            assert_eq!(found(policy, &["*"], name).as_deref(), Some("http://127.0.0.1:3128"), "{name}");
        }
    }
    assert_eq!(found(tool(), &["*"], "NO_PROXY"), None);
    assert_eq!(found(shell(), &["*"], "NO_PROXY").as_deref(), Some("localhost,127.0.0.1,::1"));
    let named = found(shell(), &["127.0.0.1:8080"], "no_proxy");
    assert_eq!(named.as_deref(), Some("localhost,::1"), "its own loopback, but for what was named");
}

#[test]
fn what_takes_the_writes_is_seen_by_the_works_name_alone() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["work/.git/hooks", "upper", "kernels"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    let at = |name: &str| folder.path().join(name).canonicalize().unwrap();
    let [work, upper, kernels] = ["work", "upper", "kernels"].map(at);
    let shell = || Policy::shell(&work).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let over = shell().with_overlay(&upper, &kernels).unwrap().read(folder.path());
    let view = FileSystemView::new(&over).unwrap();
    assert!(!view.shows(&upper) && !view.shows(&kernels) && view.shows(&work));
    assert!(view.guarded().is_empty(), "they are looked for where both parts are seen");
    let told = view.arguments(Path::new("/usr/bin/perigee"));
    let before: Vec<String> =
        told.all[..told.guards_index].iter().map(|word| text(Path::new(word))).collect();
    assert!(says(&before, &["--bind", &text(&work), &text(&work)]), "guards lie over the work");
    assert!(!before.iter().any(|word| *word == text(&upper)), "and beneath what hides the layer");
    let copied = shell().with_copy(&upper).unwrap();
    let told = words(&copied);
    assert!(says(&told, &["--bind", &text(&upper), &text(&work)]));
    let git = text(&work.join(".git"));
    assert!(says(&told, &["--ro-bind", &git, &git]), "the real one, to be read");
    let view = FileSystemView::new(&copied).unwrap();
    assert_eq!(view.covered(), [work.join(".git")], "and the launcher looks whether it is there");
    assert!(view.writable_inside().contains(&work) && !view.writable_inside().contains(&upper));
}
