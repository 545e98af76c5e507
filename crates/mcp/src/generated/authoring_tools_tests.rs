use serde_json::Map;

use super::*;

#[test]
fn a_question_says_how_well_it_is_held_and_what_the_tests_showed() {
    let rolled = |sides: u32| DraftTest {
        tool: "roll".into(),
        arguments: Map::from_iter([("sides".to_owned(), json!(sides))]),
    };
    let draft =
        ServerDraft { name: "dice".into(), tests: vec![rolled(6), rolled(20)], ..ServerDraft::default() };
    let tried = TrialResult { tools: Vec::new(), answers: vec!["4".into(), "x ".repeat(4_000)] };
    for (level, part) in [
        (SandboxLevel::Full, "sees nothing but its own folder"),
        (SandboxLevel::Partial, "may see more of the machine"),
        (SandboxLevel::None, "does not run"),
    ] {
        let text = preview_of("Adds", &draft, &tried, level).text;
        assert!(text.contains(part), "{text}");
        assert!(text.contains("Both tests worked:\n- roll(sides: 6) → 4\n- roll(sides: 20) → x x"), "{text}");
        assert!(text.len() < 600, "{text}");
    }
}

#[test]
fn words_become_sentences() {
    for (text, expected) in [
        ("Rolls dice", Some("Rolls dice.")),
        ("Rolls.", Some("Rolls.")),
        ("Really? ", Some("Really?")),
        ("", None),
    ] {
        assert_eq!(sentence(text).as_deref(), expected);
    }
}
