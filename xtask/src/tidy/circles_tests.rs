use super::*;

fn graph(edges: &str) -> Uses {
    let edge = |edge: &str| {
        let (from, to) = edge.split_once('>').unwrap();
        ((from.to_owned(), to.to_owned()), BTreeSet::from(["Name".to_owned()]))
    };
    edges.split_whitespace().map(edge).collect()
}

#[test]
fn circles_are_found_and_sorted() {
    for (edges, expected) in [
        ("a>b b>c", vec![]),
        ("a>b b>a", vec!["a b"]),
        ("a>b b>c c>a c>d d>e e>d x>a", vec!["a b c", "d e"]),
        ("a>b b>c c>b c>d d>a", vec!["a b c d"]),
        ("a>b a>c b>d c>d d>e e>b", vec!["b d e"]),
    ] {
        let found: Vec<String> = circles("a", MemberKind::Files, &graph(edges))
            .iter()
            .map(|circle| circle.members.join(" "))
            .collect();
        assert_eq!(found, expected, "{edges}");
    }
}

/// Returns a crate in which each file uses the next one, and the last the first.
fn ring(folder: &str, count: usize) -> Vec<(String, String)> {
    let declared: Vec<String> = (0..count).map(|file| format!("mod f{file};")).collect();
    let mut files = vec![
        (format!("{folder}/Cargo.toml"), String::new()),
        (format!("{folder}/src/lib.rs"), declared.concat()),
    ];
    for file in 0..count {
        let next = (file + 1) % count;
        files.push((
            format!("{folder}/src/f{file}.rs"),
            format!("pub struct S{file}; use crate::f{next}::S{next};"),
        ));
    }
    files
}

#[test]
fn a_circle_fails_above_the_limit_and_between_modules_of_the_companion() {
    for (folder, count, failures) in [
        ("crates/a", MOST_FILES, 0),
        ("crates/a", MOST_FILES + 1, 1),
        ("crates/companion", 2, 1),
        ("crates/companion", MOST_FILES + 1, 2),
    ] {
        let files = ring(folder, count);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(knots(&SourceTree::of(&files)).len(), failures, "{folder} {count}");
    }
}

#[test]
fn the_list_names_what_ties_a_circle() {
    let files = ring("crates/a", 2);
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(
        describe(&SourceTree::of(&files)),
        "crates/a: a circle of 2 files\n    f0.rs > f1.rs: S1\n    f1.rs > f0.rs: S0\n\
         1 circles, the largest of 2; 0 not allowed"
    );
}
