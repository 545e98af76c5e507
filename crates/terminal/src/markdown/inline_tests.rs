use super::*;

/// Renders styles as letters, so that a whole line can be compared.
fn read(text: &str) -> String {
    spans(text, TextStyle::PLAIN, true)
        .into_iter()
        .map(|span| {
            let TextStyle { bold, italic, dim, underlined, struck, colour } = span.style;
            let names = [
                (bold, 'b'),
                (italic, 'i'),
                (dim, 'd'),
                (underlined, 'u'),
                (struck, 's'),
                (colour.is_some(), 'c'),
            ];
            let style: String = names.into_iter().filter_map(|(on, name)| on.then_some(name)).collect();
            if style.is_empty() { span.text } else { format!("{{{style}|{}}}", span.text) }
        })
        .collect()
}

#[test]
fn marks_become_styles() {
    for (text, expected) in [
        ("plain", "plain"),
        ("a **bold** word", "a {b|bold} word"),
        ("an *italic* one", "an {i|italic} one"),
        ("__bold__ and _italic_", "{b|bold} and {i|italic}"),
        ("***both***", "{bi|both}"),
        ("**bold *and italic* here**", "{b|bold }{bi|and italic}{b| here}"),
        ("*a **b** c*", "{i|a }{bi|b}{i| c}"),
        ("~~gone~~", "{s|gone}"),
        ("`code` here", "{c|code} here"),
        ("`` a`b ``", "{c|a`b}"),
        ("**`code`**", "{bc|code}"),
        ("**a `**` b**", "{b|a }{bc|**}{b| b}"),
        ("[Moon](https://m.example)", "{u|Moon} {d|(https://m.example)}"),
        ("[a [b] c](x \"title\")", "{u|a [b] c} {d|(x)}"),
        ("![Luna](luna.png)", "{u|Luna} {d|(luna.png)}"),
        ("<https://m.example>", "{u|https://m.example}"),
        ("[https://a](https://a)", "{u|https://a}"),
        ("a &lt; b &amp; c", "a < b & c"),
        (r"\*not\* \[this\]", "*not* [this]"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_mark_stays() {
    for text in [
        "2 * 3 * 4",
        "snake_case_name and _x",
        "**never closed",
        "a * b",
        "[1] and [2]",
        "[label] (not a link)",
        "[open",
        "`open",
        "5 < 6 > 4",
        "<b>tag</b>",
        "AT&T",
        "****",
        "~5 %",
        "Wow! Great",
        "C:\\path",
        "**",
        "*",
        "\\",
    ] {
        assert_eq!(read(text), text, "{text}");
    }
}

#[test]
fn without_styles_code_keeps_its_marks() {
    let plain: String =
        spans("run `ls` **fast**", TextStyle::PLAIN, false).into_iter().map(|span| span.text).collect();
    assert_eq!(plain, "run `ls` fast");
}

#[test]
fn what_may_still_change_is_held_back() {
    for (text, used) in [
        ("plain text", 10),
        ("a **bo", 2),
        ("a *", 2),
        ("say `co", 4),
        ("see [Mo", 4),
        ("see [Moon]", 4),
        ("see [Moon](ht", 4),
        ("see [1] x", 9),
        ("end \\", 4),
        ("a <htt", 2),
        ("a &am", 2),
        ("wow!", 3),
        ("**bold*", 0),
        ("**bold**", 0),
        ("**bold** x", 10),
    ] {
        assert_eq!(parse(text, None, false, TextStyle::PLAIN, true).used, used, "{text}");
    }
}
