//! Checks that a real bash reads every plain line into the same words as [`plain`].
//!
//! Bash runs only lines that were accepted as plain and that are built from harmless characters: no slashes and no
//! programs on the path, its builtins disabled, in restricted mode, in an empty folder and without an environment.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::generated::Dice;
use crate::{NotPlain, plain};

const BASH: &str = "/bin/bash";

/// Bash definitions that print each command instead of running it: the number of words, then the words. An unmatched
/// file pattern expands to nothing (`nullglob`) instead of being kept as text.
const PRINTS: &str = r#"
ulimit -t 20
shopt -s nullglob
command_not_found_handle() { printf '%s\0' "$#" "$@"; }
f() { printf '%s\0' "$(($# + 1))" f "$@"; }
"#;

/// Disables all builtins except those that print and those that the batch needs.
pub const WITHOUT_BUILTINS: &str = "enable -n . : [ alias bg bind break builtin caller cd command compgen complete compopt \
    continue declare dirs disown echo exec exit export false fc fg getopts hash help history jobs kill let local logout \
    mapfile popd pushd pwd readarray readonly return set shift shopt source suspend test times trap true type typeset \
    ulimit umask unalias unset wait enable\n";

pub struct EmptyFolder(PathBuf);

impl EmptyFolder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plain-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        let left = std::fs::read_dir(&self.0).unwrap().count();
        std::fs::remove_dir(&self.0).unwrap_or_else(|_| panic!("{left} files were written"));
    }
}

/// Runs a script in bash and returns its stdout and stderr.
pub fn run(folder: &EmptyFolder, locale: &str, script: &str, input: &[u8]) -> (String, String) {
    let mut child = Command::new(BASH)
        .args(["--restricted", "--noprofile", "--norc", "-c", script])
        .env_clear()
        .env("PATH", folder.0.join("none"))
        .env("LC_ALL", locale)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (printed, said) = (collect(child.stdout.take().unwrap()), collect(child.stderr.take().unwrap()));
    // Bash may exit before it has read all its input. The output shows that.
    let _ = stdin.write_all(input);
    drop(stdin);
    let texts = [printed, said].map(|receiver| receiver.recv_timeout(Duration::from_mins(1)));
    child.kill().unwrap();
    child.wait().unwrap();
    let [printed, said] = texts.map(|text| text.expect("bash took too long"));
    (printed, said)
}

/// Reads the pipe to its end on a separate thread.
fn collect(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        sender.send(String::from_utf8_lossy(&bytes).into_owned())
    });
    receiver
}

/// Returns the stdout of bash, split at NUL bytes.
fn bash(folder: &EmptyFolder, locale: &str, script: &str, input: &[u8]) -> Vec<String> {
    let (printed, _) = run(folder, locale, script, input);
    printed.split_terminator('\0').map(str::to_owned).collect()
}

/// Runs one line in its own bash process and returns the word counts and words of all commands that ran.
fn reading(folder: &EmptyFolder, locale: &str, line: &str) -> Vec<String> {
    bash(folder, locale, &format!("{PRINTS}{WITHOUT_BUILTINS}{line}"), b"")
}

/// Like [`reading`], for many lines in one process. Each line begins with `f`.
fn readings(folder: &EmptyFolder, lines: &[String]) -> Vec<Vec<String>> {
    let script = format!(
        "{PRINTS}{WITHOUT_BUILTINS}while IFS= read -r -d '' line; do eval \"$line\"; printf '\\1\\0'; done"
    );
    let input: Vec<u8> = lines.iter().flat_map(|line| line.bytes().chain([0])).collect();
    let printed = bash(folder, "C.UTF-8", &script, &input);
    printed.split_inclusive(|word| word == "\u{1}").map(|words| words[..words.len() - 1].to_vec()).collect()
}

fn framed(words: &[String]) -> Vec<String> {
    std::iter::once(words.len().to_string()).chain(words.iter().cloned()).collect()
}

fn check_all(folder: &EmptyFolder, lines: impl Iterator<Item = String>) -> (usize, usize) {
    let mut tried = 0;
    let plain_ones: Vec<(String, Vec<String>)> = lines
        .inspect(|_| tried += 1)
        .filter_map(|line| plain(&line).ok().map(|words| (line, words)))
        .collect();
    for some in plain_ones.chunks(20_000) {
        let lines: Vec<String> = some.iter().map(|(line, _)| line.clone()).collect();
        let read = readings(folder, &lines);
        assert_eq!(read.len(), lines.len(), "bash stopped at {:?}", lines.get(read.len()));
        for ((line, words), read) in some.iter().zip(read) {
            assert_eq!(read, framed(words), "{line:?}");
        }
    }
    (tried, plain_ones.len())
}

/// All special characters, with a letter, a digit and the characters that may join them.
const CHARACTERS: &str = "a0 '\"\\$`~=:#!{},.*[]?@^-+%()<>|&;_é";
/// Characters that have a special meaning only in combination.
const TOGETHER: &str = "a1 '\"\\~=:#!{},.@^-";

/// All texts of `length` characters.
fn texts(characters: &str, length: usize) -> impl Iterator<Item = String> {
    let characters: Vec<char> = characters.chars().collect();
    (0..characters.len().pow(u32::try_from(length).unwrap())).map(move |mut number| {
        let mut text = String::new();
        for _ in 0..length {
            text.push(characters[number % characters.len()]);
            number /= characters.len();
        }
        text
    })
}

#[test]
fn every_short_line_that_is_plain_is_read_so_by_bash() {
    let folder = EmptyFolder::new("short");
    let lines = (0..=3).flat_map(|length| texts(CHARACTERS, length)).chain(texts(TOGETHER, 4));
    let (tried, plain) = check_all(&folder, lines.map(|text| format!("f {text}")));
    println!("{plain} of {tried} are plain");
    assert!(tried > 140_000 && plain > 30_000, "{plain} of {tried}");
}

const PIECES: &[&str] = &[
    "a",
    "b2",
    "Z",
    "-",
    "--long",
    "=",
    "==",
    ".",
    "..",
    ",",
    ":",
    "::",
    "+",
    "@",
    "%",
    "^",
    "~",
    "HEAD~2",
    "#",
    "!",
    "!!",
    "{}",
    "{1}",
    "@{u}",
    "{a,b}",
    "{1..3}",
    "[a]",
    "*",
    "?",
    "$x",
    "$(f)",
    "${x}",
    "`f`",
    "\\ ",
    "\\\\",
    "\\*",
    "\\$",
    "\\'",
    "\\\"",
    "\\~",
    "\\#",
    "'",
    "''",
    "'a b'",
    "'$x'",
    "'*'",
    "'\\'",
    "'\"'",
    "\"",
    "\"\"",
    "\"a b\"",
    "\"\\$x\"",
    "\"\\a\"",
    "\"'\"",
    "\"!\"",
    "\"~\"",
    "\"{a,b}\"",
    "'{a,b}'",
    "'é'",
    "\"日本\"",
    " ",
    " ",
    " ",
    " ",
    "  ",
    " \\",
    "if",
    "do",
    "in",
    "(",
    ")",
    "<",
    ">",
    "|",
    "&",
    ";",
    "=~",
    ":~",
    "a=",
    "b=c",
    "f",
];

#[test]
fn generated_lines_that_are_plain_are_read_so_by_bash() {
    let folder = EmptyFolder::new("generated");
    let mut dice = Dice::new(1);
    let (tried, plain) = check_all(&folder, (0..60_000).map(|_| format!("f {}", dice.line(PIECES, 9))));
    println!("{plain} of {tried} are plain");
    assert!(plain > 5_000, "{plain} of {tried}");
}

/// Runs each line in its own process and with any command name, as in production.
#[test]
fn generated_lines_with_any_name_are_read_so_by_a_bash_of_their_own() {
    let folder = EmptyFolder::new("own");
    let mut dice = Dice::new(2);
    let mut names = PIECES.to_vec();
    names.extend(["cmd", "x.y", "a-b", "_z", "cmd", "x1", "g++", "tool"]);
    let lines = (0..30_000).map(|_| format!("{} {}", dice.line(&names, 1), dice.line(PIECES, 7)));
    let mut plain_ones = 0;
    for (number, line) in lines.enumerate() {
        let Ok(words) = plain(&line) else { continue };
        // `f` is a shell function in these scripts.
        let locale = if number % 2 == 0 { "C" } else { "C.UTF-8" };
        assert_eq!(reading(&folder, locale, &line), framed(&words), "{line:?}");
        plain_ones += 1;
    }
    println!("{plain_ones} of 30000 are plain");
    assert!(plain_ones > 1_000, "{plain_ones}");
}

#[test]
fn lines_as_people_write_them_are_read_so_by_a_bash_of_their_own() {
    let folder = EmptyFolder::new("table");
    let lines = [
        "tool",
        "  tool   a  b  ",
        "tool status --short",
        "tool test -p store -- --nocapture",
        "tool commit -m 'a message, with \"quotes\" in it'",
        "tool commit -m \"it's done\"",
        "tool -e 's,a,b,' file",
        "tool show HEAD~1 HEAD^ HEAD^^2 main~2..main @{u} stash@{0}",
        "tool . ! -name '*.rs' -o -name \\*.toml",
        "tool --format='%h %s' --color=always",
        "tool --max=10 -n5 a:b a,b a+b a@b 50%",
        "tool 'über' \"naïve\" '日本'",
        "tool issue#3 a#b",
        "tool '' \"\" ''\"\"",
        "tool a'b'\"c\"\\d",
        "tool \"\\$HOME \\`x\\` \\\\ \\n \\\"\"",
        "tool '$HOME `x` $(y) \\ '",
        "tool \\$HOME \\~ \\; \\& \\| \\> \\( \\{a,b\\}",
        "tool if then do for time in function coproc",
        "tool {} -x={} a{b}c",
        "tool key=value key=a,b --set=key=value",
        "tool '~' \"~\" a~ x~y",
        "tool \\!x !x !!",
    ];
    for line in lines {
        let words = plain(line).unwrap_or_else(|not_plain| panic!("{line:?}: {not_plain}"));
        for locale in ["C", "C.UTF-8"] {
            assert_eq!(reading(&folder, locale, line), framed(&words), "{line:?}");
        }
    }
}

/// Control cases: the tests above would fail if one of these were accepted as plain.
#[test]
fn what_bash_reads_otherwise_is_seen_to_be_read_otherwise() {
    let folder = EmptyFolder::new("control");
    let cases = [
        ("tool a{b,c}", NotPlain::Brace),
        ("tool {1..3}", NotPlain::Brace),
        ("tool ~", NotPlain::Tilde),
        ("tool a=~", NotPlain::Tilde),
        ("tool a=b:~", NotPlain::Tilde),
        ("tool *", NotPlain::Glob),
        ("tool a?", NotPlain::Glob),
        ("tool [a]", NotPlain::Glob),
        ("tool $x", NotPlain::Variable),
        ("tool \"$x\"", NotPlain::Variable),
        ("tool $'a'", NotPlain::DollarQuote),
        ("tool $(tool)", NotPlain::CommandSubstitution),
        ("tool `tool`", NotPlain::CommandSubstitution),
        ("tool #a", NotPlain::Comment),
        ("tool a;tool b", NotPlain::Semicolon),
        ("tool a&&tool b", NotPlain::And),
        ("tool a\ntool b", NotPlain::Newline),
        ("tool a\\\nb", NotPlain::Newline),
        ("a=b tool", NotPlain::Assignment),
        ("a+=b tool", NotPlain::Assignment),
        ("! tool", NotPlain::Reserved),
        ("time tool", NotPlain::Reserved),
        ("{ tool; }", NotPlain::Reserved),
        ("if tool", NotPlain::Reserved),
        ("(tool)", NotPlain::Parenthesis),
        ("'tool' 'a", NotPlain::Name),
        ("tool 'a", NotPlain::Unbalanced),
    ];
    for (line, expected) in cases {
        assert_eq!(plain(line), Err(expected), "{line:?}");
        let naive: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
        assert_ne!(reading(&folder, "C.UTF-8", line), framed(&naive), "{line:?}");
    }
    assert_eq!(reading(&folder, "C.UTF-8", "tool a;f b"), ["2", "tool", "a", "2", "f", "b"]);
}
