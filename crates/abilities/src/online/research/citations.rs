use std::fmt::Write as _;

/// Keeps only citation citations (`[1]`, `[2, 3]`, `[^4]`) that refer to one of the sources. A link after a mark is removed
/// too, since the list of sources says where a mark leads.
pub(super) fn checked(text: &str, sources: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, bracket) = rest.split_at(start);
        out.push_str(before);
        let Some((numbers, length)) = mark(bracket) else {
            out.push('[');
            rest = &bracket[1..];
            continue;
        };
        let known: Vec<usize> = numbers.into_iter().filter(|number| (1..=sources).contains(number)).collect();
        if known.is_empty() {
            out.truncate(out.trim_end_matches(' ').len());
        }
        for number in known {
            let _ = write!(out, "[{number}]");
        }
        rest = without_link(&bracket[length..]);
    }
    out.push_str(rest);
    out
}

/// Parses the numbers of a mark, and returns them with its length.
fn mark(text: &str) -> Option<(Vec<usize>, usize)> {
    let end = text.char_indices().take(40).find(|(_, c)| *c == ']')?.0;
    let numbers: Option<Vec<usize>> = text[1..end]
        .split([',', ';'])
        .map(|number| number.trim().trim_start_matches('^').parse().ok())
        .collect();
    Some((numbers?, end + 1))
}

fn without_link(text: &str) -> &str {
    let link = text.strip_prefix('(').and_then(|inner| inner.split_once(')'));
    link.filter(|(address, _)| !address.contains(char::is_whitespace)).map_or(text, |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marks_of_known_sources_stay() {
        for (text, expected) in [
            ("The moon [1] pulls [2].", "The moon [1] pulls [2]."),
            ("Not there [4].", "Not there."),
            ("Zero [0] and huge [99999999999999999999999].", "Zero and huge [99999999999999999999999]."),
            ("Both [1, 3] and [2,9]; [7; 8].", "Both [1][3] and [2];."),
            ("Notes [^2] and [ 3 ].", "Notes [2] and [3]."),
            ("[1](https://evil.example/?q=secret) stays.", "[1] stays."),
            ("[1] (a remark) stays.", "[1] (a remark) stays."),
            ("A [link](https://a.example) and [a] and [", "A [link](https://a.example) and [a] and ["),
            ("[[1]]", "[[1]]"),
            ("月[2]が[5]", "月[2]が"),
            ("", ""),
        ] {
            assert_eq!(checked(text, 3), expected, "{text}");
        }
    }
}
