//! Locates and applies the hunks of a patch.

use super::hunk::{HunkLineRole, PatchHunk};
use crate::apply::{AppliedEdit, Edit, Receipt, Strategy, apply_by, digest};
use crate::diff::DiffStep;
use crate::lines::{TextLine, lines, usual_ending};
use crate::refusal::{EditRefusal, RefusalReason};

/// Returns the text with all hunks applied. The error contains the index of the refused hunk.
pub fn apply_hunks(
    content: &str,
    hunks: &[PatchHunk],
) -> Result<(String, Vec<Receipt>), (usize, EditRefusal)> {
    let mut applier = HunkApplier { text: content.to_owned(), drift: 0, after: 0 };
    let mut receipts = Vec::with_capacity(hunks.len());
    for (number, hunk) in hunks.iter().enumerate() {
        receipts.push(applier.apply(hunk).map_err(|refusal| (number, refusal))?);
    }
    Ok((applier.text, receipts))
}

/// Checks that the hunks of a deletion remove the whole text. Only whitespace may remain.
pub fn apply_deletion(content: &str, hunks: &[PatchHunk]) -> Result<(), (usize, EditRefusal)> {
    let Some(last) = hunks.len().checked_sub(1) else { return Ok(()) };
    let (left, _) = apply_hunks(content, hunks)?;
    if left.trim().is_empty() { Ok(()) } else { Err((last, RefusalReason::Remains.into())) }
}

struct HunkApplier {
    text: String,
    /// The offset of lines from their positions in the patch.
    drift: isize,
    /// The line after the last applied hunk, counted from zero.
    after: usize,
}

/// A range of lines, counted from zero.
struct Window {
    first: usize,
    count: usize,
}

impl HunkApplier {
    /// Applies a hunk as given, or else without the unsigned empty lines at its end, which may not belong to the file.
    fn apply(&mut self, hunk: &PatchHunk) -> Result<Receipt, EditRefusal> {
        let refusal = match self.apply_as_given(hunk) {
            Err(refusal) if refusal.why == RefusalReason::NotFound && hunk.unsigned > 0 => refusal,
            applied => return applied,
        };
        self.apply_as_given(&hunk.without_unsigned()).map_err(|_| refusal)
    }

    fn apply_as_given(&mut self, hunk: &PatchHunk) -> Result<Receipt, EditRefusal> {
        let before = digest(&self.text);
        let window = {
            let there: Vec<TextLine<'_>> = lines(&self.text).collect();
            if hunk.old.is_empty() { Some(self.gap(&there, hunk)?) } else { self.find(&there, hunk)? }
        };
        let (strategy, first, last) = if let Some(window) = window {
            self.replace(hunk, &window)?
        } else {
            let edit = Edit { old: hunk.old.join("\n"), new: hunk.new.join("\n"), replace_all: false };
            let AppliedEdit { content, receipt } = apply_by(&self.text, &edit, Some(&hunk.steps(false)))?;
            let count = lines(&self.text).count();
            self.text = content;
            let (first, last) = receipt.lines.first().copied().unwrap_or((1, 1));
            self.drift_after(hunk, first - 1, count, lines(&self.text).count());
            (receipt.strategy, first - 1, last)
        };
        self.close(hunk, first);
        self.after = first + hunk.new.len();
        let after = digest(&self.text);
        if before == after {
            return Err(RefusalReason::NoChange.into());
        }
        Ok(Receipt {
            strategy,
            confidence: strategy.confidence(),
            lines: vec![(first + 1, last)],
            before,
            after,
        })
    }

    /// Returns the expected first line of a hunk that has a line number, adjusted for earlier hunks.
    fn expected(&self, hunk: &PatchHunk) -> Option<usize> {
        hunk.line?.saturating_sub(usize::from(!hunk.old.is_empty())).checked_add_signed(self.drift)
    }

    /// Returns the position of a hunk that only inserts lines.
    fn gap(&self, there: &[TextLine<'_>], hunk: &PatchHunk) -> Result<Window, EditRefusal> {
        let at = match (&hunk.below, self.expected(hunk)) {
            (_, Some(line)) if line <= there.len() => Some(line),
            (_, Some(_)) => None,
            (Some(below), None) => {
                let mut found = there.iter().enumerate().filter(|(_, line)| line.text.trim() == below.trim());
                found.next().filter(|_| found.next().is_none()).map(|(at, _)| at + 1)
            }
            (None, None) => Some(there.len()),
        };
        at.map(|first| Window { first, count: 0 }).ok_or_else(|| RefusalReason::NotFound.into())
    }

    /// Finds the old lines of a hunk: exactly, or without whitespace at the end or at both ends of the lines.
    fn find(&self, there: &[TextLine<'_>], hunk: &PatchHunk) -> Result<Option<Window>, EditRefusal> {
        let looks: [fn(&str) -> &str; 3] = [|line| line, str::trim_end, str::trim];
        for look in looks {
            let wanted: Vec<&str> = hunk.old.iter().map(|line| look(line)).collect();
            let has: Vec<&str> = there.iter().map(|line| look(line.text)).collect();
            let mut places: Vec<usize> = has
                .windows(wanted.len())
                .enumerate()
                .filter(|(_, lines)| *lines == wanted)
                .map(|(first, _)| first)
                .collect();
            if hunk.is_last {
                places.retain(|first| first + wanted.len() == there.len());
            }
            if !places.is_empty() {
                return Ok(Some(Window { first: self.choose(&places, there, hunk)?, count: wanted.len() }));
            }
        }
        Ok(None)
    }

    fn choose(
        &self,
        places: &[usize],
        there: &[TextLine<'_>],
        hunk: &PatchHunk,
    ) -> Result<usize, EditRefusal> {
        if let Some(expected) = self.expected(hunk).filter(|line| places.contains(line)) {
            return Ok(expected);
        }
        if let [only] = places {
            return Ok(*only);
        }
        let later: Vec<usize> = places.iter().copied().filter(|&place| place >= self.after).collect();
        if let [only] = later.as_slice() {
            return Ok(*only);
        }
        if let Some(below) = &hunk.below {
            let mut heads = there.iter().enumerate().filter(|(_, line)| line.text.trim() == below.trim());
            if let (Some((head, _)), None) = (heads.next(), heads.next())
                && let Some(place) = places.iter().copied().find(|&place| place > head)
            {
                return Ok(place);
            }
        }
        let named: Vec<String> = places.iter().take(8).map(|place| (place + 1).to_string()).collect();
        Err(RefusalReason::Ambiguous {
            places: format!("{} places (lines {})", places.len(), named.join(", ")),
        }
        .into())
    }

    fn replace(
        &mut self,
        hunk: &PatchHunk,
        window: &Window,
    ) -> Result<(Strategy, usize, usize), EditRefusal> {
        let there: Vec<TextLine<'_>> = lines(&self.text).collect();
        let start = there.get(window.first).map_or(self.text.len(), |line| line.start);
        let last = window.first + window.count;
        let end = if window.count == 0 { start } else { there[last - 1].end() };
        let is_ended = window.count == 0 || there[last - 1].ending.is_some();
        let slice = &self.text[start..end];
        let ended = |lines: &[String]| {
            let text = lines.join("\n");
            if is_ended && !lines.is_empty() { text + "\n" } else { text }
        };
        let (old, new) = (ended(&hunk.old), ended(&hunk.new));
        let (strategy, text) = if hunk.old.is_empty() {
            let ending = usual_ending(&self.text).text();
            // After a line without an ending, the new lines need one in front.
            let is_open = start > 0 && !self.text[..start].ends_with('\n');
            let before = if is_open { ending } else { "" };
            let new = if is_open { new.trim_end_matches('\n') } else { &new };
            (Strategy::Exact, format!("{before}{}", new.replace('\n', ending)))
        } else if hunk.new.is_empty() {
            (Strategy::Exact, String::new())
        } else if old == new {
            (Strategy::Exact, slice.to_owned())
        } else {
            let edit = Edit { old, new, replace_all: false };
            let AppliedEdit { content, receipt } = apply_by(slice, &edit, Some(&hunk.steps(is_ended)))?;
            (receipt.strategy, content)
        };
        self.text.replace_range(start..end, &text);
        self.drift_after(hunk, window.first, hunk.old.len(), hunk.new.len());
        Ok((strategy, window.first, last.max(window.first + 1)))
    }

    /// Updates the drift after a hunk landed at the line `first` and turned `before` lines into `after` lines.
    fn drift_after(&mut self, hunk: &PatchHunk, first: usize, before: usize, after: usize) {
        let signed = |count: usize| isize::try_from(count).unwrap_or_default();
        let moved = self.expected(hunk).map_or(0, |expected| signed(first) - signed(expected));
        self.drift += moved + signed(after) - signed(before);
    }

    /// Adds or removes the line ending at the end of the text, as the hunk says.
    fn close(&mut self, hunk: &PatchHunk, first: usize) {
        if first + hunk.new.len() < lines(&self.text).count() {
            return;
        }
        if hunk.new_is_open {
            let open = self.text.trim_end_matches('\n').trim_end_matches('\r').len();
            self.text.truncate(open);
        } else if hunk.old_is_open && !self.text.is_empty() && !self.text.ends_with('\n') {
            let ending = usual_ending(&self.text).text();
            self.text.push_str(ending);
        }
    }
}

impl PatchHunk {
    /// Returns the line diff of the hunk. If the last line has an ending, the empty text after it counts as an
    /// unchanged line.
    fn steps(&self, is_ended: bool) -> Vec<DiffStep> {
        let mut steps = Vec::new();
        let (mut old_start, mut new_start) = (0, 0);
        let mut signs = self.signs.iter().copied().chain(is_ended.then_some(HunkLineRole::Kept)).peekable();
        while let Some(&sign) = signs.peek() {
            let mut count = |wanted: HunkLineRole| {
                let mut count = 0;
                while signs.next_if_eq(&wanted).is_some() {
                    count += 1;
                }
                count
            };
            if sign == HunkLineRole::Kept {
                let len = count(HunkLineRole::Kept);
                let (old_end, new_end) = (old_start + len, new_start + len);
                steps.push(DiffStep::kept(old_start..old_end, new_start..new_end));
                (old_start, new_start) = (old_end, new_end);
                continue;
            }
            let above = count(HunkLineRole::Added);
            let old_len = count(HunkLineRole::Removed);
            let new_len = above + count(HunkLineRole::Added);
            let (old_end, new_end) = (old_start + old_len, new_start + new_len);
            steps.push(DiffStep::changed(old_start..old_end, new_start..new_end));
            (old_start, new_start) = (old_end, new_end);
        }
        steps
    }
}
