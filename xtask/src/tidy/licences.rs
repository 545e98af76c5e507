//! A rule for licences: every dependency must allow use, modification and redistribution with few obligations.

use super::findings::Findings;
use crate::json::JsonValue;

const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub fn not_allowed(metadata: &JsonValue) -> Findings {
    let refused = metadata.get("packages").list().iter().filter_map(|package| {
        let licence = package.get("license").text().unwrap_or("none stated");
        let name = package.get("name").text().unwrap_or_default();
        (!is_allowed(licence)).then(|| format!("{name}: licence {licence}"))
    });
    refused.collect()
}

/// Returns true if an SPDX expression permits an allowed licence. `/` is an old notation for `OR`.
pub fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Expression { words: &words };
    reader.any() == Some(true) && reader.words.is_empty()
}

struct Expression<'a> {
    words: &'a [&'a str],
}

impl Expression<'_> {
    fn take(&mut self, expected: &str) -> bool {
        match self.words.split_first() {
            Some((word, rest)) if *word == expected => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }

    fn any(&mut self) -> Option<bool> {
        let mut allowed = self.all()?;
        while self.take("OR") {
            allowed |= self.all()?;
        }
        Some(allowed)
    }

    fn all(&mut self) -> Option<bool> {
        let mut allowed = self.one()?;
        while self.take("AND") {
            allowed &= self.one()?;
        }
        Some(allowed)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let allowed = self.any()?;
            return self.take(")").then_some(allowed);
        }
        let (name, rest) = self.words.split_first()?;
        self.words = rest;
        if !self.take("WITH") {
            return Some(ALLOWED.contains(name));
        }
        let (exception, rest) = self.words.split_first()?;
        self.words = rest;
        Some(ALLOWED.contains(&format!("{name} WITH {exception}").as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_weighed() {
        for (expression, allowed) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0-only", false),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR GPL-2.0) AND (GPL-3.0 OR ISC)", true),
            ("MIT OR GPL-2.0 AND GPL-3.0", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0 WITH Other-exception", false),
            ("MIT MIT", false),
            ("(MIT", false),
            ("none stated", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression), allowed, "{expression}");
        }
    }

    #[test]
    fn the_offender_is_named() {
        let metadata = r#"{"packages": [{"name": "a", "license": "MIT"}, {"name": "b", "license": null}]}"#;
        assert_eq!(not_allowed(&JsonValue::parse(metadata).unwrap()), ["b: licence none stated"]);
    }
}
