//! Letter case, the last strategy: used only if no other finds a match and the quote is long enough.

use crate::case::{Case, Found, No, done, everywhere, refused};

const C: Found = Found::AnyCase;

pub const CASES: &[Case] = &[
    done("Hello World\n", "hello world", "goodbye world", C, "goodbye World\n"),
    done(
        "const MAX_SIZE = 10;\n",
        "const max_size = 10;",
        "const max_size = 20;",
        C,
        "const MAX_SIZE = 20;\n",
    ),
    done(
        "SELECT name FROM users;\n",
        "select name from users;",
        "select name, age from users;",
        C,
        "SELECT name, age FROM users;\n",
    ),
    done(
        "# Getting Started\n\ntext\n",
        "# Getting started\n\ntext",
        "# Getting started\n\nmore",
        C,
        "# Getting Started\n\nmore\n",
    ),
    done("let userId = 1;\n", "let userid = 1;", "let userid = 2;", C, "let userId = 2;\n"),
    done("    Return Value\n", "return value", "return nothing", C, "    Return nothing\n"),
    done(
        "  ONE line\n  TWO lines\n",
        "one line\ntwo lines",
        "one line\nthree lines",
        C,
        "  ONE line\n  three lines\n",
    ),
    done("\u{c9}COLE Normale\n", "\u{e9}cole normale", "\u{e9}cole primaire", C, "\u{c9}COLE primaire\n"),
    done(
        "\u{41f}\u{420}\u{418}\u{412}\u{415}\u{422} \u{41c}\u{418}\u{420}\n",
        "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442} \u{43c}\u{438}\u{440}",
        "\u{43f}\u{43e}\u{43a}\u{430} \u{43c}\u{438}\u{440}",
        C,
        "\u{43f}\u{43e}\u{43a}\u{430} \u{41c}\u{418}\u{420}\n",
    ),
    // A letter whose lower-case form has two characters.
    done(
        "\u{130}STANBUL rocks\n",
        "i\u{307}stanbul rocks",
        "i\u{307}stanbul rolls",
        C,
        "\u{130}STANBUL rolls\n",
    ),
    refused("\u{130}stanbul\n", "istanbul", "ankara", No::NotFound),
    refused("\u{130}STANBUL\n", "\u{307}stanbul", "ankara", No::NotFound),
    // A letter without a single upper-case form.
    refused("Stra\u{df}e heute\n", "STRASSE heute", "WEG heute", No::NotFound),
    // Together with typography, indentation and Windows line endings.
    done(
        "\t\u{201c}Quoted\u{201d} Text\r\n\tnext\r\n",
        "\"quoted\" text\nnext",
        "\"quoted\" text\nlast",
        C,
        "\t\u{201c}Quoted\u{201d} Text\r\n\tlast\r\n",
    ),
    // Other strategies take precedence.
    done("Value = 1\nvalue = 1\n", "value = 1", "value = 2", Found::Exactly, "Value = 1\nvalue = 2\n"),
    done(
        "VALUE  = 100\nvalue  = 100\n",
        "value = 100",
        "value = 200",
        Found::Blanks,
        "VALUE  = 100\nvalue  = 200\n",
    ),
    // Too short for this strategy.
    refused("ABCDE\n", "abcde", "x", No::NotFound),
    refused("If X\n", "if x", "if y", No::NotFound),
    // Matches do not split words.
    refused("MyHandlers\n", "handler", "listener", No::NotFound),
    // Two matches.
    refused("Hello World\nHELLO WORLD\n", "hello world", "bye", No::Ambiguous),
    everywhere(done(
        "Hello World\nHELLO WORLD\n",
        "hello world",
        "hello moon",
        C,
        "Hello moon\nHELLO moon\n",
    )),
    // Only the letter case changes.
    done("HTTPServer here\n", "HttpServer here", "HttpServer there", C, "HTTPServer there\n"),
];
