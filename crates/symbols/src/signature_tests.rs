use super::*;
use crate::outline;

fn signature(language: Language, text: &str) -> String {
    outline(language, text).definitions.first().map(|one| one.signature.to_string()).unwrap_or_default()
}

#[test]
fn a_signature_is_one_short_line() {
    let many = (0..80).map(|number| format!("    argument_{number}: u32,\n")).collect::<Vec<_>>().concat();
    let long = format!("pub fn long(\n{many}) -> u32 {{ 1 }}\n");
    let shown = signature(Language::Rust, &long);
    assert!(shown.starts_with("pub fn long(argument_0: u32, argument_1: u32,"), "{shown}");
    assert!(shown.ends_with('…') && shown.chars().count() <= MOST_CHARS + 1, "{shown}");
    let wide = format!("def {}(a):\n    pass\n", "ä".repeat(49));
    assert_eq!(signature(Language::Python, &wide), format!("def {}(a)", "ä".repeat(49)));
}

#[test]
fn a_signature_has_what_stands_before_on_its_line() {
    let cases = [
        (
            Language::TypeScript,
            "export default async function run() {}",
            "export default async function run()",
        ),
        (Language::TypeScript, "export const one = 1,\n  two = 2;", "export const one = 1"),
        (Language::JavaScript, "if (a) { b() } function run() {}", "function run()"),
        (Language::Cpp, "template <class T> T run(T t) { return t; }", "template <class T> T run(T t)"),
        (Language::Java, "class A { void b() {} }", "class A"),
        (Language::Go, "type (\n\tA struct {\n\t\tB int\n\t}\n)", "A struct"),
        (Language::Python, "class A: pass", "class A"),
        (Language::Bash, "run () { true; }", "run ()"),
        (Language::C, "typedef struct point {\n  int x;\n} point_t;", "typedef struct point … point_t"),
        (
            Language::Rust,
            "pub const LINES: [&str; 2] = [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\",\n];",
            "pub const LINES: [&str; 2] = [",
        ),
    ];
    for (language, text, expected) in cases {
        assert_eq!(signature(language, text), expected, "{text}");
    }
}

#[test]
fn tests_are_told_from_functions() {
    let rust = "#[test]\nfn a() {}\n#[tokio::test(flavor = \"x\")]\n/// Said.\nasync fn b() {}\n#[cfg(test)]\nfn c() {}\n#[rstest]\n#[case(1)]\nfn d() {}\n\n#[test]\n\nfn e() {}\n";
    let go = "package a\nfunc TestA(t *testing.T) {}\nfunc Testament(t *testing.T) {}\nfunc TestB(x int) {}\nfunc BenchmarkA(b *testing.B) {}\n";
    let java = "class A {\n  @Test void a() {}\n  @org.junit.Test\n  public void b() {}\n  @Tested void c() {}\n  void d() {}\n}\n";
    let python = "def test_a(): pass\ndef testing(): pass\nclass TestB:\n    def test_c(self): pass\n";
    for (language, text, expected) in [
        (Language::Rust, rust, "a b d"),
        (Language::Go, go, "TestA BenchmarkA"),
        (Language::Java, java, "a b"),
        (Language::Python, python, "test_a test_c"),
    ] {
        let outline = outline(language, text);
        let tests = outline
            .definitions
            .iter()
            .filter(|one| one.kind == crate::SymbolKind::Test)
            .map(|one| &*one.name);
        assert_eq!(tests.collect::<Vec<_>>().join(" "), expected, "{language:?}");
    }
}

#[test]
fn a_text_is_brought_to_one_line() {
    for (text, most, expected) in [
        ("", 5, ""),
        (" \n\t ", 5, ""),
        ("a\n\n  b\tc", 9, "a b c"),
        ("one two", 7, "one two"),
        ("one two", 6, "one tw…"),
        ("one two", 4, "one…"),
        ("one two", 3, "one…"),
        ("äöü", 2, "äö…"),
        ("a\u{0}b\u{1b}[31m", 9, "a b [31m"),
    ] {
        assert_eq!(&*in_one_line(text, most), expected, "{text:?}, {most}");
    }
}
