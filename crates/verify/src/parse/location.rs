//! Parses `file:line:column`, the most common notation of a place.

pub use crate::paths::has_ending as ends_with;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrintedLocation<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: Option<u32>,
}

/// Splits a place off the beginning of a text and returns it with the text after its colon.
pub fn leading(text: &str) -> Option<(PrintedLocation<'_>, &str)> {
    let mut from = 0;
    // A path may contain a few colons itself.
    for _ in 0..4 {
        let colon = from + text.get(from..)?.find(':')?;
        let after = &text[colon + 1..];
        if let Some((line, rest)) = number(after) {
            let file = &text[..colon];
            if file.is_empty() || file.ends_with(' ') {
                return None;
            }
            let (column, rest) = match rest.strip_prefix(':').and_then(number) {
                Some((column, rest)) => (Some(column), rest),
                None => (None, rest),
            };
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            return Some((PrintedLocation { file, line, column }, rest));
        }
        from = colon + 1;
    }
    None
}

/// Parses a number at the beginning, unless it is part of a word.
pub fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let rest = &text[end..];
    let is_word = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (!is_word).then_some(())?;
    Some((text[..end].parse().ok()?, rest))
}

/// Returns the place of a frame, in parentheses at the end or as the last word: `at name (file:1:2)`, `at file:1:2`.
pub fn of_frame(line: &str) -> Option<PrintedLocation<'_>> {
    let inner = match line.trim_end().strip_suffix(')') {
        Some(open) => &open[open.rfind('(')? + 1..],
        None => line.trim().rsplit(' ').next()?,
    };
    // `file:///…` contains a colon, and `node:…` is not a file.
    let (scheme, path) = inner.strip_prefix("file://").map_or(("", inner), |path| ("file://", path));
    if scheme.is_empty() && path.starts_with("node:") {
        return None;
    }
    leading(path).map(|(place, _)| place)
}

/// Returns true for the name of an error type: `ValueError`, `shop.errors.NoPrice`, `AssertionError [ERR_ASSERTION]`.
pub fn is_error_name(text: &str) -> bool {
    let text = text.split(" [").next().unwrap_or_default();
    let last = text.rsplit(['.', '$']).next().unwrap_or_default();
    text.len() < 200
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        for (text, expected) in [
            ("a.c:4:16: error: x", Some(("a.c", 4, Some(16), " error: x"))),
            ("a.c:10: x", Some(("a.c", 10, None, " x"))),
            ("a.c:10", Some(("a.c", 10, None, ""))),
            ("C:/a.c:3:1: x", Some(("C:/a.c", 3, Some(1), " x"))),
            ("a.c:4x", None),
            ("a.c: 4", None),
            (":4:", None),
            ("make: *** [x:4: y]", Some(("make: *** [x", 4, None, " y]"))),
            ("a.c:99999999999999: x", None),
            ("", None),
        ] {
            let found = leading(text).map(|(place, rest)| (place.file, place.line, place.column, rest));
            assert_eq!(found, expected, "{text:?}");
        }
        for (frame, expected) in [
            ("    at deep (/p/a.js:2:39)", Some(("/p/a.js", 2, Some(39)))),
            ("    at file:///p/a.mjs:2:3", Some(("/p/a.mjs", 2, Some(3)))),
            ("    at async x (file:///p/a.mjs:2:3)", Some(("/p/a.mjs", 2, Some(3)))),
            ("    at node:internal/x:2:3", None),
            ("    at X (<anonymous>)", None),
            ("    at shop.Prices.total(Prices.java:4)", Some(("Prices.java", 4, None))),
        ] {
            let found = of_frame(frame).map(|place| (place.file, place.line, place.column));
            assert_eq!(found, expected, "{frame:?}");
        }
        for (text, expected) in [
            ("ValueError", true),
            ("shop.NoPrice", true),
            ("AssertionError [ERR_ASSERTION]", true),
            ("java.lang.Ill$Inner", true),
            ("error", false),
            ("An Error", false),
            ("", false),
        ] {
            assert_eq!(is_error_name(text), expected, "{text:?}");
        }
    }
}
