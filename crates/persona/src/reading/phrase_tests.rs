use super::super::user_words::UserWords;
use super::*;

#[test]
fn patterns() {
    for (pattern, message, expected) in [
        ("tell me more", "please tell me more", Some(1..4)),
        ("tell|give me more", "give me more", Some(0..3)),
        ("tell ?me more", "tell more", Some(0..2)),
        ("tell ?me more", "tell you more", None),
        ("i am ~ sad", "i am so very sad", Some(0..5)),
        ("i am ~ sad", "i am looking for a sad song", None),
        ("stop * questions", "stop all of these questions", Some(0..5)),
        ("stop * questions", "stop all of these very many questions", None),
        ("so * good", "so not good", None),
        ("^ be", "to be", None),
        ("^ be", "well, be", Some(1..2)),
        ("go on $", "go on then", None),
        ("go on $", "go on", Some(0..2)),
        ("tired !of", "tired of it", None),
        ("tired !of", "tired", Some(0..1)),
        ("do not ask", "don't ask", Some(0..3)),
        ("a a a b", "a a a a b", Some(1..5)),
    ] {
        let own = UserWords::of(message);
        assert_eq!(
            PhrasePattern::of(pattern).find(&own.sentences[0].words),
            expected,
            "{pattern} in {message}"
        );
    }
}

#[test]
fn a_negation_reaches_as_far_as_its_clause() {
    for (message, start, expected) in [
        ("not tired", 1, true),
        ("no, tired", 1, false),
        ("never ever tired", 2, true),
        ("not a b c tired", 4, false),
        ("do not forget to stay", 4, false),
        ("tired", 0, false),
    ] {
        let own = UserWords::of(message);
        assert_eq!(is_negated(&own.sentences[0].words, start, 3), expected, "{message}");
    }
}
