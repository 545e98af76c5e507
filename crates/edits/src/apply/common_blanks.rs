//! Removes blank lines that the old and the new text of an edit share.

/// Removes the blank lines with which both texts begin and end, since models add them.
pub fn without_common_blanks<'a>(mut old: &'a str, mut new: &'a str) -> (&'a str, &'a str) {
    let is_common = |one: &str, other: &str| one == other && one.trim().is_empty();
    while let (Some((old_line, old_rest)), Some((new_line, new_rest))) =
        (old.split_once('\n'), new.split_once('\n'))
        && is_common(old_line, new_line)
    {
        (old, new) = (old_rest, new_rest);
    }
    while let (Some((old_rest, old_line)), Some((new_rest, new_line))) =
        (old.rsplit_once('\n'), new.rsplit_once('\n'))
        && is_common(old_line, new_line)
    {
        (old, new) = (old_rest, new_rest);
    }
    (old, new)
}
