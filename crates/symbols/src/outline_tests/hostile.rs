//! Tests with hostile and generated texts: the outline is bounded and its lines exist in the text.

use crate::outline::{MOST_DEFINITIONS, MOST_REFERENCES};
use crate::{Language, SourceOutline, enclosing, outline};

pub const LANGUAGES: [Language; 11] = [
    Language::Rust,
    Language::Python,
    Language::TypeScript,
    Language::Tsx,
    Language::JavaScript,
    Language::Go,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::Bash,
    Language::Text,
];

fn check(language: Language, name: &str, text: &str) -> SourceOutline {
    let outline = outline(language, text);
    let lines = u32::try_from(text.split('\n').count()).unwrap();
    assert!(outline.definitions.len() <= MOST_DEFINITIONS, "{language:?}, {name}");
    assert!(outline.references.len() <= MOST_REFERENCES, "{language:?}, {name}");
    for one in &outline.definitions {
        let (first, last) = one.lines;
        assert!(1 <= first && first <= last && last <= lines, "{language:?}, {name}: {one:?}");
        // The name may be appended to a truncated signature.
        assert!(one.signature.chars().count() <= 310, "{language:?}, {name}: {one:?}");
        assert!(!one.signature.contains(char::is_control), "{language:?}, {name}: {one:?}");
        assert!(!one.name.is_empty() && one.name.len() <= 103, "{language:?}, {name}: {one:?}");
    }
    assert!(outline.definitions.is_sorted_by_key(|one| one.lines.0), "{language:?}, {name}");
    assert!(outline.references.is_sorted_by(|one, other| one.name < other.name), "{language:?}, {name}");
    for one in &outline.references {
        assert!(1 <= one.line && one.line <= lines && one.count > 0, "{language:?}, {name}: {one:?}");
    }
    outline
}

/// A deterministic random number generator for cutting, repeating and mixing code.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }
}

const PIECES: [&str; 64] = [
    "fn ",
    "def ",
    "class ",
    "struct ",
    "impl ",
    "func ",
    "function ",
    "interface ",
    "enum ",
    "type ",
    "const ",
    "let ",
    "namespace ",
    "template<",
    "export default ",
    "import ",
    "<<EOF\n",
    "EOF\n",
    "<<-'A B'\n",
    "$((",
    "))",
    "${",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "/>",
    "</a>",
    "<a ",
    "=",
    "=>",
    "->",
    "::",
    ":",
    ";",
    ",",
    ".",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "r#\"",
    "\"#",
    "R\"x(",
    ")x\"",
    "f\"{",
    "/*",
    "*/",
    "//",
    "#",
    "#if X\n",
    "#endif\n",
    "\n",
    "\n    ",
    "\\\n",
    "name",
    "Ünïcode_名",
    "\u{0}",
    "\u{202e}",
];

#[test]
fn mixed_pieces_of_code_are_survived() {
    let mut dice = Dice(11);
    for round in 0..400 {
        let mut text = String::new();
        for _ in 0..dice.below(300) {
            text.push_str(PIECES[dice.below(PIECES.len())]);
        }
        let language = LANGUAGES[round % LANGUAGES.len()];
        check(language, "pieces", &text);
        let line = u32::try_from(dice.below(40)).unwrap();
        if let Some((first, last)) = enclosing(language, &text, line) {
            assert!(first <= line && line <= last, "{language:?}: {line} is not in {first}-{last}");
        }
    }
}

#[test]
fn noise_is_survived() {
    let mut dice = Dice(5);
    for round in 0..66 {
        let bytes: Vec<u8> = (0..dice.below(4_000)).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
        // Invalid UTF-8 becomes replacement characters; zero bytes come after the part that is checked for them.
        let text = format!("{}{}", "\n".repeat(9_000), String::from_utf8_lossy(&bytes));
        check(LANGUAGES[round % LANGUAGES.len()], "noise", &text);
    }
}

#[test]
fn depth_is_survived() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("<a>", "</a>"),
        ("if (x) ", ";"),
        ("class A { ", "}"),
        ("fn f() { ", "}"),
        ("function f() { ", "}"),
        ("namespace a { ", "}"),
        ("$(", ")"),
        ("!", ""),
        ("a.", "b"),
        ("x = ", "1"),
        ("/*", "*/"),
        ("f(f\"{", "}\")"),
    ] {
        // A longer line would make the text count as minified.
        let deep = 500;
        let text = format!("{}\n{}\n", open.repeat(deep), close.repeat(deep));
        let half = open.repeat(deep);
        for language in LANGUAGES {
            check(language, open, &text);
            check(language, open, &half);
        }
    }
    let stairs: Vec<String> = (0..600).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect();
    check(Language::Python, "stairs", &stairs.concat());
    let deepest = format!("{}{}", "fn f() {\n".repeat(2_000), "}\n".repeat(2_000));
    let outline = check(Language::Rust, "deepest", &deepest);
    assert_eq!(outline.definitions.len(), 2_000);
    assert_eq!(outline.definitions[1].lines, (2, 3_999));
}

/// Each text opens many constructs that never end, so a parser that searches for the end each time reads the text once
/// per line.
#[test]
fn what_never_ends_is_given_up() {
    for start in
        ["r#\"", "\"", "'", "`", "/*", "R\"x(", "f\"{", "<<A\n", "${", "\"\"\"", "<", "#if 1", "a ? ", "@"]
    {
        let text = format!("{start} name\n").repeat(1_500);
        for language in LANGUAGES {
            check(language, start, &text);
        }
    }
}

/// A grammar that scans these texts to the end takes memory quadratic in the number of lines, or reads partial
/// characters.
#[test]
fn errors_without_end_are_given_up() {
    for (language, line) in [
        (Language::Python, "/*\n"),
        (Language::Python, "*\n/\n"),
        (Language::TypeScript, "template<->*/\n"),
        (Language::Go, "R\"x( name\n"),
        (Language::Java, "template<\n"),
        (Language::Rust, "))/*\n"),
        (Language::Bash, ";\u{202e}\n"),
    ] {
        let text = format!("class Whole(Base):\n    pass\n{}", line.repeat(20_000));
        let outline = check(language, line, &text);
        assert!(outline.definitions.iter().any(|one| &*one.name == "Whole"), "{language:?}: {line:?}");
    }
}

#[test]
fn what_a_program_made_is_left_out() {
    let minified = "function a(b,c){return b.d(c)};var e=a(1,2);".repeat(120_000);
    assert!(minified.len() > 5 << 20);
    for language in LANGUAGES {
        assert_eq!(check(language, "minified", &minified), SourceOutline::default(), "{language:?}");
    }
}

#[test]
fn what_is_too_large_is_read_by_its_lines() {
    let text = "pub fn apply_all(edits: &[Edit]) {\n    run_each(edits);\n}\n".repeat(30_000);
    assert!(text.len() > 1 << 20);
    let outline = check(Language::Rust, "large", &text);
    assert_eq!(outline.definitions.len(), MOST_DEFINITIONS);
    assert_eq!(outline.definitions[1].lines, (4, 6));
    assert_eq!(&*outline.definitions[1].signature, "pub fn apply_all(edits: &[Edit])");
    assert!(outline.references.iter().any(|one| &*one.name == "run_each" && one.count == 30_000));
}

#[test]
fn names_that_are_too_many_are_cut() {
    let calls: Vec<String> =
        (0..20_000).map(|number| format!("call_{number}();\nfn f{number}() {{}}\n")).collect();
    let outline = check(Language::Rust, "many", &calls.concat());
    assert_eq!(outline.definitions.len(), MOST_DEFINITIONS);
    assert_eq!(outline.references.len(), MOST_REFERENCES);
}
