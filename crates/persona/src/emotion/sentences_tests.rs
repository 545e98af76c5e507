use super::*;

/// Texts and their sentences.
const TABLE: &[(&str, &[&str])] = &[
    ("", &[]),
    ("   \n\n ", &[]),
    ("...", &[]),
    ("---\n***", &[]),
    ("Hello", &["Hello"]),
    ("Hello there. How are you?", &["Hello there.", "How are you?"]),
    ("No way! Really?! Yes.", &["No way!", "Really?!", "Yes."]),
    ("One line\nand another", &["One line", "and another"]),
    ("One line\r\nand another\r\n", &["One line", "and another"]),
    ("yes. ok so be it", &["yes.", "ok so be it"]),
    ("It costs 3.5 euros. Fine.", &["It costs 3.5 euros.", "Fine."]),
    ("Dr. Smith came. He left.", &["Dr. Smith came.", "He left."]),
    ("Take fruit, e.g. apples, i.e. food. Good.", &["Take fruit, e.g. apples, i.e. food.", "Good."]),
    ("Is it you? No. It is J. R. Smith.", &["Is it you?", "No.", "It is J. R. Smith."]),
    ("See No. 5 there. It is No. 6.", &["See No. 5 there.", "It is No. 6."]),
    (
        "Apples, pears, etc. are fruit. So it is, etc. Then we go.",
        &["Apples, pears, etc. are fruit.", "So it is, etc.", "Then we go."],
    ),
    ("It is 5 p.m. now. At 6 p.m. We go.", &["It is 5 p.m. now.", "At 6 p.m.", "We go."]),
    ("Well... maybe. Well… maybe not. Hm... No.", &["Well... maybe.", "Well… maybe not.", "Hm...", "No."]),
    (
        "She said \"Stop.\" Then she left. (Really!) So.",
        &["She said \"Stop.\"", "Then she left.", "(Really!)", "So."],
    ),
    ("**Done.** Next one.", &["**Done.**", "Next one."]),
    ("That's great! 😂 Next one. 👍🏽 Go", &["That's great! 😂", "Next one. 👍🏽", "Go"]),
    ("Great!😂 Next.", &["Great!😂", "Next."]),
    ("1. Open it. 2. Close it.\n3. Go", &["1. Open it.", "2. Close it.", "3. Go"]),
    ("Open main.rs or example.com and go.", &["Open main.rs or example.com and go."]),
    ("Look:\n```rust\nlet a = 1. + 2.;\nHello there.\n```\nDone.", &["Look:", "Done."]),
    ("~~~\nA. B.\n```\nC.\n~~~\nDone.", &["Done."]),
    ("```\nnever closed. So what", &[]),
    ("  ```\nindented.\n  ```\nDone.", &["Done."]),
    ("Use `a. B` here. Fine.", &["Use `a. B` here.", "Fine."]),
    (
        "See [the page. It is good](https://a.b/c?d. e) now. Fine.",
        &["See [the page. It is good](https://a.b/c?d. e) now.", "Fine."],
    ),
    ("[the page](https://a.b/c)\nhttps://a.b/c\n- <https://a.b>\nHere.", &["Here."]),
    (
        "An [open bracket.\nIs closed by the line. Yes.",
        &["An [open bracket.", "Is closed by the line.", "Yes."],
    ),
    ("你好。今天好吗？很好！是", &["你好。", "今天好吗？", "很好！", "是"]),
    ("שלום לך. מה שלומך?", &["שלום לך.", "מה שלומך?"]),
    ("😂", &["😂"]),
];

fn read_in_pieces(text: &str, cut: impl Fn(usize) -> bool) -> Vec<String> {
    let mut reader = SentenceReader::default();
    let mut all = vec![];
    let mut piece = String::new();
    for (at, letter) in text.chars().enumerate() {
        piece.push(letter);
        if cut(at) {
            all.extend(reader.push(&piece));
            piece.clear();
        }
    }
    all.extend(reader.push(&piece));
    all.extend(reader.finish());
    all
}

#[test]
fn text_in_sentences() {
    for (text, expected) in TABLE {
        assert_eq!(sentences(text).collect::<Vec<_>>(), *expected, "{text:?}");
    }
}

#[test]
fn however_the_text_is_cut_the_sentences_are_the_same() {
    let long = TABLE.iter().map(|(text, _)| *text).collect::<Vec<_>>().join("\n");
    for text in TABLE.iter().map(|(text, _)| *text).chain([long.as_str()]) {
        let whole: Vec<&str> = sentences(text).collect();
        for size in 1..12 {
            assert_eq!(read_in_pieces(text, |at| at % size == size - 1), whole, "{text:?} by {size}");
        }
        for place in 0..text.chars().count() {
            assert_eq!(read_in_pieces(text, |at| at == place), whole, "{text:?} at {place}");
        }
    }
}

#[test]
fn a_sentence_is_given_as_soon_as_the_next_one_begins() {
    let mut reader = SentenceReader::default();
    assert!(reader.push("Hello the").is_empty());
    assert!(reader.push("re. ").is_empty());
    assert_eq!(reader.push("H"), ["Hello there."]);
    assert_eq!(reader.push("ow?\n"), ["How?"]);
    assert_eq!(reader.finish(), None);
}

#[test]
fn endless_text_is_cut() {
    let spaced = "word ".repeat(2000);
    let solid = "x".repeat(10_000);
    let brackets = "[a. ".repeat(5000);
    let fences = "```\n".repeat(3001) + "Done. Really";
    for (text, longest) in [(&spaced, 1010), (&solid, 2000), (&brackets, 1010), (&fences, 20)] {
        let all: Vec<&str> = sentences(text).collect();
        assert!(all.iter().all(|sentence| sentence.len() <= longest), "{:?}", &text[..4]);
        assert_eq!(read_in_pieces(text, |at| at % 7 == 0), all);
    }
    assert_eq!(sentences(&spaced).flat_map(str::split_whitespace).count(), 2000);
    assert_eq!(sentences(&solid).map(str::len).sum::<usize>(), 10_000);
}
