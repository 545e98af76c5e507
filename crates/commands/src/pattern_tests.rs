use super::*;
use crate::found_commands::FoundCommands;

fn pattern(text: &str) -> CommandPattern {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn words(line: &str) -> Vec<String> {
    crate::plain(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn the_text_says_the_parts_and_the_parts_say_the_text() {
    let word = |text: &str| PatternPart::Word(text.to_owned());
    let one_of = |texts: &[&str]| PatternPart::OneOf(texts.iter().map(ToString::to_string).collect());
    let cases: Vec<(&str, Vec<PatternPart>)> = vec![
        ("ls", vec![word("ls")]),
        ("ls ...", vec![word("ls"), PatternPart::Rest]),
        ("git status ...", vec![word("git"), word("status"), PatternPart::Rest]),
        (
            "cargo test|check|build ...",
            vec![word("cargo"), one_of(&["test", "check", "build"]), PatternPart::Rest],
        ),
        ("cat *", vec![word("cat"), PatternPart::Any]),
        ("ls -* *", vec![word("ls"), PatternPart::AnyOption, PatternPart::Any]),
        ("echo '*' '...' '-*'", vec![word("echo"), word("*"), word("..."), word("-*")]),
        ("echo 'a b' 'a|b' ''", vec![word("echo"), word("a b"), word("a|b"), word("")]),
        ("echo 'it'\\''s'", vec![word("echo"), word("it's")]),
        ("echo 'a b'|'' c|'|'", vec![word("echo"), one_of(&["a b", ""]), one_of(&["c", "|"])]),
        ("echo '\\' '~' '$x'", vec![word("echo"), word("\\"), word("~"), word("$x")]),
        ("cat 'über'", vec![word("cat"), word("über")]),
        ("./check.sh --all=1 a:b,c@d+e%", vec![word("./check.sh"), word("--all=1"), word("a:b,c@d+e%")]),
        ("* --force ...", vec![PatternPart::Any, word("--force"), PatternPart::Rest]),
    ];
    for (text, parts) in cases {
        let read = pattern(text);
        assert_eq!(read.parts(), parts, "{text}");
        assert_eq!(read.to_string(), text);
        assert_eq!(CommandPattern::new(&parts).unwrap(), read, "{text}");
        assert_eq!(serde_json::to_value(&read).unwrap(), text);
        assert_eq!(serde_json::from_value::<CommandPattern>(text.into()).unwrap(), read);
    }
}

#[test]
fn texts_that_say_nothing_clear_are_refused() {
    use PatternError::*;
    let cases = [
        ("", Empty),
        ("   ", Empty),
        ("...", RestNotLast),
        ("ls ... a", RestNotLast),
        ("ls ... ...", RestNotLast),
        ("ls a|", EmptyAlternative("a|".into())),
        ("ls |a", EmptyAlternative("|a".into())),
        ("ls a||b", EmptyAlternative("a||b".into())),
        ("ls *.rs", Mixed("*.rs".into())),
        ("ls a|*", Mixed("*".into())),
        ("ls a|...", Mixed("...".into())),
        ("ls --x=*", Mixed("--x=*".into())),
        ("ls 'a", Unbalanced),
        ("ls a\\", Unbalanced),
        ("ls\ta", Unreadable),
        ("ls 'a\nb'", Unreadable),
        ("ls a\u{202e}b", Unreadable),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<CommandPattern>(), Err(expected), "{text:?}");
    }
    for parts in [
        vec![],
        vec![PatternPart::Rest],
        vec![PatternPart::OneOf(vec![])],
        vec![PatternPart::OneOf(vec!["a".into()])],
        vec![PatternPart::Rest, PatternPart::Word("a".into())],
        vec![PatternPart::Word("a\nb".into())],
    ] {
        assert!(CommandPattern::new(&parts).is_err(), "{parts:?}");
    }
}

#[test]
fn arguments_fit_by_their_words_and_their_number() {
    let cases = [
        ("ls", "ls", true),
        ("ls", "ls a", false),
        ("ls ...", "ls", true),
        ("ls ...", "ls -l a b", true),
        ("ls ...", "lsx", false),
        ("ls ...", "/bin/ls", false),
        ("ls ...", "./ls a", false),
        ("ls ...", "LS", false),
        ("/bin/ls ...", "ls", false),
        ("./ls ...", "/bin/ls", false),
        ("./x.sh", "./x.sh", true),
        ("./x.sh", "x.sh", false),
        ("cat *", "cat a", true),
        ("cat *", "cat", false),
        ("cat *", "cat a b", false),
        ("cat *", "cat -n", false),
        ("cat *", "cat -", false),
        ("cat * ...", "cat -n a", false),
        ("ls -*", "ls -l", true),
        ("ls -*", "ls a", false),
        ("git log|show ...", "git show HEAD", true),
        ("git log|show ...", "git push", false),
        ("git log|show ...", "git 'log|show'", false),
        ("git log ...", "git -c a=b log", false),
        ("echo '*'", "echo '*'", true),
        ("echo '*'", "echo a", false),
        ("echo '...'", "echo a b", false),
        ("echo ''", "echo ''", true),
        ("echo ''", "echo", false),
    ];
    for (text, line, fits) in cases {
        assert_eq!(pattern(text).fit(&words(line)).is_some(), fits, "{text} and {line}");
    }
    assert_eq!(
        pattern("git log * -* ...").fit(&words("git log a -b c")),
        Some(vec![false, false, true, true, true])
    );
}

#[test]
fn what_is_not_known_may_fit() {
    let cases = [
        ("rm ...", "rm $x", true),
        ("rm -rf ...", "rm $x", true),
        ("rm -rf a", "rm $x", true),
        ("rm -rf a", "rm $x a", true),
        ("rm -rf a", "rm -rf a $x", true),
        ("rm -rf a", "rm -r $x b", false),
        ("rm -rf", "rm *", true),
        ("rm -rf", "rm -*", true),
        ("rm -rf ...", "rm *.log", false),
        ("rm -rf a b", "rm -rf ? c", false),
        ("rm -rf a b", "rm -rf ?", true),
        ("rm * ...", "rm *.log", true),
        ("rm -rf a", "rm *f $x", true),
        ("rm", "rm a", false),
        ("rm ...", "/bin/rm a", true),
        ("rm ...", "RM a", true),
        ("rm ...", "rmdir a", false),
        ("rm ...", "arm a", false),
        ("rm ...", "$x a", false),
        ("/bin/rm ...", "rm a", false),
        ("/bin/rm ...", "/bin/rm a", true),
        ("rm|dd ...", "d? a", true),
        ("rm ...", "[a-z]m a", true),
        ("rm ...", "?? a", true),
        ("rm ...", "r*x a", false),
        ("rm ...", "*** a", true),
        ("* --force ...", "git --force a", true),
        ("* --force ...", "git push", false),
    ];
    for (text, line, fits) in cases {
        let found = FoundCommands::in_line(line);
        assert_eq!(pattern(text).may_fit(&found.commands[0]), fits, "{text} and {line}");
    }
}
