//! Hints for the user about failures that no edit can fix: commands run without network access, so missing packages
//! cannot be fetched.

/// The text of the failure, the command that fixes it, and the text before the name of the missing package.
const HINTS: [(&str, &str, Option<&str>); 15] = [
    ("you're using offline mode (--offline)", "run `cargo fetch`", Some("no matching package named `")),
    ("--offline was specified", "run `cargo fetch`", Some("failed to download `")),
    ("unable to update registry", "run `cargo fetch`", None),
    ("module lookup disabled by GOPROXY", "run `go mod download`", Some("providing package ")),
    ("missing go.sum entry", "run `go mod tidy`", Some("for module providing package ")),
    ("dial tcp: lookup ", "run `go mod download`", None),
    ("in offline mode and the artifact", "run `mvn dependency:go-offline`", Some("the artifact ")),
    ("available for offline mode", "run gradle once with a network", Some("No cached version of ")),
    ("npx canceled due to missing packages", "run `npm install`", None),
    ("Cannot find package '", "install the project's packages", Some("Cannot find package '")),
    ("Require stack:", "install the project's packages", Some("Error: Cannot find module '")),
    ("Temporary failure in name resolution", "fetch what is needed", None),
    ("Could not resolve host", "fetch what is needed", None),
    ("getaddrinfo ENOTFOUND", "fetch what is needed", None),
    ("getaddrinfo EAI_AGAIN", "fetch what is needed", None),
];

/// The maximum length of a package name in bytes.
const LONGEST_NAME: usize = 120;

pub fn find(lines: &[String]) -> Option<String> {
    HINTS.iter().find_map(|(sign, cure, name)| {
        lines.iter().any(|line| line.contains(sign)).then_some(())?;
        let named = name.and_then(|start| lines.iter().find_map(|line| name_after(line, start)));
        // A missing file of the project itself cannot be fetched.
        if named.is_some_and(is_own_file) {
            return None;
        }
        let what = named.unwrap_or("something that this needs");
        Some(format!(
            "{what} is not on this machine, and commands run here without a network. To have it, {cure} in a \
             terminal of your own, then verify again."
        ))
    })
}

/// Returns true for `./file` and `@/file`, but not for `@scope/package`.
fn is_own_file(name: &str) -> bool {
    let is_scoped = name.strip_prefix('@').is_some_and(|rest| !rest.starts_with('/'));
    name.contains('/') && name.starts_with(['.', '/', '@', '~', '#']) && !is_scoped
}

fn name_after<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    let rest = &line[line.find(start)? + start.len()..];
    let end = rest.find(|c: char| c.is_whitespace() || "`'\",;".contains(c)).unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches([':', '.']);
    (!name.is_empty() && name.len() <= LONGEST_NAME).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_the_machine_is_named() {
        for (output, expected) in [
            (
                "error: no matching package named `serde` found\nAs a reminder, you're using offline mode (--offline)",
                Some("serde is not"),
            ),
            (
                "error: failed to download `syn v2.0.1`\n  can't download with --offline was specified",
                Some("syn is not"),
            ),
            ("unable to update registry `crates-io`", Some("something that this needs is not")),
            (
                "main.go:3:8: cannot find module providing package x.org/y: module lookup disabled by GOPROXY=off",
                Some("x.org/y is not"),
            ),
            ("Error: Cannot find module 'left-pad'\nRequire stack:", Some("left-pad is not")),
            ("Error: Cannot find module '@scope/pad'\nRequire stack:", Some("@scope/pad is not")),
            ("Error: Cannot find module './gone'\nRequire stack:", None),
            ("Error: Cannot find module '@/gone'\nRequire stack:", None),
            (
                "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chalk' imported from a.mjs",
                Some("chalk is not"),
            ),
            ("error[E0308]: mismatched types", None),
            ("", None),
        ] {
            let lines: Vec<String> = output.lines().map(str::to_owned).collect();
            let found = find(&lines);
            assert_eq!(found.is_some(), expected.is_some(), "{output}: {found:?}");
            assert!(found.is_none_or(|found| found.starts_with(expected.unwrap())), "{output}");
        }
    }
}
