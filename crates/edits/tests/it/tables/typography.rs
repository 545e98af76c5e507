//! Characters that look alike: unchanged parts keep those of the text.

use crate::case::{Case, Found, No, done, refused};

const U: Found = Found::Folded;

pub const CASES: &[Case] = &[
    // Quotes.
    done(
        "say(\u{201c}hi\u{201d}, a)\n",
        "say(\"hi\", a)",
        "say(\"hi\", b)",
        U,
        "say(\u{201c}hi\u{201d}, b)\n",
    ),
    done("it\u{2019}s here\n", "it's here", "it's gone", U, "it\u{2019}s gone\n"),
    done("it's here\n", "it\u{2019}s here", "it\u{2019}s gone", U, "it's gone\n"),
    done(
        "\u{201e}Ja\u{201c}, sagte er\n",
        "\"Ja\", sagte er",
        "\"Ja\", sagte sie",
        U,
        "\u{201e}Ja\u{201c}, sagte sie\n",
    ),
    done("\u{ab}oui\u{bb} dit-il\n", "\"oui\" dit-il", "\"oui\" dit-elle", U, "\u{ab}oui\u{bb} dit-elle\n"),
    done("say(\u{201c}hi\u{201d})\n", "say(\"hi\")", "say('hi')", U, "say('hi')\n"),
    done("a \u{2018}b\u{2019} c d\n", "a 'b' c d", "a 'b' c\nand d", U, "a \u{2018}b\u{2019} c\nand d\n"),
    // Dashes.
    done("2019\u{2013}2024 report\n", "2019-2024 report", "2019-2025 report", U, "2019\u{2013}2025 report\n"),
    done("well \u{2014} maybe\n", "well - maybe", "well - surely", U, "well \u{2014} surely\n"),
    done("x \u{2212} y = z\n", "x - y = z", "x - y = w", U, "x \u{2212} y = w\n"),
    done(
        "non\u{2011}breaking word\n",
        "non-breaking word",
        "non-breaking phrase",
        U,
        "non\u{2011}breaking phrase\n",
    ),
    // Ellipses and others.
    done("wait\u{2026} then go\n", "wait... then go", "wait... then stop", U, "wait\u{2026} then stop\n"),
    done("wait... then go\n", "wait\u{2026} then go", "wait\u{2026} then stop", U, "wait... then stop\n"),
    done("size 3\u{d7}4 cm\n", "size 3x4 cm", "size 3x5 cm", U, "size 3\u{d7}5 cm\n"),
    done("\u{fb01}nd the \u{fb02}ow\n", "find the flow", "find the glow", U, "\u{fb01}nd the glow\n"),
    // Part of a character cannot be kept.
    done("wait\u{2026} then\n", "wait... then", "wait.. then", U, "wait.. then\n"),
    done("of\u{fb01}ce hours\n", "office hours", "offhce hours", U, "offhce hours\n"),
    refused("the \u{fb01}sh market\n", "ish market", "ash market", No::NotFound),
    // Spaces of other widths, and invisible characters.
    done("x\u{a0}= total\n", "x = total", "x = sum", U, "x\u{a0}= sum\n"),
    done("10\u{202f}000 items\n", "10 000 items", "10 000 pieces", U, "10\u{202f}000 pieces\n"),
    done(
        "\u{3000}indented text\n",
        "  indented text",
        "  other text",
        Found::Indented,
        "\u{3000}other text\n",
    ),
    done("zero\u{200b}width here\n", "zerowidth here", "zerowidth there", U, "zero\u{200b}width there\n"),
    done("soft\u{ad}hyphen here\n", "softhyphen here", "softhyphen gone", U, "soft\u{ad}hyphen gone\n"),
    done("plain words here\n", "plain\u{a0}words here", "plain\u{a0}words there", U, "plain words there\n"),
    // Several indented lines with Windows line endings.
    done(
        "  \u{201c}a\u{201d}: 1,\r\n  \u{201c}b\u{201d}: 2\r\n",
        "\"a\": 1,\n\"b\": 2",
        "\"a\": 1,\n\"b\": 3",
        U,
        "  \u{201c}a\u{201d}: 1,\r\n  \u{201c}b\u{201d}: 3\r\n",
    ),
    done(
        "\u{201c}one\u{201d}\n\u{201c}two\u{201d}\n\u{201c}three\u{201d}\n",
        "\"one\"\n\"two\"\n\"three\"",
        "\"one\"\n\"2\"\n\"two\"\n\"three\"",
        U,
        "\u{201c}one\u{201d}\n\"2\"\n\u{201c}two\u{201d}\n\u{201c}three\u{201d}\n",
    ),
    done(
        "# Caf\u{e9} \u{2013} menu\n\nSoup\u{2026}\n",
        "# Caf\u{e9} - menu\n\nSoup...",
        "# Caf\u{e9} - menu\n\nSalad...",
        U,
        "# Caf\u{e9} \u{2013} menu\n\nSalad\u{2026}\n",
    ),
    // Accented letters are not typography.
    refused("caf\u{e9} noir\n", "cafe noir", "cafe blanc", No::NotFound),
    refused("na\u{ef}ve words\n", "naive words", "wise words", No::NotFound),
    // The quote has more than the text.
    refused("a \u{2013} b\n", "a - b = c\n", "x\n", No::NotFound),
    // Too short for a lenient match.
    refused("\u{201c}\u{201d}\n", "\"\"", "''", No::NotFound),
    refused("a\u{2019}s\n", "a's", "b's", No::NotFound),
    // A combining accent belongs to its letter.
    refused("x \u{2013} cafe\u{301}\n", "x - cafe", "x - bar", No::NotFound),
    // Two matches after normalization.
    refused("\u{201c}yes\u{201d} or \u{201e}yes\u{201d}\n", "\"yes\"", "\"no\"", No::Ambiguous),
];
