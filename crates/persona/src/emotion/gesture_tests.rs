use super::*;
use crate::emotion::feelings;

#[test]
fn the_movement_that_fits() {
    for (sentence, expected) in [
        ("", None),
        ("Haha, you got me!", Some("laugh")),
        ("That is a good one 😂", Some("laugh")),
        ("That's hilarious!", Some("laugh")),
        ("Hello, how was your day?", Some("wave")),
        ("Hi!", Some("wave")),
        ("Good morning.", Some("wave")),
        ("Welcome back, I missed you!", Some("wave")),
        ("See you tomorrow!", Some("wave")),
        ("Bye", Some("wave")),
        ("History is a long story.", None),
        ("He said hi to me.", None),
        ("Good night, sleep well.", Some("sleepy")),
        ("I am so sleepy.", Some("sleepy")),
        ("Wow, I did not expect that!", Some("surprised")),
        ("Yes, that works.", Some("nod")),
        ("Exactly.", Some("nod")),
        ("Of course I can do that.", Some("nod")),
        ("Yesterday it rained.", None),
        ("Surely not.", None),
        ("Here is the list.", None),
        ("Which one would you like?", None),
        ("I'm so sorry, your grandmother died.", None),
    ] {
        assert_eq!(gesture(sentence, &feelings(sentence, None)), expected, "{sentence:?}");
    }
}

#[test]
fn nobody_laughs_at_bad_news() {
    let sad =
        Feelings { joy: 0.1, sadness: 0.9, anger: 0.0, disgust: 0.0, surprise: 0.0, fear: 0.0, neutral: 0.0 };
    assert_eq!(gesture("haha, he died", &sad), None);
    assert_eq!(gesture("hilarious", &sad), None);
}
