//! Checks properties that hold for every line, on many generated lines.

use crate::generated::Dice;
use crate::{
    CommandPattern, CommandWord, FoundCommands, PatternPart, RuleVerdict, ShellRule, ShellRules, decide,
    plain, suggest,
};

const PIECES: &[&str] = &[
    "ls",
    "git",
    "status",
    "diff",
    "log",
    "cargo",
    "test",
    "find",
    "sort",
    "sed",
    "-n",
    "1p",
    "rm",
    "sudo",
    "bash",
    "-c",
    "cat",
    "env",
    "xargs",
    "npm",
    "run",
    "make",
    "eval",
    "-exec",
    "--exec",
    "--ext-diff",
    "--output=a",
    "-o",
    "--config",
    "a=b",
    "::",
    "~",
    "~/x",
    "HEAD~1",
    "/bin/",
    "./",
    "..",
    "-",
    "--",
    "=",
    "#",
    "!",
    "{",
    "}",
    "{}",
    "{a,b}",
    "*",
    "?",
    "[",
    "]",
    "$",
    "$x",
    "${x:-",
    "$(",
    "`",
    "(",
    ")",
    "<",
    ">",
    "<<",
    "<<E",
    "<<<",
    "|",
    "&",
    "&&",
    ";",
    "\n",
    "\t",
    "\r",
    "\0",
    "\\",
    "'",
    "\"",
    "'a b'",
    "\"a b\"",
    "$'",
    "\\x72",
    "é",
    "日",
    "\u{202e}",
    "\u{a0}",
    "😀",
    " ",
    " ",
    " ",
    " ",
    " ",
    " ",
    " ",
    " ",
    " ",
    "if",
    "then",
    "for",
    "in",
    "do",
    "done",
    "case",
    "esac",
    "time",
    "function",
    "...",
    "%",
    "^",
    "@",
    "+",
    ",",
    ":",
];

fn allow(pattern: &str, example: &str) -> ShellRule {
    ShellRule {
        id: pattern.to_owned(),
        verdict: RuleVerdict::Allow,
        pattern: pattern.parse().unwrap(),
        root: None,
        matches: vec![example.to_owned()],
        misses: Vec::new(),
        note: String::new(),
    }
}

fn rules() -> ShellRules {
    let rules = ShellRules::load([
        allow("ls|cat|sort|find ...", "ls"),
        allow("git status|diff|log ...", "git log"),
        allow("cargo test ...", "cargo test"),
        allow("sed -n * ...", "sed -n 1p"),
        allow("npm run|test ...", "npm test"),
        allow("make ...", "make"),
    ]);
    assert!(rules.refused().is_empty(), "{:?}", rules.refused());
    rules
}

/// The parser for deny rules reads the line a second time: an allowed line must be exactly one command there as well,
/// with the same words, and must not carry another command.
#[test]
fn what_is_allowed_runs_that_one_command_and_nothing_else() {
    let (rules, mut dice, mut allowed, mut read) = (rules(), Dice::new(3), 0, 0);
    let begins = [
        "ls ",
        "git diff ",
        "git log ",
        "sort ",
        "find ",
        "cargo test ",
        "sed -n 1p ",
        "make ",
        "npm run ",
        "",
    ];
    for _ in 0..60_000 {
        let line = format!("{}{}", dice.pick(&begins), dice.line(PIECES, 9));
        let found = FoundCommands::in_line(&line);
        if let Ok(words) = plain(&line) {
            let expected: Vec<CommandWord> = words.into_iter().map(CommandWord::exact).collect();
            assert_eq!(found.commands.first().map(|command| &command.words), Some(&expected), "{line:?}");
            read += 1;
        }
        if decide(&rules, &line, "/", false).verdict == RuleVerdict::Allow {
            assert_eq!(found.commands.len(), 1, "{line:?}: {found:?}");
            assert_ne!(decide(&rules, &line, "/", true).verdict, RuleVerdict::Allow, "{line:?}");
            allowed += 1;
        }
    }
    assert!(read > 3_000 && allowed > 1_500, "{allowed} of {read}");
}

#[test]
fn whatever_is_added_to_an_allowed_line_by_an_operator_is_asked_about() {
    let (rules, mut dice) = (rules(), Dice::new(4));
    let adds = [
        "; x", "&& x", "|| x", "| x", "& x", "> x", "< x", "\nx", " $(x)", " `x`", " <(x)", " $x", " *",
        " # x", " ~",
    ];
    let mut tried = 0;
    for _ in 0..6_000 {
        let line = format!("ls {}", dice.line(PIECES, 5));
        if decide(&rules, &line, "/", false).verdict != RuleVerdict::Allow {
            continue;
        }
        tried += 1;
        for add in adds {
            let more = format!("{line}{add}");
            // A tilde or a hash may continue a word. A trailing backslash would escape the first added character.
            if !line.ends_with('\\') {
                assert_eq!(decide(&rules, &more, "/", false).verdict, RuleVerdict::Ask, "{more:?}");
            }
        }
        for before in [
            "sudo ", "A=b ", "env ", "x; ", "! ", "time ", "exec ", "command ", "(", "{ ", "\\", "./",
            "/bin/",
        ] {
            let more = format!("{before}{line}");
            assert_eq!(decide(&rules, &more, "/", false).verdict, RuleVerdict::Ask, "{more:?}");
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn any_parts_can_be_written_down_and_read_back() {
    let mut dice = Dice::new(5);
    let pieces =
        ["a", "|", "*", "...", "-*", "'", "\\", " ", "\"", "$", "é", "-", "", "''", "`", "~", "!", "{a,b}"];
    let mut written = 0;
    for _ in 0..50_000 {
        let length = 1 + dice.below(5);
        let mut parts: Vec<PatternPart> = (0..length)
            .map(|_| match dice.below(6) {
                0 => PatternPart::Any,
                1 => PatternPart::AnyOption,
                2 => PatternPart::OneOf((0..2 + dice.below(3)).map(|_| dice.line(&pieces, 3)).collect()),
                _ => PatternPart::Word(dice.line(&pieces, 3)),
            })
            .collect();
        parts.extend((dice.below(2) == 0).then_some(PatternPart::Rest));
        let pattern = CommandPattern::new(&parts).unwrap_or_else(|error| panic!("{parts:?}: {error}"));
        assert_eq!(pattern.to_string().parse::<CommandPattern>().unwrap().parts(), parts);
        written += 1;
    }
    assert_eq!(written, 50_000);
    for _ in 0..50_000 {
        let text = dice.line(PIECES, 6);
        if let Ok(pattern) = text.parse::<CommandPattern>() {
            assert_eq!(pattern.to_string().parse::<CommandPattern>(), Ok(pattern), "{text:?}");
        }
    }
}

#[test]
fn what_is_offered_for_any_line_allows_that_line_and_passes_its_own_check() {
    let (mut dice, mut offered) = (Dice::new(6), 0);
    for _ in 0..50_000 {
        let line = dice.line(PIECES, 9);
        let Some(rule) = suggest(&line) else { continue };
        assert_eq!(rule.check(), Ok(()), "{line:?}");
        let rules = ShellRules::load([rule]);
        assert_eq!(decide(&rules, &line, "/", false).verdict, RuleVerdict::Allow, "{line:?}");
        offered += 1;
    }
    assert!(offered > 500, "{offered}");
}
