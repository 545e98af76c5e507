use protocol::UserId;

use super::*;
use crate::search::query::Query;

fn shown(text: &str, query: &str) -> (String, Vec<String>) {
    let query = Query::parse(UserId::new(1), query).unwrap();
    let Snippet { text, marks } = snippet(text, &query.phrases);
    let units: Vec<u16> = text.encode_utf16().collect();
    let marked = marks
        .iter()
        .map(|&(from, to)| String::from_utf16(&units[from as usize..to as usize]).unwrap())
        .collect();
    (text, marked)
}

#[test]
fn marks_cover_what_was_searched_for() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("The moon is near", "moon", &["moon"]),
        ("Moonlight and MOON", "moon", &["Moonlight", "MOON"]),
        ("Moonlight and MOON", "moon ", &["MOON"]),
        ("a well-known well", "well-known", &["well-known"]),
        ("🌙🌙 Café, cafe\u{301}", "cafe", &["Café", "cafe\u{301}"]),
        ("今天天气很好", "天气", &["天气"]),
        ("see 🌙 there", "🌙", &["🌙"]),
        ("שלום עולם", "עולם", &["עולם"]),
        ("one two one", "two one", &["one", "two", "one"]),
        ("nothing of it", "absent", &[]),
    ];
    for (text, query, expected) in cases {
        assert_eq!(shown(text, query).1, *expected, "{query} in {text}");
    }
}

#[test]
fn a_long_text_is_cut_around_the_match() {
    let text = format!("{} needle {}", "before ".repeat(1000), "after ".repeat(1000));
    let (snippet, marked) = shown(&text, "needle");
    assert_eq!(marked, ["needle"]);
    assert!(snippet.starts_with("…before") && snippet.ends_with("after…"), "{snippet}");
    assert!(snippet.len() < 300);
}

#[test]
fn the_place_with_most_of_the_words_is_shown() {
    let text = format!("red {} red and blue {}", "filler ".repeat(100), "filler ".repeat(100));
    assert_eq!(shown(&text, "blue red").1, ["red", "blue"]);
}

#[test]
fn a_snippet_is_one_line_and_its_marks_survive_that() {
    let (snippet, marked) = shown("first\r\n\tneedle\0\nlast", "needle");
    assert_eq!(snippet, "first   needle  last");
    assert_eq!(marked, ["needle"]);
}

#[test]
fn text_without_spaces_or_with_wide_characters_is_cut_between_characters() {
    for text in ["é".repeat(10_000) + " needle", "字".repeat(10_000) + "needle", "👩‍💻".repeat(3000)]
    {
        let (snippet, _) = shown(&text, "needle");
        assert!(snippet.len() < 320, "{}", snippet.len());
    }
}

/// Many matches in a very long text must not cost more than one pass over it.
#[test]
fn a_megabyte_of_matches_is_quick() {
    let text = "the ".repeat(250_000);
    let (_, marked) = shown(&text, "the");
    assert!(marked.len() > 10);
}
