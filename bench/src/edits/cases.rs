//! Single edits and patches, each with the intended result.

use edits::patch::{FileChange, apply_hunks, parse};

use super::outcome::{EditCounts, edited};

const FUNCTION: &str = "function test() {\n  return true;\n}\n";
const NESTED: &str = "{\n  \"n\": {\n    \"p\": 1\n  }\n}\n";
const BLOCK: &str = "if (a) {\n  one();\n  two();\n  if (b) {\n    three();\n  }\n}\n";

/// The file, the old text, the new text, and the intended result.
const EDITS: &[[&str; 4]] = &[
    ["if [ -f x ]; then\n", "if   [ -f x ]; then", "if [ -f y ]; then", "if [ -f y ]; then\n"],
    ["if [ -f x ]; then\n", "if[-f x];then", "if[-f y];then", "if [ -f y ]; then\n"],
    ["echo    \"abc\"\n", "echo \"abc\"", "echo \"bcd\"", "echo    \"bcd\"\n"],
    ["def f(a, b):\n", "def f(a,b):", "def f(a, b, c):", "def f(a, b, c):\n"],
    ["call( alpha, beta )\n", "call(alpha,beta)", "call(alpha)", "call( alpha )\n"],
    ["alpha==beta\n", "alpha == beta", "alpha != beta", "alpha!=beta\n"],
    ["return\"text\"\n", "return \"text\"", "return value", "return value\n"],
    ["say(\"a  b\", one)\n", "say(\"a b\",one)", "say(\"a b\",two)", "say(\"a  b\", two)\n"],
    [
        "\u{201c}a  b\u{201d}, said Ann\n",
        "\"a b\", said Ann",
        "\"a b\", said Bea",
        "\u{201c}a  b\u{201d}, said Bea\n",
    ],
    [
        FUNCTION,
        "function test(){return true;}",
        "function test(){return false;}",
        "function test() {\n  return false;\n}\n",
    ],
    [
        FUNCTION,
        "function test(){return true;}",
        "function test() { return false; }",
        "function test() {\n  return false;\n}\n",
    ],
    [NESTED, "{\"n\":{\"p\":1}}", "{\"n\":{\"p\":2}}", "{\n  \"n\": {\n    \"p\": 2\n  }\n}\n"],
    [
        BLOCK,
        "if(a){one();two();if(b){three();}}",
        "if(a){one();two();if(c){three();}}",
        "if (a) {\n  one();\n  two();\n  if (c) {\n    three();\n  }\n}\n",
    ],
    ["foo();\nbar();\n", "\nfoo();\nbar();", "foo();\nbaz();", "foo();\nbaz();\n"],
    ["one( );\r\n  two( a );\r\n", "one();\ntwo(a);", "one();\ntwo(b);", "one( );\r\n  two( b );\r\n"],
];

/// The file, the lines of the hunk, and the intended result.
const HUNKS: &[[&str; 3]] = &[
    ["same\r\nsame\n", "-same\n same\n", "same\n"],
    ["same\r\nsame\n", " same\n-same\n", "same\r\n"],
    ["same  \nsame\n", "-same\n same\n", "same\n"],
    ["a\n\nb\n", " a\n\n-b\n+c\n", "a\n\nc\n"],
    ["say( one );\nsay( two );\n", " say(one);\n-say(two);\n+say(six);\n", "say( one );\nsay( six );\n"],
    ["one\ntwo\n", "-one\n+1\n\n", "1\ntwo\n"],
];

/// The possible lines before and after the hunk in a patch.
const FRAMES: &[[&str; 2]] = &[
    ["*** Begin Patch\n*** Update File: x\n@@\n", "*** End Patch\n"],
    ["  *** Begin Patch\n  *** Update File: x\n@@\n", " *** End Patch\n"],
    ["*** Begin Patch\n\n *** Update File: x\n@@\n", "*** End of File\n\n*** End Patch"],
    ["--- a/x\n+++ b/x\n@@ ... @@\n", ""],
];

pub fn edits() -> EditCounts {
    let mut tally = EditCounts::default();
    for [content, old, new, meant] in EDITS {
        tally.take(edited(content, old, new).as_deref(), meant);
    }
    tally
}

pub fn patches() -> EditCounts {
    let mut tally = EditCounts::default();
    for [content, lines, meant] in HUNKS {
        for [above, below] in FRAMES {
            // The end-of-file mark is valid only if the hunk reaches the end of the file.
            if below.contains("End of File") && content.lines().count() > hunk_length(lines) {
                continue;
            }
            tally.take(patched(content, &format!("{above}{lines}{below}")).as_deref(), meant);
        }
    }
    tally
}

/// Returns the number of lines of the file that a hunk covers.
fn hunk_length(lines: &str) -> usize {
    lines.lines().filter(|line| !line.starts_with('+')).count()
}

fn patched(content: &str, patch: &str) -> Option<String> {
    match parse(patch).ok()?.as_slice() {
        [FileChange::Update { hunks, .. }] => apply_hunks(content, hunks).ok().map(|(text, _)| text),
        _ => None,
    }
}
