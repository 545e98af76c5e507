use super::*;
use crate::rule::RuleError;

fn rule(id: &str, verdict: RuleVerdict, pattern: &str, root: Option<&str>, example: &str) -> ShellRule {
    ShellRule {
        id: id.to_owned(),
        verdict,
        pattern: pattern.parse().unwrap(),
        root: root.map(str::to_owned),
        matches: vec![example.to_owned()],
        misses: Vec::new(),
        note: String::new(),
    }
}

fn rules() -> ShellRules {
    use RuleVerdict::{Allow, Ask, Deny};
    let rules = ShellRules::load([
        rule("ls", Allow, "ls ...", None, "ls"),
        rule("git", Allow, "git status|log|diff|push ...", None, "git log"),
        rule("find", Allow, "find ...", None, "find ."),
        rule("cargo", Allow, "cargo test|build ...", Some("/home/ada/moon"), "cargo test"),
        rule("ask-push", Ask, "git push ...", None, "git push"),
        rule("no-force", Deny, "git push --force ...", None, "git push --force"),
        rule("no-rm", Deny, "rm ...", None, "rm x"),
        rule("no-curl", Deny, "curl|wget ...", Some("/home/ada/moon"), "curl x"),
    ]);
    assert!(rules.refused().is_empty(), "{:?}", rules.refused());
    rules
}

#[test]
fn deny_goes_before_ask_and_ask_before_allow() {
    use RuleVerdict::{Allow, Ask, Deny};
    let cases = [
        ("ls", Allow, Some("ls"), "allows it"),
        ("ls -la 'a b'", Allow, Some("ls"), "`ls ...`"),
        ("git log -n 3", Allow, Some("git"), "allows it"),
        ("cargo test -p store", Allow, Some("cargo"), "allows it"),
        ("git push origin", Ask, Some("ask-push"), "wants you to be asked"),
        ("git push --force origin", Deny, Some("no-force"), "forbids that"),
        ("git -C x push --force", Deny, Some("no-force"), "git push --force"),
        ("rm x", Deny, Some("no-rm"), "It would run `rm x`, and your rule `rm ...` forbids that."),
        ("/bin/rm x", Deny, Some("no-rm"), "forbids"),
        ("ls; rm x", Deny, Some("no-rm"), "`rm x`"),
        ("ls $(rm x)", Deny, Some("no-rm"), "`rm x`"),
        ("sudo env nice rm x", Deny, Some("no-rm"), "`rm x`"),
        ("find . -exec rm {} +", Deny, Some("no-rm"), "`rm '{}'`"),
        ("bash -c 'ls | xargs rm'", Deny, Some("no-rm"), "forbids"),
        ("x=rm; $x y", Deny, Some("no-rm"), "forbids"),
        ("ls | git push", Ask, Some("ask-push"), "asked"),
        ("git push && rm x", Deny, Some("no-rm"), "forbids"),
        ("wget x", Deny, Some("no-curl"), "forbids"),
        ("ls | wc", Ask, None, "It has a pipe, so no rule can allow it."),
        ("ls > x", Ask, None, "It redirects"),
        ("ls\nls", Ask, None, "more than one line"),
        ("A=b ls", Ask, None, "sets a variable"),
        ("ls $x", Ask, None, "`$`"),
        ("", Ask, None, "It is empty"),
        ("pwd", Ask, None, "No rule says anything about it."),
        ("/bin/ls", Ask, None, "No rule"),
        ("./ls", Ask, None, "No rule"),
        ("LS", Ask, None, "No rule"),
        ("sudo ls", Ask, None, "`sudo` runs other programs"),
        ("bash x", Ask, None, "is a shell"),
        ("git evil", Ask, None, "`evil` is not one"),
        ("git -c a=b log", Ask, None, "`-c` is not one"),
        ("git diff --ext-diff", Ask, None, "Your rule `git status|log|diff|push ...` does not go so far"),
        ("find . -delete", Ask, None, "does not go so far: `-delete` can make `find` run another program"),
        ("cargo test --config a", Ask, None, "does not go so far"),
        ("cargo fmt", Ask, None, "No rule"),
        ("ls --exec wc", Ask, None, "`wc` would run as well"),
    ];
    let rules = rules();
    for (line, verdict, id, says) in cases {
        let CommandDecision { verdict: decided, rule, why } = decide(&rules, line, "/home/ada/moon", false);
        assert_eq!((decided, rule.as_deref()), (verdict, id), "{line}: {why}");
        assert!(why.contains(says) && why.ends_with('.'), "{line}: {why}");
    }
}

#[test]
fn a_rule_of_one_root_holds_there_only() {
    let rules = rules();
    for (line, root, verdict) in [
        ("cargo test", "/home/ada/moon", RuleVerdict::Allow),
        ("cargo test", "/home/ada/moon/", RuleVerdict::Allow),
        ("cargo test", "/work", RuleVerdict::Ask),
        ("cargo test", "/home/ada/moon/sub", RuleVerdict::Ask),
        ("cargo test", "", RuleVerdict::Ask),
        ("curl x", "/home/ada/moon", RuleVerdict::Deny),
        ("curl x", "/other", RuleVerdict::Ask),
        ("ls", "/other", RuleVerdict::Allow),
    ] {
        assert_eq!(decide(&rules, line, root, false).verdict, verdict, "{line} in {root}");
    }
}

#[test]
fn under_taint_nothing_is_allowed_and_what_was_denied_still_is() {
    let rules = rules();
    for (line, verdict, says) in [
        (
            "ls",
            RuleVerdict::Ask,
            "Your rule `ls ...` would allow it, but the conversation holds outside text",
        ),
        ("cargo test", RuleVerdict::Ask, "outside text"),
        ("rm x", RuleVerdict::Deny, "forbids"),
        ("git push", RuleVerdict::Ask, "wants you to be asked"),
        ("ls | wc", RuleVerdict::Ask, "pipe"),
    ] {
        let decision = decide(&rules, line, "/home/ada/moon", true);
        assert_eq!(decision.verdict, verdict, "{line}");
        assert!(decision.why.contains(says), "{line}: {}", decision.why);
    }
}

/// The refused rule may be the one that should forbid the command.
#[test]
fn while_a_rule_that_restrains_is_refused_nothing_is_allowed() {
    let allow = rule("ls", RuleVerdict::Allow, "ls ...", None, "ls");
    for (other, verdict) in [
        (rule("bad", RuleVerdict::Deny, "rm ...", None, "ls"), RuleVerdict::Ask),
        (rule("bad", RuleVerdict::Ask, "rm ...", None, "ls"), RuleVerdict::Ask),
        (rule("bad", RuleVerdict::Allow, "cat ...", None, "ls"), RuleVerdict::Allow),
    ] {
        let mut rules = ShellRules::load([allow.clone(), other]);
        assert!(matches!(rules.refused()[0].why, RuleError::ShouldMatch { .. }));
        let decision = decide(&rules, "ls", "/", false);
        assert_eq!(decision.verdict, verdict, "{}", decision.why);
        assert_eq!(
            decision.why.contains("\"bad\" cannot be used"),
            verdict == RuleVerdict::Ask,
            "{}",
            decision.why
        );
        rules.revoke("bad");
        assert_eq!(decide(&rules, "ls", "/", false).verdict, RuleVerdict::Allow);
    }
}

#[test]
fn a_line_that_cannot_be_looked_through_is_asked_about() {
    let line = format!("ls {}", "$(".repeat(3000));
    let decision = decide(&rules(), &line, "/", false);
    assert_eq!(decision.verdict, RuleVerdict::Ask);
    assert!(decision.why.contains("too long or too deeply nested"), "{}", decision.why);
}
