use super::*;

fn folded(text: &str) -> Vec<String> {
    words(text).map(|word| fold(&text[word]).into_owned()).collect()
}

#[test]
fn any_language_comes_apart_into_words() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        (" \t--- \u{200f}", &[]),
        ("Hello, World-wide_web!", &["hello", "world", "wide", "web"]),
        ("Café CAFE\u{301} Łódź Straße Ægir", &["cafe", "cafe", "lodz", "strasse", "aegir"]),
        ("ΟΔΟΣ οδός", &["οδοσ", "οδοσ"]),
        ("Привет, МИР", &["привет", "мир"]),
        ("İstanbul ısı", &["istanbul", "isi"]),
        ("今天天气", &["今", "天", "天", "气"]),
        ("GPU加速", &["gpu", "加", "速"]),
        ("\u{ff27}\u{ff30}\u{ff35} ①", &["gpu", "1"]),
        ("ภาษา", &["ภ", "า", "ษ", "า"]),
        ("مُحَمَّد محمد", &["محمد", "محمد"]),
        ("שָׁלוֹם שלום", &["שלום", "שלום"]),
        ("hi🌙moon ❤\u{fe0f}", &["hi", "🌙", "moon", "❤"]),
        ("👩\u{200d}💻", &["👩", "💻"]),
        ("co\u{ad}operate", &["cooperate"]),
        ("a\0b", &["a", "b"]),
        ("m² ½", &["m2", "1\u{2044}2"]),
    ];
    for (text, expected) in cases {
        assert_eq!(folded(text), *expected, "{text:?}");
    }
}

#[test]
fn hangul_is_found_by_its_syllables() {
    assert_eq!(folded("서울에서").len(), 4);
    assert_eq!(folded("서울에서")[..2], folded("서울")[..]);
}

#[test]
fn ranges_lie_on_the_words_of_the_text() {
    let text = "Ça va, 世界?";
    let found: Vec<&str> = words(text).map(|word| &text[word]).collect();
    assert_eq!(found, ["Ça", "va", "世", "界"]);
}

/// The index splits its input at every ASCII character that is not a letter or digit, and nowhere else.
#[test]
fn the_index_sees_the_same_words() {
    let as_indexed = |text: &str| -> Vec<String> {
        index_text(text)
            .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect()
    };
    let mut texts: Vec<String> = ["Plain ASCII, 100% of it", "a\0b", "Ⅳ ㎏ ﷺ ﬁne ℀ …", "سلام 🌙🌙 \u{2028}x"]
        .map(String::from)
        .to_vec();
    // Each character is placed between two others, so that none is a word here and a separator there.
    let mut all = ('\0'..=char::MAX).filter(|c| *c < '\u{20000}').map(|c| format!("x{c}y "));
    loop {
        let text: String = all.by_ref().take(4096).collect();
        if text.is_empty() {
            break;
        }
        texts.push(text);
    }
    for text in texts {
        assert_eq!(as_indexed(&text), folded(&text));
    }
}
