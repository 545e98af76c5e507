use std::fs;

use git2::{IndexAddOption, Repository, Signature, Time};
use store::CodeIndex;

use super::*;
use crate::history::GitHistory;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

struct Fixture {
    folder: tempfile::TempDir,
    index: WorkspaceIndex,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let code = CodeIndex::open(&folder.path().join("index.db")).unwrap();
        let index = WorkspaceIndex::open(Workspace::open(&root, &[]).unwrap(), code).unwrap();
        index.refresh(&|_| (), &|| false).unwrap();
        Self { folder, index }
    }

    fn ask(
        &self,
        request: RelevanceRequest<'_>,
        sources: &RelevanceSources<'_>,
    ) -> Vec<(String, Vec<String>)> {
        let found = find_relevant_files(&self.index, request, sources, 5).unwrap();
        let told = |file: RankedFile| {
            (file.path.to_string(), file.reasons.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        found.into_iter().map(told).collect()
    }

    /// Returns the best file for a text, with the reasons.
    fn first(&self, text: &str) -> (String, Vec<String>) {
        let request = RelevanceRequest { text, ..RelevanceRequest::default() };
        self.ask(request, &RelevanceSources::default()).into_iter().next().unwrap()
    }

    /// Changes files and commits them.
    fn commit(&self, message: &str, paths: &[&str]) {
        let root = self.folder.path().join("root");
        for path in paths {
            let text = fs::read_to_string(root.join(path)).unwrap();
            fs::write(root.join(path), text + "\n").unwrap();
        }
        let git = Repository::init(&root).unwrap();
        let mut index = git.index().unwrap();
        index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
        index.write().unwrap();
        let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
        let parent = git.head().ok().map(|head| head.peel_to_commit().unwrap());
        let who = Signature::new("Ada", "ada@example.org", &Time::new(1_000_000, 0)).unwrap();
        git.commit(Some("HEAD"), &who, &who, message, &tree, &parent.iter().collect::<Vec<_>>()).unwrap();
    }
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn fixture() -> Fixture {
    Fixture::new(&[
        (
            "src/when.rs",
            "/// Reads a day out of a text.\npub fn parse_date(text: &str) -> u32 { text.len() as u32 }\n",
        ),
        ("src/when_tests.rs", "fn dates_are_read() { parse_date(\"parse date parse date\"); }\n"),
        ("src/login/form.rs", "use crate::when::parse_date;\npub struct LoginForm;\n"),
        ("src/paint.rs", "// Colours of the moon.\npub fn paint() {}\n"),
        ("src/other.rs", "pub fn nothing() {}\n"),
        ("web/app.ts", "export function renderMoon(): void {}\n"),
        ("README.md", "# The house\nIt has a moon, a moon and a moon, colours and dates.\n"),
        ("data/moons.json", "{\"moon\": \"moon\", \"colours\": \"moon\"}\n"),
    ])
}

#[test]
fn what_is_asked_for_comes_first_with_its_reasons() {
    let fixture = fixture();
    for (text, expected, reason) in [
        ("parse_date is wrong in February", "src/when.rs", "defines `parse_date`"),
        ("parseDate is wrong", "src/when.rs", "defines `parse_date`"),
        ("error in src/login/form.rs:2:5", "src/login/form.rs", "the request names it"),
        ("look at form.rs", "src/login/form.rs", "the request names it"),
        ("the login asks twice", "src/login/form.rs", "its path says `login`"),
        ("other colours for the moon", "src/paint.rs", "it speaks of `colours`, `moon`"),
        ("render the moon in the app", "web/app.ts", "its path says `app`"),
    ] {
        let (path, reasons) = fixture.first(text);
        assert_eq!(path, expected, "{text}: {reasons:?}");
        assert!(reasons.iter().any(|one| one == reason), "{text}: {reasons:?}");
        assert!(reasons.len() <= 4);
    }
}

#[test]
fn tests_count_less_unless_they_are_meant() {
    let fixture = fixture();
    assert_eq!(fixture.first("parse the date").0, "src/when.rs");
    assert_eq!(fixture.first("the tests of dates that are read").0, "src/when_tests.rs");
    assert_eq!(fixture.first("see when_tests.rs").0, "src/when_tests.rs");
}

#[test]
fn where_nothing_is_said_nothing_is_found() {
    let fixture = fixture();
    fixture.commit("begin", &["src/paint.rs"]);
    fixture.commit("again", &["src/paint.rs", "src/other.rs"]);
    let history = GitHistory::read(fixture.index.workspace(), 10).unwrap();
    for text in ["", "   ", "what is it?", "xyzzy plugh", "\"*:^(", "\0"] {
        let request = RelevanceRequest { text, ..RelevanceRequest::default() };
        let sources = RelevanceSources { history: history.as_ref(), similarity: None };
        assert_eq!(fixture.ask(request, &sources), [], "{text:?}");
    }
    let empty = Fixture::new(&[(".gitignore", "")]);
    assert_eq!(
        empty.ask(
            RelevanceRequest { text: "the login", ..RelevanceRequest::default() },
            &RelevanceSources::default()
        ),
        []
    );
    // A long pasted log.
    let long = "the login form fails at parse_date\n".repeat(20_000);
    assert!(
        !fixture
            .ask(
                RelevanceRequest { text: &long, ..RelevanceRequest::default() },
                &RelevanceSources::default()
            )
            .is_empty()
    );
    assert!(
        find_relevant_files(
            &fixture.index,
            RelevanceRequest { text: "moon", ..RelevanceRequest::default() },
            &RelevanceSources::default(),
            0
        )
        .unwrap()
        .is_empty()
    );
}

#[test]
fn what_is_before_somebody_counts() {
    let fixture = fixture();
    let (other, paint, form) = (path("src/other.rs"), path("src/paint.rs"), path("src/login/form.rs"));
    let request = RelevanceRequest {
        text: "this does not work",
        open_file: Some(&other),
        ..RelevanceRequest::default()
    };
    assert_eq!(
        fixture.ask(request, &RelevanceSources::default())[0],
        ("src/other.rs".into(), vec!["it is open".into()])
    );
    let (recent, failed) = ([paint, path("gone.rs")], [form]);
    let request =
        RelevanceRequest { text: "mend it", recent: &recent, failed: &failed, ..RelevanceRequest::default() };
    let found = fixture.ask(request, &RelevanceSources::default());
    assert_eq!(found[0].0, "src/login/form.rs");
    assert_eq!(found[0].1[0], "a check complained of it");
    let paint = found.iter().find(|(path, _)| path == "src/paint.rs").unwrap();
    assert_eq!(paint.1[0], "it was used a moment ago");
}

#[test]
fn history_tells_of_files_that_have_none_of_the_words() {
    let fixture = fixture();
    fixture.commit("begin", &[]);
    for _ in 0..3 {
        fixture.commit("visitors are greeted", &["src/other.rs"]);
        fixture.commit("hues", &["src/paint.rs", "web/app.ts"]);
    }
    let history = GitHistory::read(fixture.index.workspace(), 100).unwrap();
    let sources = RelevanceSources { history: history.as_ref(), similarity: None };
    let found = fixture
        .ask(RelevanceRequest { text: "greet a visitor by name", ..RelevanceRequest::default() }, &sources);
    assert_eq!(found[0].0, "src/other.rs");
    assert!(found[0].1.contains(&"changed in 3 commits with words like these".to_owned()), "{found:?}");
    let found = fixture.ask(RelevanceRequest { text: "paint", ..RelevanceRequest::default() }, &sources);
    let app = found.iter().find(|(path, _)| path == "web/app.ts").unwrap();
    assert!(app.1.contains(&"changed together with src/paint.rs in 3 commits".to_owned()), "{app:?}");
}

struct Oracle(Vec<(WorkspacePath, f32)>);

impl SimilaritySearch for Oracle {
    fn similar(&self, _: &str) -> Vec<(WorkspacePath, f32)> {
        self.0.clone()
    }
}

#[test]
fn meanings_are_heard_where_somebody_compares_them() {
    let fixture = fixture();
    let oracle = Oracle(vec![
        (path("src/other.rs"), 0.9),
        (path("src/paint.rs"), f32::NAN),
        (path("gone.rs"), 7.0),
        (path("src/when.rs"), -3.0),
    ]);
    let sources = RelevanceSources { similarity: Some(&oracle), history: None };
    let found = fixture
        .ask(RelevanceRequest { text: "something unheard of", ..RelevanceRequest::default() }, &sources);
    assert_eq!(found[0].0, "src/other.rs");
    assert_eq!(found[0].1[0], "its text means something similar");
}

#[test]
fn reasons_are_plain_sentences() {
    for (reason, expected) in [
        (Reason::Defines(vec!["parse_date".into(), "Date".into()]), "defines `parse_date`, `Date`"),
        (Reason::PathContains(vec!["login".into()]), "its path says `login`"),
        (
            Reason::ChangedWith { path: path("src/a.rs"), commits: 4 },
            "changed together with src/a.rs in 4 commits",
        ),
        (Reason::OftenChanged { commits: 1 }, "changed in 1 commit"),
        (Reason::SharesNames, "shares names with what was found"),
    ] {
        assert_eq!(reason.to_string(), expected);
    }
}
