use super::*;
use crate::{ShellRules, decide};

#[test]
fn the_narrowest_rule_that_makes_sense_is_offered() {
    let cases = [
        ("ls -la src", Some("ls ...")),
        ("  pwd ", Some("pwd ...")),
        ("cat 'a b'", Some("cat ...")),
        ("grep -rn a src", Some("grep ...")),
        ("rg a", Some("rg ...")),
        ("find . -name '*.rs'", Some("find ...")),
        ("sed -n 1,20p a", Some("sed -n * ...")),
        ("sort a", Some("sort ...")),
        ("sort -o b a", Some("sort -o b a")),
        ("git status --short", Some("git status ...")),
        ("git log -n 3", Some("git log ...")),
        ("git commit -m 'a b'", Some("git commit -m 'a b'")),
        ("git add src", Some("git add src")),
        ("git fetch origin", Some("git fetch origin")),
        ("cargo test -p store", Some("cargo test ...")),
        ("cargo run", Some("cargo run")),
        ("npm test", Some("npm test ...")),
        ("npm run build", Some("npm run build ...")),
        ("npm run build -- --watch", Some("npm run build ...")),
        ("go test ./...", Some("go test ...")),
        ("make check", Some("make check")),
        ("pytest -x tests", Some("pytest ...")),
        ("mytool --all x", Some("mytool --all x")),
        ("mytool --exec x", None),
        ("mytool --output x", Some("mytool --output x")),
        ("./check.sh fast", Some("./check.sh fast")),
        ("scripts/check.sh", Some("scripts/check.sh")),
        ("curl https://example.org", Some("curl https://example.org")),
        ("gradle test", Some("gradle test")),
        ("echo '*'", Some("echo ...")),
        ("mytool '*' '...' ''", Some("mytool '*' '...' ''")),
        ("ls | wc", None),
        ("ls *", None),
        ("ls; ls", None),
        ("", None),
        ("sudo ls", None),
        ("bash x.sh", None),
        ("python3 x.py", None),
        ("env ls", None),
        ("docker ps", None),
        ("pip install x", None),
        ("npm install x", None),
        ("npm run", Some("npm run ...")),
        ("npx x", None),
        ("git", None),
        ("git evil", None),
        ("git push origin main", None),
        ("git reset --hard", None),
        ("git clone x", None),
        ("git -C x status", None),
        ("git diff --ext-diff", None),
        ("find . -delete", None),
        ("find . -exec ls {} +", None),
        ("sed -i s/a/b/ x", None),
        ("rm -rf x", None),
        ("chmod 777 x", None),
        ("kill 1", None),
        ("tar -I sh -xf a", None),
        ("make SHELL=x", Some("make SHELL=x")),
        ("make -f x", None),
        ("/usr/bin/ls", None),
        ("../x", None),
        ("a/../../x", None),
        ("yarn run x", None),
        ("cargo install x", None),
    ];
    for (line, expected) in cases {
        let rule = suggest(line);
        assert_eq!(rule.as_ref().map(|rule| rule.pattern.to_string()).as_deref(), expected, "{line}");
    }
}

#[test]
fn what_is_offered_allows_the_line_and_says_what_it_does_not_allow() {
    let lines = [
        ("ls -la", false),
        ("cargo test -p store", true),
        ("npm run build", true),
        ("make check", true),
        ("./check.sh", true),
        ("git commit -m x", false),
        ("mytool a", false),
    ];
    for (line, runs_project_code) in lines {
        let rule = suggest(line).unwrap();
        assert_eq!(rule.check(), Ok(()), "{line}");
        assert_eq!(rule.note == PROJECT_NOTE, runs_project_code, "{line}");
        assert!(rule.matches.len() == 1 && rule.misses.len() >= 2, "{rule:?}");
        let rules = ShellRules::load([rule]);
        assert_eq!(decide(&rules, line, "/", false).verdict, RuleVerdict::Allow, "{line}");
        for rule in rules.all() {
            for miss in &rule.misses {
                assert_eq!(decide(&rules, miss, "/", false).verdict, RuleVerdict::Ask, "{miss}");
            }
        }
    }
}
