use super::*;
use crate::{Definition, Language, Reference, SourceOutline, SymbolKind, outline};

fn defines(name: &str, line: u32) -> Definition {
    Definition {
        name: name.into(),
        kind: SymbolKind::Function,
        lines: (line, line + 2),
        signature: format!("pub fn {name}()").into(),
        container: None,
    }
}

fn uses(name: &str) -> Reference {
    Reference { name: name.into(), line: 1, count: 1, member: false }
}

/// Creates a file from the names that it defines and uses.
fn file(path: &str, definitions: &[&str], references: &[&str]) -> (String, SourceOutline) {
    let definitions =
        definitions.iter().zip((1..).step_by(10)).map(|(name, line)| defines(name, line)).collect();
    let mut references: Vec<Reference> = references.iter().map(|name| uses(name)).collect();
    references.sort_by(|one, other| one.name.cmp(&other.name));
    (path.to_owned(), SourceOutline { definitions, references })
}

fn graph(files: &[(String, SourceOutline)]) -> Graph {
    Graph::new(files.iter().map(|(path, outline)| (path.as_str(), outline)))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn shop() -> Vec<(String, SourceOutline)> {
    vec![
        file("src/a.rs", &["open_shop"], &["count_money", "close_shop"]),
        file("src/b.rs", &["close_shop"], &["count_money"]),
        file("src/money.rs", &["count_money", "lose_money"], &[]),
        file("src/lonely.rs", &["sit_alone"], &[]),
        file("docs/README.md", &[], &["open_shop"]),
    ]
}

fn order(graph: &Graph, focus: &Focus) -> Vec<String> {
    graph.ranked(focus).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn what_much_points_at_is_first() {
    let graph = graph(&shop());
    let ranked = graph.ranked(&Focus::default());
    assert_eq!(ranked[0].0, "src/money.rs");
    let sum: f64 = ranked.iter().map(|(_, rank)| rank).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    assert_eq!(ranked.len(), graph.len());
    // Files without incoming edges have the same rank and are sorted by path.
    assert_eq!(ranked[3].0, "docs/README.md");
    assert_eq!(ranked[4].0, "src/lonely.rs");
}

#[test]
fn a_map_shows_files_and_what_matters_in_them() {
    let map = graph(&shop()).map(&Focus::default(), 1_000, &words);
    let expected = "\
src/money.rs:
1: pub fn count_money()
11: pub fn lose_money()
src/a.rs:
1: pub fn open_shop()
src/b.rs:
1: pub fn close_shop()
docs/README.md:
src/lonely.rs:
1: pub fn sit_alone()
";
    assert_eq!(map.text, expected);
    assert_eq!(map.tokens, words(expected));
    let drawn: Vec<&str> = map.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(drawn, ["src/money.rs", "src/a.rs", "src/b.rs", "docs/README.md", "src/lonely.rs"]);
    assert!(map.files.is_sorted_by(|(_, one), (_, other)| one >= other));
}

#[test]
fn what_is_left_out_is_marked() {
    let files = [
        file("a.rs", &["first_thing", "second_thing", "third_thing", "last_thing"], &[]),
        file("b.rs", &[], &["first_thing", "third_thing"]),
    ];
    let map = graph(&files).map(&Focus::default(), 11, &words);
    assert_eq!(map.text, "a.rs:\n1: pub fn first_thing()\n⋮\n21: pub fn third_thing()\n⋮\n");
    assert_eq!(map.tokens, 11);
}

#[test]
fn a_method_is_shown_in_what_it_stands_in() {
    let text = "pub struct Till;\n\nimpl Till {\n    pub fn count_coins(&self) {}\n    pub fn never_used(&self) {}\n}\n";
    let files = [
        ("till.rs".to_owned(), outline(Language::Rust, text)),
        ("main.rs".to_owned(), outline(Language::Rust, "fn main() { Till::default().count_coins(); }")),
    ];
    let map = graph(&files).map(&Focus::default(), 17, &words);
    assert_eq!(
        map.text,
        "till.rs:\n1: pub struct Till;\n3: impl Till\n4:   pub fn count_coins(&self)\n⋮\nmain.rs:\n1: fn main()\n"
    );
}

#[test]
fn the_same_files_give_the_same_map_in_any_order() {
    let mut files = shop();
    let focus =
        Focus { names: vec!["open_shop".into()], recent: vec!["src/b.rs".into()], ..Focus::default() };
    let first = graph(&files).map(&focus, 40, &words);
    for turn in 0..files.len() {
        files.rotate_left(1);
        assert_eq!(graph(&files).map(&focus, 40, &words), first, "turn {turn}");
    }
    // A repeated path counts once.
    files.extend(shop());
    assert_eq!(graph(&files).len(), 5);
    assert_eq!(graph(&files).map(&focus, 40, &words), first);
}

#[test]
fn the_focus_changes_the_order() {
    let graph = graph(&shop());
    let none = order(&graph, &Focus::default());
    let path = || vec!["src/lonely.rs".to_owned()];
    for focus in [
        Focus { files: path(), ..Focus::default() },
        Focus { recent: path(), ..Focus::default() },
        Focus { failed: path(), ..Focus::default() },
        Focus { known: path(), ..Focus::default() },
        Focus { names: vec!["sit_alone".into()], ..Focus::default() },
        Focus { names: vec!["Chair::sit_alone".into()], ..Focus::default() },
        Focus { names: vec!["lonely".into()], ..Focus::default() },
    ] {
        let focused = order(&graph, &focus);
        assert_eq!(focused[0], "src/lonely.rs", "{focus:?}");
        assert_ne!(focused, none, "{focus:?}");
    }
    // Names and files that the graph does not know change nothing.
    let unknown = Focus {
        files: vec!["gone.rs".into()],
        names: vec!["gone".into(), "::".into(), String::new()],
        ..Focus::default()
    };
    assert_eq!(order(&graph, &unknown), none);
}

#[test]
fn rank_flows_from_the_focus_to_what_it_uses() {
    let graph = graph(&shop());
    let focus = Focus { files: vec!["docs/README.md".into()], ..Focus::default() };
    let focused = order(&graph, &focus);
    let place = |path: &str| focused.iter().position(|other| other == path);
    assert_eq!(place("docs/README.md"), Some(0));
    assert!(place("src/a.rs") < place("src/b.rs"), "{focused:?}");
    assert_eq!(place("src/lonely.rs"), Some(4));
}

#[test]
fn what_is_known_is_not_drawn() {
    let graph = graph(&shop());
    let focus = Focus { known: vec!["src/a.rs".into(), "docs/README.md".into()], ..Focus::default() };
    let map = graph.map(&focus, 1_000, &words);
    assert!(!map.text.contains("src/a.rs") && !map.text.contains("README"), "{}", map.text);
    assert!(map.text.starts_with("src/money.rs"), "{}", map.text);
}

#[test]
fn no_budget_is_exceeded() {
    let files: Vec<(String, SourceOutline)> = (0..60)
        .map(|number| {
            let names: Vec<String> =
                (0..number % 7).map(|other| format!("do_thing_{number}_{other}")).collect();
            let used: Vec<String> = (0..20)
                .map(|other| format!("do_thing_{}_{}", (number * 7 + other) % 60, other % 7))
                .collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let used: Vec<&str> = used.iter().map(String::as_str).collect();
            file(&format!("src/part{}/file{number}.rs", number % 5), &names, &used)
        })
        .collect();
    let graph = graph(&files);
    let counts: [&dyn Fn(&str) -> usize; 5] =
        [&words, &|text| text.len(), &|text| text.len().div_ceil(4), &|text| text.lines().count(), &|_| 0];
    let mut before = 0;
    for budget in (0..40).chain([50, 100, 333, 1_000, 100_000]) {
        for count in counts {
            let map = graph.map(&Focus::default(), budget, count);
            assert!(map.tokens <= budget, "{budget}: {} of\n{}", map.tokens, map.text);
            assert_eq!(map.tokens, count(&map.text));
            assert_eq!(map.text.is_empty(), map.files.is_empty());
        }
        let map = graph.map(&Focus::default(), budget, &words);
        assert!(map.text.len() >= before, "more room shows no less: {budget}");
        before = map.text.len();
    }
    assert_eq!(graph.map(&Focus::default(), 0, &words), RepoMap::default());
    assert_eq!(graph.map(&Focus::default(), 1, &words), RepoMap::default());
    // With a large budget everything is drawn.
    let all = graph.map(&Focus::default(), 100_000, &words);
    assert_eq!(all.files.len(), 60);
    assert_eq!(
        all.text.matches("pub fn").count(),
        files.iter().map(|(_, outline)| outline.definitions.len()).sum::<usize>()
    );
}

#[test]
fn an_empty_graph_has_an_empty_map() {
    let graph = graph(&[]);
    assert!(graph.is_empty());
    assert_eq!(graph.map(&Focus::default(), 100, &words), RepoMap::default());
    assert_eq!(graph.ranked(&Focus { files: vec!["a".into()], ..Focus::default() }), []);
}

#[test]
fn cycles_and_files_that_use_themselves_settle() {
    let files = [
        file("a.rs", &["first_step"], &["second_step", "first_step"]),
        file("b.rs", &["second_step"], &["third_step"]),
        file("c.rs", &["third_step"], &["first_step"]),
        file("self.rs", &["own_thing"], &["own_thing"]),
    ];
    let graph = graph(&files);
    let ranked = graph.ranked(&Focus::default());
    assert!(ranked.iter().all(|(_, rank)| rank.is_finite() && *rank > 0.0), "{ranked:?}");
    let rank = |path: &str| ranked.iter().find(|(other, _)| other == path).map(|(_, rank)| *rank).unwrap();
    assert!((rank("a.rs") - rank("b.rs")).abs() < 1e-6 && (rank("b.rs") - rank("c.rs")).abs() < 1e-6);
    assert!(rank("self.rs") < rank("a.rs"), "what uses itself gains nothing by it: {ranked:?}");
}

#[test]
fn a_name_counts_less_the_less_it_tells() {
    let files = [
        file("caller.rs", &[], &["apply_the_patch", "new", "_hidden_thing", "everywhere_defined"]),
        file("one.rs", &["apply_the_patch"], &[]),
        file("two.rs", &["new"], &[]),
        file("three.rs", &["_hidden_thing"], &[]),
        file("four.rs", &["everywhere_defined"], &[]),
        file("five.rs", &["everywhere_defined"], &[]),
        file("six.rs", &["everywhere_defined"], &[]),
    ];
    let focused = order(&graph(&files), &Focus { files: vec!["caller.rs".into()], ..Focus::default() });
    assert_eq!(focused[..2], ["caller.rs", "one.rs"]);
    let place = |path: &str| focused.iter().position(|other| other == path).unwrap();
    assert!(place("four.rs") < place("two.rs") && place("four.rs") < place("three.rs"), "{focused:?}");
}

#[test]
fn a_name_means_what_is_nearest_and_of_its_language() {
    let near = [
        file("crates/one/src/config.rs", &["Settings"], &[]),
        file("crates/two/src/config.rs", &["Settings"], &[]),
        file("crates/two/src/main.rs", &[], &["Settings"]),
    ];
    assert_eq!(order(&graph(&near), &Focus::default())[0], "crates/two/src/config.rs");
    let kin = [
        file("src/a.py", &["load_settings"], &[]),
        file("src/z.rs", &["load_settings"], &[]),
        file("src/main.rs", &[], &["load_settings"]),
    ];
    assert_eq!(order(&graph(&kin), &Focus::default())[0], "src/z.rs");
}

#[test]
fn a_method_is_meant_where_its_type_is_named() {
    let method = |owner: &str| {
        let text = format!("pub struct {owner};\nimpl {owner} {{\n    pub fn ends_here(&self) {{}}\n}}\n");
        outline(Language::Rust, &text)
    };
    let files = [
        ("one.rs".to_owned(), method("Road")),
        ("two.rs".to_owned(), method("Wall")),
        ("main.rs".to_owned(), outline(Language::Rust, "fn main(wall: Wall) { wall.ends_here(); }")),
    ];
    assert_eq!(order(&graph(&files), &Focus::default())[0], "two.rs");
}

#[test]
fn strange_outlines_are_survived() {
    let backwards = SourceOutline {
        definitions: vec![
            Definition { lines: (9, 3), ..defines("later_thing", 1) },
            Definition {
                lines: (0, 0),
                container: Some("later_thing".into()),
                ..defines("earlier_thing", 1)
            },
            Definition {
                lines: (u32::MAX, u32::MAX),
                signature: "\u{1f600}".repeat(500).into(),
                ..defines("", 1)
            },
        ],
        references: vec![Reference { count: 0, ..uses("later_thing") }, uses("")],
    };
    let nested = SourceOutline {
        definitions: (0..5_000)
            .map(|_| Definition { lines: (1, 9), container: Some("deep".into()), ..defines("deep", 1) })
            .collect(),
        references: Vec::new(),
    };
    let files = [
        ("odd\npath.rs".to_owned(), backwards),
        (String::new(), nested),
        file("a.rs", &[], &["later_thing"]),
    ];
    let map = graph(&files).map(&Focus::default(), 2_000, &words);
    assert!(map.tokens <= 2_000);
    assert!(map.text.contains("odd?path.rs:\n"), "{}", map.text);
    assert!(map.text.lines().all(|line| line.chars().count() < 200));
}
