use super::*;

/// The same formula as in `training/emotion.py`.
fn made_up(size: usize, turn: usize) -> Vec<f32> {
    (0..size)
        .map(|at| {
            let number = u16::try_from((at * 7919 + turn * 104_729) % 2003).unwrap();
            f32::from(number) / 1001.5 - 1.0
        })
        .collect()
}

fn chances(feelings: &Feelings) -> [f32; 7] {
    Emotion::ALL.map(|emotion| feelings.of(emotion))
}

fn strongest(sentence: &str) -> Emotion {
    feelings(sentence, None).strongest().0
}

#[test]
fn sentences_read_as_they_did_when_the_weights_were_learned() {
    let cases: Vec<serde_json::Value> = serde_json::from_str(include_str!("compared.json")).unwrap();
    assert!(cases.len() >= 180);
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let turn = usize::try_from(case["turn"].as_u64().unwrap()).unwrap();
        let (mini, llama) = (made_up(384, turn), made_up(256, turn));
        let vector = match case["with"].as_str().unwrap() {
            "words" => None,
            "minilm" => Some(Vector::MiniLm(&mini)),
            "wordllama" => Some(Vector::WordLlama(&llama)),
            other => panic!("{other}"),
        };
        let seen = chances(&feelings(text, vector));
        let expected: Vec<f32> = serde_json::from_value(case["chances"].clone()).unwrap();
        let beginning: String = text.chars().take(40).collect();
        assert!(
            seen.iter().zip(&expected).all(|(seen, expected)| (seen - expected).abs() < 0.02),
            "{beginning:?} with {}: expected {expected:?}, saw {seen:?}",
            case["with"]
        );
    }
}

#[test]
fn the_likeliest_is_what_a_listener_would_say() {
    for (sentence, expected) in [
        ("Haha, that joke was so funny 😂", Emotion::Joy),
        ("That's wonderful news!", Emotion::Joy),
        ("I love it, thank you so much!", Emotion::Joy),
        ("I'm so sorry, your grandmother died.", Emotion::Sadness),
        ("I'm so sorry to hear that.", Emotion::Sadness),
        ("I feel sad and lonely today.", Emotion::Sadness),
        ("I hate it when they lie, it makes me furious!", Emotion::Anger),
        ("Ew, that is disgusting.", Emotion::Disgust),
        ("Wow, I did not expect that!", Emotion::Surprise),
        ("I'm scared, this is terrifying.", Emotion::Fear),
        ("Here is the list.", Emotion::Neutral),
        ("Click on Save, then close the window.", Emotion::Neutral),
        ("The train leaves from platform 4 at nine.", Emotion::Neutral),
    ] {
        assert_eq!(strongest(sentence), expected, "{sentence:?}: {:?}", feelings(sentence, None));
    }
}

/// A negation reduces joy, but does not yet turn “not happy” into another emotion.
#[test]
fn a_negation_lessens_joy() {
    for (plain, negated) in [
        ("I am happy", "I am not happy"),
        ("This is good.", "This is not good."),
        ("I like it.", "I don't like it."),
    ] {
        let (plain, negated) = (feelings(plain, None), feelings(negated, None));
        assert!(negated.joy < plain.joy * 0.6, "{plain:?}, {negated:?}");
    }
}

#[test]
fn the_seven_are_one_whatever_is_read() {
    let long = "happy sad angry! ".repeat(20_000);
    let odd =
        ["", " ", "\0", "\u{feff}", "!?!?", "😂", "مرحبا", "你好", "\u{10ffff}", "a\u{301}", long.as_str()];
    for sentence in odd {
        for vector in [None, Some(Vector::MiniLm(&[0.05; 384])), Some(Vector::WordLlama(&[-1.0; 256]))] {
            let seen = chances(&feelings(sentence, vector));
            assert!((seen.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{seen:?}");
            assert!(seen.iter().all(|chance| (0.0..=1.0).contains(chance)), "{seen:?}");
        }
    }
}

#[test]
fn a_vector_that_is_none_is_left_out() {
    let words = feelings("What a day", None);
    let with = |at: usize, number: f32| {
        let mut vector = vec![0.05; 384];
        vector[at] = number;
        vector
    };
    for bad in [
        with(0, f32::NAN),
        with(383, f32::INFINITY),
        with(7, f32::NEG_INFINITY),
        with(7, f32::MAX),
        vec![0.0; 384],
        vec![0.05; 383],
        vec![0.05; 385],
        vec![],
    ] {
        assert_eq!(feelings("What a day", Some(Vector::MiniLm(&bad))), words);
    }
    assert_eq!(feelings("What a day", Some(Vector::WordLlama(&[0.05; 384]))), words);
    assert_ne!(feelings("What a day", Some(Vector::MiniLm(&[0.05; 384]))), words);
}

#[test]
fn the_length_of_a_vector_says_nothing() {
    let (short, long) =
        (made_up(384, 1), made_up(384, 1).iter().map(|number| number * 9.0).collect::<Vec<_>>());
    let (short, long) =
        (feelings("Hm", Some(Vector::MiniLm(&short))), feelings("Hm", Some(Vector::MiniLm(&long))));
    assert!((short.joy - long.joy).abs() < 1e-4);
}

#[test]
fn vectors_are_known_by_the_name_of_their_model() {
    assert_eq!(Vector::named("all-minilm-l6-v2", &[1.0]), Some(Vector::MiniLm(&[1.0])));
    assert_eq!(Vector::named("wordllama-256", &[1.0]), Some(Vector::WordLlama(&[1.0])));
    assert_eq!(Vector::named("another", &[1.0]), None);
}

#[test]
fn feelings_on_the_wire() {
    let feelings = Feelings {
        joy: 0.5,
        sadness: 0.0,
        anger: 0.0,
        disgust: 0.0,
        surprise: 0.25,
        fear: 0.0,
        neutral: 0.25,
    };
    assert_eq!(
        serde_json::to_string(&feelings).unwrap(),
        r#"{"joy":0.5,"sadness":0.0,"anger":0.0,"disgust":0.0,"surprise":0.25,"fear":0.0,"neutral":0.25}"#
    );
    assert_eq!(feelings.strongest(), (Emotion::Joy, 0.5));
    assert_eq!(serde_json::to_string(&Emotion::Joy).unwrap(), r#""joy""#);
}

#[test]
fn every_emotion_has_a_face() {
    use protocol::Expression::{Angry, Happy, Neutral, Sad, Surprised};
    let faces = Emotion::ALL.map(Emotion::expression);
    assert_eq!(faces, [Happy, Sad, Angry, Angry, Surprised, Surprised, Neutral]);
}
