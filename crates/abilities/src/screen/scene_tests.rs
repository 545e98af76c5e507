use serde_json::json;

use super::figures::FIGURES;
use super::*;
use crate::test_support::{ScriptedGenerator, payload, run};

fn kinds(solids: &[arrange::Solid]) -> Vec<&'static str> {
    solids.iter().map(|solid| solid.kind).collect()
}

#[test]
fn words_become_shapes() {
    let blue = "#4a7fd6";
    // Prompt, kinds, colour of the first shape, whether the scene rotates, whether everything was understood.
    let cases: [(&str, &[&str], &str, bool, bool); 18] = [
        ("rotating cube", &["box"], blue, true, true),
        ("Show me a spinning red ball, please!", &["sphere"], "#d64545", true, true),
        ("a green cone", &["cone"], "#4caf6d", false, true),
        ("3 small boxes", &["box", "box", "box"], blue, false, true),
        ("cubes", &["box", "box", "box"], blue, false, true),
        ("a yellow torus and two cylinders", &["torus", "cylinder", "cylinder"], "#f2c94c", false, true),
        ("red sphere on top of a blue box", &["box", "sphere"], blue, false, true),
        ("a box under a ball", &["box", "sphere"], blue, false, true),
        ("a circle of eight cubes", &["box"; 8], blue, false, true),
        ("a stack of four orange blocks", &["box"; 4], "#f2994a", false, true),
        ("five spheres in a row", &["sphere"; 5], blue, false, true),
        ("four cones around a cylinder", &["cylinder", "cone", "cone", "cone", "cone"], blue, false, true),
        ("a ring around a ball", &["sphere", "torus"], blue, false, true),
        ("pyramid", &["box"; 8], "#d9b96a", false, true),
        ("an iridescent cube", &["box"], blue, false, false),
        ("the feeling of autumn", &[], "", false, false),
        ("", &[], "", false, false),
        ("99999999999999999999 cubes and 1000 balls", &["box"; 3], blue, false, false),
    ];
    for (prompt, expected, colour, turns, is_whole) in cases {
        let read = vocabulary::read(prompt);
        let found = kinds(&read.solids);
        assert_eq!(&found[..found.len().min(expected.len().max(1))], expected, "{prompt}");
        assert!(
            found.len() == expected.len() || prompt.contains("1000") && found.len() == 27,
            "{prompt}: {found:?}"
        );
        assert_eq!(read.solids.first().map_or("", |solid| solid.colour), colour, "{prompt}");
        assert_eq!((read.turns, read.is_whole), (turns, is_whole), "{prompt}");
    }
}

#[test]
fn things_are_where_they_were_said_to_be() {
    let solids = |prompt: &str| vocabulary::read(prompt).solids;
    let near = |left: f64, right: f64| (left - right).abs() < 1e-9;
    let on = solids("a red ball on a big box");
    assert!(near(on[0].at[1] + on[0].size[1] / 2.0, on[1].at[1] - on[1].size[1] / 2.0), "{on:?}");
    let above = solids("a ball above a box");
    assert!(above[1].at[1] - 0.5 > above[0].at[1] + 0.5);
    let left = solids("a ball to the left of a box");
    assert!(left[1].at[0] < left[0].at[0]);
    let right = solids("a ball right of a box");
    assert!(right[1].at[0] > right[0].at[0]);
    let front = solids("a ball in front of a box");
    assert!(front[1].at[2] > front[0].at[2]);
    let chain = solids("a ball on a cylinder next to a box");
    assert_eq!(kinds(&chain), ["box", "cylinder", "sphere"]);
    assert!(near(chain[2].at[0], chain[1].at[0]) || chain[2].at[0] < chain[0].at[0]);
    let stack = solids("a stack of 3 cubes");
    assert!(near(stack[1].at[1] - stack[0].at[1], 1.0) && near(stack[2].at[1], 2.5));
    let around = solids("6 trees around a castle");
    let castle = FIGURES.iter().find(|(names, _)| names.contains(&"castle")).unwrap().1.len();
    assert!(around[castle..].iter().all(|part| part.at[0].hypot(part.at[2]) > 1.4), "outside of it");
}

#[test]
fn every_figure_stands_on_the_ground_and_is_of_a_sensible_size() {
    assert!(FIGURES.len() >= 30);
    let mut all: Vec<&str> = FIGURES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    for (names, _) in FIGURES {
        let read = vocabulary::read(&format!("a spinning {}", names[0]));
        assert!(read.is_whole && read.turns, "{}", names[0]);
        let room = arrange::SolidGroup(read.solids.clone()).bounds();
        assert!(room.least[1].abs() < 1e-9, "{}: {room:?}", names[0]);
        assert!((0..3).all(|axis| room.side(axis) <= 12.0) && room.side(0) >= 0.3, "{}: {room:?}", names[0]);
        let written = json!({"shapes": shapes::written(&read.solids)});
        assert_eq!(PayloadSchema::Record(&MODEL).repair(written.clone()), Ok(written), "{}", names[0]);
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "each name means one thing");
}

#[test]
fn a_crowd_is_cut_to_what_can_be_drawn() {
    let read = vocabulary::read(&"24 castles and ".repeat(30));
    assert!(
        (200..=shapes::MOST_SHAPES).contains(&read.solids.len()) && !read.is_whole,
        "{}",
        read.solids.len()
    );
    let whole = FIGURES.iter().find(|(names, _)| names.contains(&"castle")).unwrap().1.len();
    assert_eq!(read.solids.len() % whole, 0, "none is cut in half");
}

#[test]
fn a_colour_is_said_of_the_main_parts() {
    let house = vocabulary::read("a red house").solids;
    assert_eq!(house.iter().filter(|part| part.colour == "#d64545").count(), 1);
}

fn scene(generator: ScriptedGenerator) -> (Arc<ScriptedGenerator>, SceneTool) {
    let generator = Arc::new(generator);
    (Arc::clone(&generator), SceneTool::new(generator).unwrap())
}

#[tokio::test]
async fn a_rotating_cube_rotates_without_asking_the_model() {
    let (generator, scene) = scene(ScriptedGenerator::always("never asked"));
    let output = run(&scene, json!({"prompt": "rotating cube"})).await.unwrap();
    assert_eq!(output.text, "The scene is on the screen, with 1 shape.");
    let shown = payload(output);
    assert_eq!((&shown["prompt"], &shown["turntable"]), (&json!("rotating cube"), &json!(true)));
    assert_eq!(shown["shapes"][0]["kind"], "box");
    assert!(generator.requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_was_said_outright_counts_more_than_what_was_made_out() {
    let (_, scene) = scene(ScriptedGenerator::default());
    let given = json!({"prompt": "rotating cube", "turntable": false, "title": "Still"});
    let shown = payload(run(&scene, given).await.unwrap());
    assert_eq!((&shown["turntable"], &shown["title"]), (&json!(false), &json!("Still")));
    assert_eq!(shown["shapes"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_the_words_do_not_hold_is_asked_of_the_model() {
    let answer =
        r##"{"shapes": [{"kind": "cone", "position": [0, 1, 0], "size": [1, 2, 1], "color": "#aa7733"}]}"##;
    let (generator, scene) = scene(ScriptedGenerator::always(answer));
    let shown = payload(run(&scene, json!({"prompt": "a spinning volcano", "title": "Fire"})).await.unwrap());
    assert_eq!(shown["shapes"][0]["kind"], "cone");
    assert_eq!((&shown["title"], &shown["turntable"]), (&json!("Fire"), &json!(true)));
    let asked = generator.requests.lock().unwrap();
    assert_eq!(asked[0].text, "a spinning volcano");
    assert!(ToolDefinition::new("x", "", asked[0].schema.clone().unwrap()).is_ok(), "a schema");
}

#[tokio::test]
async fn without_a_model_what_was_understood_is_shown() {
    for generator in [
        ScriptedGenerator::default(),
        ScriptedGenerator::always("I cannot"),
        ScriptedGenerator::always(r#"{"shapes": []}"#),
    ] {
        let (_, scene) = scene(generator);
        let shown = payload(run(&scene, json!({"prompt": "a gothic castle at dusk"})).await.unwrap());
        assert!(shown["shapes"].as_array().unwrap().len() > 5);
        let error = run(&scene, json!({"prompt": "sorrow"})).await.unwrap_err().to_string();
        assert!(error.contains("No shapes come to mind") && error.contains(EXAMPLE), "{error}");
    }
}

#[tokio::test]
async fn shapes_are_shown_as_given_or_mended() {
    let (_, scene) = scene(ScriptedGenerator::default());
    let given = json!({"shapes": [
        {"kind": "box", "position": [0, 1, 2], "size": 2, "rotation": [0, 45, 0], "color": "tomato", "label": "a"},
        {"kind": "plane", "size": [1, 2, 3]},
    ], "turntable": true, "title": "t"});
    assert_eq!(payload(run(&scene, given.clone()).await.unwrap()), given);
    let cases = [
        (json!({"type": "Ball", "radius": 2}), json!({"kind": "sphere", "size": [4.0, 4.0, 4.0]})),
        (
            json!({"shape": "cylinder", "radius": 1, "height": 3}),
            json!({"kind": "cylinder", "size": [2.0, 3.0, 2.0]}),
        ),
        (
            json!({"kind": "cube", "colour": "#FFF", "position": {"y": 2}}),
            json!({"kind": "box", "color": "#FFFFFF", "position": [0.0, 2, 0.0]}),
        ),
    ];
    for (shape, expected) in cases {
        let shown = payload(run(&scene, json!({"objects": [shape]})).await.unwrap());
        assert_eq!(shown["shapes"][0], expected);
    }
}

#[tokio::test]
async fn wrong_shapes_are_refused_with_an_example() {
    let (_, scene) = scene(ScriptedGenerator::default());
    let many = vec![json!({"kind": "box"}); 301];
    let cases = [
        (json!({}), "shapes is missing"),
        (json!({"shapes": []}), "is empty"),
        (json!({"shapes": many}), "has 301 items, and 300 fit"),
        (json!({"shapes": [{"kind": "box", "position": [1, 2]}]}), "position should be three numbers"),
        (json!({"shapes": [{"kind": "box", "size": -1}]}), "size should be"),
        (json!({"shapes": [{"kind": "box", "color": "url(x)"}]}), "is not a colour"),
        (json!({"shapes": [{"position": [0, 0, 0]}]}), "kind is missing"),
    ];
    for (given, says) in cases {
        let error = run(&scene, given).await.unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("rotating cube"), "{error}");
    }
}
