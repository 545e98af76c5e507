use super::*;

const WIDE: Screen = Screen { painter: Painter::new(false), width: Some(60) };

fn render(screen: Screen, text: &str) -> String {
    let mut renderer = MarkdownRenderer::new(screen);
    let shown = renderer.push(text);
    shown + &renderer.finish()
}

const SAMPLE: &str = "# The Moon\n\nShe is **close** at *perigee*, about `363,000` km away, and that is not far \
as such things go.\n\n- one\n- two with a rather long text that has to run over into a further line\n  - nested\n\
1. first\n2. second\n- [x] done\n\n> A quote\n> of two lines\n\n---\n```rust\nfn main() {\n    let x = \"**\";\n}\n\
```\n\n| name | km |\n|---|---:|\n| perigee | 363,000 |\n| apogee | 405,000 |\n\nSee [the map](https://m.example).\n";

const EXPECTED: &str = "\
# The Moon

She is close at perigee, about `363,000` km away, and that
is not far as such things go.

• one
• two with a rather long text that has to run over into a
  further line
  • nested
1. first
2. second
☑ done

▏ A quote
▏ of two lines

────────────────────────────────────────
── rust ────────────────────────────────
  fn main() {
      let x = \"**\";
  }
────────────────────────────────────────

name          km
perigee  363,000
apogee   405,000

See the map (https://m.example).
";

#[test]
fn a_text_with_everything_is_laid_out() {
    assert_eq!(render(WIDE, SAMPLE), EXPECTED);
}

#[test]
fn it_does_not_matter_how_the_text_is_cut() {
    let styled = Screen { painter: Painter::new(true), width: Some(40) };
    for screen in [WIDE, styled] {
        let whole = render(screen, SAMPLE);
        for size in [1, 2, 3, 7, 31] {
            let mut renderer = MarkdownRenderer::new(screen);
            let mut out = String::new();
            let letters: Vec<char> = SAMPLE.chars().collect();
            for piece in letters.chunks(size) {
                out.push_str(&renderer.push(&piece.iter().collect::<String>()));
            }
            out.push_str(&renderer.finish());
            assert_eq!(out, whole, "pieces of {size}");
        }
    }
}

#[test]
fn words_appear_while_the_line_is_still_growing() {
    let mut renderer = MarkdownRenderer::new(WIDE);
    assert_eq!(renderer.push("Good eve"), "Good");
    assert_eq!(renderer.push("ning, "), " evening,");
    assert_eq!(renderer.push("**dear"), "");
    assert_eq!(renderer.push("** you"), " dear");
    assert_eq!(renderer.finish(), " you\n");
}

#[test]
fn nothing_from_the_text_steers_the_terminal() {
    let hostile = "a \u{1b}[31mb\u{7} **c\u{1b}]0;x\u{7}**\n```\n\u{1b}[2J\u{9b}0m\n```\n| \u{1b}c | d |\n|--|--|\n| e | \u{1b}[H |\n";
    for painter in [false, true] {
        let out = render(Screen { painter: Painter::new(painter), width: Some(40) }, hostile);
        let ours = out
            .replace("\u{1b}[0m", "")
            .replace("\u{1b}[1m", "")
            .replace("\u{1b}[2m", "")
            .replace("\u{1b}[36m", "");
        assert!(!ours.contains(|letter: char| letter.is_control() && letter != '\n'), "{ours:?}");
    }
}

#[test]
fn what_is_cut_off_is_shown_all_the_same() {
    for (text, expected) in [
        ("", ""),
        ("\n\n", ""),
        ("**never clos", "**never clos\n"),
        (
            "```\ncode",
            "────────────────────────────────────────\n  code\n────────────────────────────────────────\n",
        ),
        ("| a | b |", "| a | b |\n"),
        ("| a | b |\nplain", "| a | b |\nplain\n"),
        ("| a |\n|---|", "a\n"),
        ("- ", "• \n"),
        ("one\n\n\n\ntwo\n\n", "one\n\ntwo\n"),
        ("one\r\ntwo", "one\ntwo\n"),
    ] {
        assert_eq!(render(WIDE, text), expected, "{text:?}");
    }
}

#[test]
fn no_line_is_wider_than_the_screen() {
    let narrow = Screen { painter: Painter::new(false), width: Some(24) };
    let text = "# A heading that is long\n\n- **bold words** that wrap\n> quoted words that wrap too\n\n\
                | a long name | another name | third |\n|---|---|---|\n| 1 | 2 | 3 |\n\n\
                averyveryverylongwordwithoutanyspacesinit 月が綺麗ですね月が綺麗ですね\n";
    for line in render(narrow, text).lines() {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= 24, "{line}");
    }
}

#[test]
fn headings_and_code_have_styles_where_there_are_any() {
    let styled = Screen { painter: Painter::new(true), width: Some(40) };
    assert_eq!(render(styled, "## Hi"), "\u{1b}[1;36mHi\u{1b}[0m\n");
    assert_eq!(render(styled, "`x`"), "\u{1b}[36mx\u{1b}[0m\n");
}

/// Texts that make a careless reader look through the same line again and again, each of about `length` bytes.
fn hostile(length: usize) -> Vec<String> {
    let growing = |line: fn(usize) -> String| {
        let mut text = String::new();
        for number in 1.. {
            if text.len() >= length {
                break;
            }
            text.push_str(&line(number));
        }
        text
    };
    let repeated = [
        "*",
        "a*",
        "*a ",
        "**a ",
        "*a_b",
        "~~a",
        "[",
        "[a](",
        "![",
        "<https://",
        "&",
        ">",
        "> ",
        "- ",
        "|",
        "1",
        "#",
        "`",
        "\\",
        "\\`",
        "_a",
        " ",
        "a",
        "a b\n",
        ">\n",
        "|\n",
        "- [ ",
    ];
    let mut texts: Vec<String> =
        repeated.into_iter().map(|piece| piece.repeat(length.div_ceil(piece.len()))).collect();
    texts.push("*_".repeat(length / 4) + "x" + &"_*".repeat(length / 4));
    texts.push("[".repeat(length / 2) + &"](x)".repeat(length / 8));
    texts.push(growing(|number| "`".repeat(number) + "a"));
    texts.push(growing(|number| " ".repeat(2 * number) + "- a\n"));
    texts.push(format!(
        "|{}\n|{}\n{}",
        "a|".repeat(length / 10),
        "-|".repeat(length / 10),
        "|b|\n".repeat(length / 8)
    ));
    texts.push(format!("|{}|b|\n|-|-|\n", "wide ".repeat(length / 5)));
    texts
}

#[test]
fn hostile_text_takes_no_longer_than_its_length() {
    const LENGTH: usize = 100_000;
    let screen = Screen { painter: Painter::new(true), width: Some(80) };
    let start = std::time::Instant::now();
    for text in hostile(LENGTH) {
        for size in [text.len(), 4] {
            let mut renderer = MarkdownRenderer::new(screen);
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(size.min(rest.len()));
                renderer.push(piece);
                rest = after;
            }
            renderer.finish();
            // In quadratic time, a single one of these takes minutes.
            let beginning = &text[..20];
            assert!(start.elapsed().as_secs() < 60, "{beginning:?} in pieces of {size}");
        }
    }
}

#[test]
fn elements_within_elements_do_not_exhaust_the_stack() {
    for (open, close) in [("*a _b ", "_*"), ("[", "](x)"), ("~~*", "*~~")] {
        let text = open.repeat(20_000) + "x" + &close.repeat(20_000);
        assert!(render(WIDE, &text).contains('x'), "{open}");
    }
}
