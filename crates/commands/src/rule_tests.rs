use serde_json::json;

use super::*;
use crate::rules::{PROJECT_NOTE, ShellRules};

pub fn rule(verdict: RuleVerdict, pattern: &str, matches: &[&str], misses: &[&str]) -> ShellRule {
    ShellRule {
        id: format!("{verdict:?} {pattern}"),
        verdict,
        pattern: pattern.parse().unwrap(),
        root: None,
        matches: matches.iter().map(ToString::to_string).collect(),
        misses: misses.iter().map(ToString::to_string).collect(),
        note: String::new(),
    }
}

#[test]
fn rules_whose_examples_behave_are_taken() {
    use RuleVerdict::{Allow, Ask, Deny};
    let cases: [(RuleVerdict, &str, &[&str], &[&str]); 14] = [
        (Allow, "ls ...", &["ls", "ls -la src"], &["ls; rm x", "ls | sh", "ls *", "sudo ls", "/bin/ls"]),
        (
            Allow,
            "git status|log|diff ...",
            &["git log -n 3"],
            &["git push", "git -c a=b log", "git diff --ext-diff"],
        ),
        (
            Allow,
            "cargo test|check|build ...",
            &["cargo test -p store"],
            &["cargo run", "cargo test --config a"],
        ),
        (Allow, "npm run build", &["npm run build"], &["npm run deploy", "npm run build -- x"]),
        (Allow, "find ...", &["find . -name a"], &["find . -exec sh {} +", "find . -delete"]),
        (Allow, "sed -n * ...", &["sed -n 1,20p a"], &["sed -n '1e sh' a"]),
        (Allow, "sort -o out ...", &["sort -o out in"], &["sort -o other in", "sort -o out -o other"]),
        (Allow, "tar -czf a.tgz src", &["tar -czf a.tgz src"], &["tar -czf a.tgz src -I sh"]),
        (Allow, "rm -r target", &["rm -r target"], &["rm -r src", "rm -r target src"]),
        (Allow, "./check.sh *", &["./check.sh fast"], &["check.sh fast", "./check.sh -x"]),
        (
            Ask,
            "git push ...",
            &["git push", "ls && git push", "git -C x push"],
            &["git pull", "echo git push"],
        ),
        (Deny, "rm ...", &["rm x", "/bin/rm x", "sudo rm x", "bash -c 'rm x'"], &["ls rm"]),
        (Deny, "* --force ...", &["git --force"], &["git push"]),
        (Deny, "sudo|doas ...", &["sudo ls", "ls; doas ls"], &["echo sudo"]),
    ];
    for (verdict, pattern, matches, misses) in cases {
        assert_eq!(rule(verdict, pattern, matches, misses).check(), Ok(()), "{pattern}");
    }
}

/// Verdict, pattern, lines that should match, lines that should not, and expected parts of the message.
type Refusal<'a> = (RuleVerdict, &'a str, &'a [&'a str], &'a [&'a str], &'a [&'a str]);

/// The message names the example and the reason.
#[test]
fn rules_that_do_not_hold_are_refused_with_the_reason() {
    use RuleVerdict::{Allow, Deny};
    let cases: [Refusal<'_>; 36] = [
        (Allow, "ls", &[], &[], &["no example"]),
        (Allow, "ls", &["ls -l"], &[], &["`ls -l` should match", "its words differ"]),
        (Allow, "ls ...", &["ls | wc"], &[], &["`ls | wc` should match", "has a pipe"]),
        (Allow, "ls ...", &["ls"], &["ls -l"], &["`ls -l` should not match"]),
        (
            Allow,
            "git diff ...",
            &["git diff --ext-diff"],
            &[],
            &["should match", "--ext-diff", "run another program"],
        ),
        (Deny, "rm ...", &["ls"], &[], &["`ls` should match"]),
        (Deny, "rm ...", &["rm"], &["sudo rm"], &["`sudo rm` should not match"]),
        (Allow, "* ...", &["ls"], &[], &["name of a program"]),
        (Allow, "-*", &["ls"], &[], &["name of a program"]),
        (Allow, "bash ...", &["bash a"], &[], &["`bash` is a shell", "no rule can allow it"]),
        (Allow, "bash -n a", &["bash -n a"], &[], &["`bash` is a shell"]),
        (Allow, "/bin/bash a", &["/bin/bash a"], &[], &["`/bin/bash` is a shell"]),
        (Allow, "ls|sh ...", &["ls"], &[], &["`sh` is a shell"]),
        (Allow, "python3 ...", &["python3 a"], &[], &["runs whatever program"]),
        (Allow, "python3.12 -m pytest", &["python3.12 -m pytest"], &[], &["runs whatever program"]),
        (Allow, "node a.js", &["node a.js"], &[], &["runs whatever program"]),
        (Allow, "awk ...", &["awk a"], &[], &["runs whatever program"]),
        (Allow, "sudo ls", &["sudo ls"], &[], &["as somebody else"]),
        (Allow, "env ls", &["env ls"], &[], &["runs other programs"]),
        (Allow, "xargs ls", &["xargs ls"], &[], &["runs other programs"]),
        (Allow, "docker ps", &["docker ps"], &[], &["containers"]),
        (Allow, "vim ...", &["vim a"], &[], &["from within"]),
        (Allow, "pip install a", &["pip install a"], &[], &["strangers"]),
        (Allow, "eval ...", &["eval a"], &[], &["part of the shell"]),
        (Allow, "git ...", &["git status"], &[], &["subcommand"]),
        (Allow, "git * ...", &["git status"], &[], &["subcommand"]),
        (Allow, "git status|evil ...", &["git status"], &[], &["`evil` is not one"]),
        (Allow, "git -c a=b status", &["git -c a=b status"], &[], &["`-c` is not one"]),
        (Allow, "git fetch --upload-pack=sh", &["git fetch --upload-pack=sh"], &[], &["run another program"]),
        (Allow, "find . -exec ls", &["find . -exec ls"], &[], &["`-exec`", "run another program"]),
        (Allow, "find|ls -delete", &["ls -delete"], &[], &["`-delete`"]),
        (Allow, "tar xIf sh a", &["tar xIf sh a"], &[], &["`xIf`"]),
        (Allow, "tar -xf host:a", &["tar -xf host:a"], &[], &["`host:a`"]),
        (Allow, "rm ...", &["rm a"], &[], &["spell out all"]),
        (Allow, "rsync -e sh a b", &["rsync -e sh a b"], &[], &["`-e`"]),
        (Allow, "make SHELL=/x ...", &["make SHELL=/x 'a;b'"], &[], &["should match", "script or a setting"]),
    ];
    for (verdict, pattern, matches, misses, says) in cases {
        let told = rule(verdict, pattern, matches, misses).check().unwrap_err().to_string();
        assert!(says.iter().all(|word| told.contains(word)), "{pattern}: {told}");
    }
    let nameless = ShellRule { id: " ".into(), ..rule(Allow, "ls", &["ls"], &[]) };
    assert_eq!(nameless.check(), Err(RuleError::NoId));
}

#[test]
fn rules_are_read_one_by_one_listed_and_taken_back() {
    let values = json!([
        {"id": "a", "verdict": "allow", "pattern": "cargo test ...", "matches": ["cargo test"]},
        {"id": "b", "verdict": "deny", "pattern": "rm ...", "root": "/work", "matches": ["rm x"], "misses": ["ls"],
         "note": "no"},
        {"id": "a", "verdict": "ask", "pattern": "ls", "matches": ["ls"]},
        {"id": "c", "verdict": "allow", "pattern": "ls ... x", "matches": ["ls"]},
        {"id": "d", "verdict": "maybe", "pattern": "ls", "matches": ["ls"]},
        {"id": "e", "verdict": "allow", "pattern": "ls", "matches": ["ls"], "unknown": 1},
        {"id": "f", "verdict": "allow", "pattern": "ls"},
        7,
    ]);
    let mut rules = ShellRules::read(values.as_array().unwrap());
    let ids = |rules: &ShellRules| rules.all().iter().map(|rule| rule.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&rules), ["a", "b"]);
    assert_eq!(rules.all()[0].note, PROJECT_NOTE);
    assert_eq!(rules.all()[1].note, "no");
    let refused: Vec<(&str, bool)> =
        rules.refused().iter().map(|refused| (refused.id.as_str(), refused.restricts)).collect();
    let expected = [("a", true), ("c", false), ("d", true), ("e", false), ("f", false), ("", true)];
    assert_eq!(refused, expected);
    assert!(rules.refused()[1].why.to_string().contains("has to come last"), "{:?}", rules.refused()[1]);
    for (id, was_there) in [("b", true), ("b", false), ("c", true), ("zzz", false)] {
        assert_eq!(rules.revoke(id), was_there, "{id}");
    }
    assert_eq!(ids(&rules), ["a"]);
    let written = serde_json::to_value(rules.all()).unwrap();
    assert_eq!(ShellRules::read(written.as_array().unwrap()).all(), rules.all());
}
