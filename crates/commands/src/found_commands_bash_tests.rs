//! Checks that every command that a real bash runs is found.
//!
//! The lines are made of harmless characters, as in `bash_tests.rs`. Loops are left out, and functions cannot call
//! themselves.

use crate::bash_tests::{EmptyFolder, WITHOUT_BUILTINS, run};
use crate::generated::Dice;
use crate::{CommandPattern, FoundCommands};

const LINES: usize = 2_000;

/// Makes bash trace the commands that it runs, including those in substitutions.
const TRACES: &str =
    "ulimit -t 5\nzz() { printf ''; }\nreadonly -f zz\nreadonly FUNCNEST=3 PS4='+ '\nset -x\n";

const PIECES: &[&str] = &[
    "zz",
    "zz",
    "zz",
    " zz ",
    "; zz",
    "\nzz",
    "a",
    "b",
    " ",
    " ",
    " ",
    ";",
    "&&",
    "||",
    "|",
    "\n",
    "\r",
    "(",
    ")",
    "{ ",
    "; }",
    "!",
    "$(",
    ")",
    "\"$(",
    ")\"",
    "`",
    "\"",
    "'",
    "\\",
    "\\\n",
    "\\\"",
    "\\'",
    "#",
    " #",
    "$x",
    "${x:-",
    "${x#",
    "${x[",
    "${x:=",
    "<(",
    "${x}",
    "}",
    "$IFS",
    "x=",
    "x=zz;",
    "$'",
    "$\"",
    "<<E\n",
    "<<'E'\n",
    "<<-E\n",
    "\nE\n",
    "E",
    "<<<",
    "case a in a) ",
    "case a in (b) ",
    ";; ",
    " esac",
    "if ",
    "then ",
    "; fi",
    "else ",
    "$((",
    "))",
    "1<<2",
    "[[ ",
    " ]]",
    "*",
    "?",
    "[a]",
    "=",
    "2",
    "&",
    "eval ",
    "~",
    "command ",
    "builtin ",
    "exec ",
    "time ",
    "z",
    "z\\\nz",
    "z''z",
    "\"zz\"",
    "$'zz'",
    "$'\\x7a'z",
];

fn runs_zz(folder: &EmptyFolder, line: &str) -> bool {
    let builtins =
        WITHOUT_BUILTINS.replace(" command ", " ").replace(" builtin ", " ").replace(" exec ", " ");
    let (_, said) = run(folder, "C.UTF-8", &format!("{TRACES}{builtins}{line}"), b"");
    said.lines().any(|line| {
        let traced = line.trim_start_matches('+');
        traced.len() < line.len() && traced.trim_start().split(' ').next() == Some("zz")
    })
}

#[test]
fn what_bash_runs_is_found() {
    let folder = EmptyFolder::new("found");
    let rule: CommandPattern = "zz ...".parse().unwrap();
    let mut dice = Dice::new(7);
    let (mut found, mut run) = (0, 0);
    for _ in 0..LINES {
        let line = dice.line(PIECES, 9);
        let is_found = FoundCommands::in_line(&line).commands.iter().any(|command| rule.may_fit(command));
        let is_run = runs_zz(&folder, &line);
        assert!(is_found || !is_run, "{line:?}");
        found += usize::from(is_found);
        run += usize::from(is_run);
    }
    println!("of {LINES} lines {run} run it, and {found} are found to");
    assert!(run > LINES / 50 && found < LINES / 2, "{run} and {found}");
}
