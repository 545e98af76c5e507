/// A range of lines in a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct LineRange {
    /// The first line, counted from 1.
    pub offset: Option<usize>,
    pub limit: Option<usize>,
}

/// The most characters of a page, which leaves room for a note.
const ROOM: usize = 7_500;

/// Returns the requested lines, as far as they fit, and a note with the offset to continue from.
pub fn page(text: &str, lines: LineRange) -> String {
    let total = text.lines().count();
    let first = lines.offset.unwrap_or(1).max(1);
    if total > 0 && first > total {
        let lines = if total == 1 { "line" } else { "lines" };
        return format!("[It has {total} {lines}; there is no line {first}.]");
    }
    let (mut shown, mut room, mut count) = (String::new(), ROOM, 0);
    let mut cut = None;
    for line in text.lines().skip(first - 1).take(lines.limit.unwrap_or(usize::MAX)) {
        let length = line.chars().count() + 1;
        if length > room {
            // A line longer than a whole page is cut here; the next page begins after it.
            if count == 0 {
                shown.extend(line.chars().take(room));
                cut = Some(length - 1 - room);
                count = 1;
            }
            break;
        }
        shown.push_str(line);
        shown.push('\n');
        room -= length;
        count += 1;
    }
    let last = first + count - usize::from(count > 0);
    let mut notes = Vec::new();
    if let Some(cut) = cut {
        notes.push(format!("{cut} more characters of this line are left out"));
    }
    if first > 1 || last < total {
        notes.push(format!("lines {first} to {last} of {total}"));
    }
    if last < total {
        notes.push(format!("go on with offset {}", last + 1));
    }
    let shown = shown.trim_end_matches('\n');
    if notes.is_empty() { shown.to_owned() } else { format!("{shown}\n[{}]", notes.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_or_a_part_and_where_to_go_on() {
        let lines = |offset, limit| LineRange { offset, limit };
        let text = "one\ntwo\nthree\nfour\n";
        let cases = [
            (lines(None, None), "one\ntwo\nthree\nfour"),
            (lines(None, Some(2)), "one\ntwo\n[lines 1 to 2 of 4; go on with offset 3]"),
            (lines(Some(3), None), "three\nfour\n[lines 3 to 4 of 4]"),
            (lines(Some(0), Some(1)), "one\n[lines 1 to 1 of 4; go on with offset 2]"),
            (lines(Some(9), None), "[It has 4 lines; there is no line 9.]"),
        ];
        for (wanted, expected) in cases {
            assert_eq!(page(text, wanted), expected, "{wanted:?}");
        }
        assert_eq!(page("", LineRange::default()), "");
    }

    #[test]
    fn paging_on_shows_every_line_once() {
        let text = (1..=5_000).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
        let (mut offset, mut seen) = (1, Vec::new());
        for _ in 0..20 {
            let shown = page(&text, LineRange { offset: Some(offset), limit: None });
            assert!(shown.chars().count() < 8_000);
            seen.extend(shown.lines().filter(|line| line.starts_with("line ")).map(ToOwned::to_owned));
            let Some((_, next)) = shown.rsplit_once("offset ") else { break };
            offset = next.trim_end_matches(']').parse().unwrap();
        }
        assert_eq!(seen, text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_line_without_end_is_cut_and_passed() {
        let text = format!("{}\nafter", "月".repeat(20_000));
        let first = page(&text, LineRange::default());
        assert!(first.ends_with(
            "[12500 more characters of this line are left out; lines 1 to 1 of 2; go on with offset 2]"
        ));
        assert!(page(&text, LineRange { offset: Some(2), limit: None }).starts_with("after"));
    }
}
