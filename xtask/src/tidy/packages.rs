//! Rules for packages from registries.

use super::findings::Findings;
use super::licences;
use super::tree::SourceTree;
use crate::json::JsonValue;

/// Crates that are not worth their cost: they need a system library, or minutes to compile.
const BANNED: [&str; 3] = ["openssl-sys", "native-tls", "aws-lc-sys"];

const NPM_LOCK: &str = "web/package-lock.json";

pub fn banned_crates(tree: &SourceTree) -> Findings {
    let lock = tree.file("Cargo.lock").map(|file| file.text.as_str()).unwrap_or_default();
    let locked = |name: &&str| lock.lines().any(|line| line == format!("name = \"{name}\""));
    BANNED.iter().filter(|name| locked(name)).map(|name| format!("Cargo.lock: {name} is banned")).collect()
}

/// The licence of fonts, which differs from those of code.
const FONTS: &str = "OFL-1.1";

/// Checks the npm lock file. It must not contain download addresses, which differ between machines. Packages that
/// become part of the page must have an allowed licence; build tools are not redistributed. Packages for other
/// platforms must be locked as well, because `npm ci` refuses an incomplete lock file.
pub fn npm_lock(tree: &SourceTree) -> Findings {
    let Some(file) = tree.file(NPM_LOCK) else { return Findings::new() };
    let lock = match JsonValue::parse(&file.text) {
        Ok(lock) => lock,
        Err(failure) => return vec![format!("{NPM_LOCK}: {failure}")],
    };
    let mut findings = Findings::new();
    let packages = lock.get("packages");
    let is_locked =
        |name: &str| packages.members().any(|(path, _)| path.ends_with(&format!("node_modules/{name}")));
    for (name, package) in packages.members() {
        let missing =
            package.get("optionalDependencies").members().filter(|(optional, _)| !is_locked(optional));
        findings.extend(
            missing.map(|(gap, _)| format!("{NPM_LOCK}: {name} may need {gap}, which is not locked")),
        );
        if let Some(address) = package.get("resolved").text().filter(|address| address.contains("://")) {
            findings.push(format!("{NPM_LOCK}: {name} has the address {address}"));
        }
        let is_passed_on = package.get("dev") != &JsonValue::Bool(true);
        let is_allowed = |licence: &str| licence == FONTS || licences::is_allowed(licence);
        if let Some(licence) =
            package.get("license").text().filter(|licence| is_passed_on && !is_allowed(licence))
        {
            findings.push(format!("{NPM_LOCK}: {name}: licence {licence}"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banned_crates_are_found_in_the_lock_file() {
        let lock = "[[package]]\nname = \"openssl-sys\"\n\n[[package]]\nname = \"native-tls-not\"\n";
        assert_eq!(
            banned_crates(&SourceTree::of(&[("Cargo.lock", lock)])),
            ["Cargo.lock: openssl-sys is banned"]
        );
    }

    #[test]
    fn a_lock_file_without_addresses_passes() {
        let lock = r#"{"packages": {
            "": {"license": "MIT"},
            "node_modules/a": {"version": "1.0.0"},
            "node_modules/font": {"license": "OFL-1.1"},
            "node_modules/builder": {"license": "MPL-2.0", "dev": true}
        }}"#;
        assert!(npm_lock(&SourceTree::of(&[(NPM_LOCK, lock)])).is_empty());
        assert!(npm_lock(&SourceTree::default()).is_empty());
    }

    #[test]
    fn addresses_strange_licences_and_gaps_are_found() {
        let lock = r#"{"packages": {
            "node_modules/a": {"resolved": "https://mirror.example/a.tgz"},
            "node_modules/b": {"license": "SEE LICENSE IN file"},
            "node_modules/c": {"optionalDependencies": {"b": "1", "c-on-the-moon": "1"}}
        }}"#;
        assert_eq!(
            npm_lock(&SourceTree::of(&[(NPM_LOCK, lock)])),
            [
                "web/package-lock.json: node_modules/a has the address https://mirror.example/a.tgz",
                "web/package-lock.json: node_modules/b: licence SEE LICENSE IN file",
                "web/package-lock.json: node_modules/c may need c-on-the-moon, which is not locked",
            ]
        );
        assert_eq!(npm_lock(&SourceTree::of(&[(NPM_LOCK, "{")])).len(), 1, "a torn file");
    }
}
