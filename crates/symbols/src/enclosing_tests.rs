use super::*;

const RUST: &str = "\
//! A module.

use std::fmt;

/// A shop.
/// It sells.
#[derive(Debug)]
pub struct Shop {
    open: bool,
}

impl Shop {
    /// Opens it.
    #[must_use]
    pub fn open(&self) -> bool {
        let door = || {
            true
        };
        door()
    }

    pub fn close(&self) {}
}
static LIMIT: u32 = 3;
";

#[test]
fn the_smallest_definition_around_a_line() {
    let cases = [
        (0, None),
        (1, None),
        (3, None),
        (4, None),
        (5, Some((5, 10))),
        (7, Some((5, 10))),
        (9, Some((5, 10))),
        (11, None),
        (12, Some((12, 23))),
        (13, Some((13, 20))),
        (17, Some((13, 20))),
        (20, Some((13, 20))),
        (21, Some((12, 23))),
        (22, Some((22, 22))),
        (23, Some((12, 23))),
        // A static does not count as an enclosing definition.
        (24, None),
        (25, None),
        (u32::MAX, None),
    ];
    for (line, expected) in cases {
        assert_eq!(enclosing(Language::Rust, RUST, line), expected, "line {line}");
    }
}

#[test]
fn other_languages_have_other_leading_lines() {
    let python = "import os\n\n# Said.\n@cached\n@other(1)\ndef run():\n    pass\n";
    assert_eq!(enclosing(Language::Python, python, 4), Some((3, 7)));
    assert_eq!(enclosing(Language::Python, python, 7), Some((3, 7)));
    let java = "class A {\n  /**\n   * Said.\n   */\n  @Override\n  void run() {\n  }\n}\n";
    assert_eq!(enclosing(Language::Java, java, 6), Some((2, 7)));
    let bash = "#!/bin/sh\n# Says it.\nsay() {\n  echo\n}\n";
    assert_eq!(enclosing(Language::Bash, bash, 4), Some((2, 5)));
    let c = "#include <a.h>\n// Runs.\nint run(void)\n{\n}\n";
    assert_eq!(enclosing(Language::C, c, 5), Some((2, 5)));
    let ruby = "class Shop\n  def open\n    true\n  end\nend\n";
    assert_eq!(enclosing(Language::Text, ruby, 3), Some((2, 5)));
}

#[test]
fn nothing_stands_around_nothing() {
    for language in [Language::Rust, Language::Python, Language::Text] {
        assert_eq!(enclosing(language, "", 1), None);
        assert_eq!(enclosing(language, "\n\n\n", 2), None);
        assert_eq!(enclosing(language, "some words\nmore words\n", 1), None);
    }
}
