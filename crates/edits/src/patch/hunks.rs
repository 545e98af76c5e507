//! Locates and applies the hunks of a patch.

use similar::DiffOp;

use super::{Hunk, Sign};
use crate::ladder::{Applied, Edit, Receipt, Strategy, apply_by, digest};
use crate::lines::{Line, lines, usual_ending};
use crate::refusal::{Refusal, Why};

/// Returns the text with all hunks applied. The error contains the index of the refused hunk.
pub fn apply_hunks(content: &str, hunks: &[Hunk]) -> Result<(String, Vec<Receipt>), (usize, Refusal)> {
    let mut landing = Landing { text: content.to_owned(), drift: 0, after: 0 };
    let mut receipts = Vec::with_capacity(hunks.len());
    for (number, hunk) in hunks.iter().enumerate() {
        receipts.push(landing.land(hunk).map_err(|refusal| (number, refusal))?);
    }
    Ok((landing.text, receipts))
}

/// Checks that the hunks of a deletion remove the whole text. Only whitespace may remain.
pub fn apply_deletion(content: &str, hunks: &[Hunk]) -> Result<(), (usize, Refusal)> {
    let Some(last) = hunks.len().checked_sub(1) else { return Ok(()) };
    let (left, _) = apply_hunks(content, hunks)?;
    if left.trim().is_empty() { Ok(()) } else { Err((last, Why::Remains.into())) }
}

struct Landing {
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

impl Landing {
    /// Applies a hunk as given, or else without the unsigned empty lines at its end, which may not belong to the file.
    fn land(&mut self, hunk: &Hunk) -> Result<Receipt, Refusal> {
        let refusal = match self.land_as_it_is(hunk) {
            Err(refusal) if refusal.why == Why::NotFound && hunk.unsigned > 0 => refusal,
            landed => return landed,
        };
        self.land_as_it_is(&hunk.without_unsigned()).map_err(|_| refusal)
    }

    fn land_as_it_is(&mut self, hunk: &Hunk) -> Result<Receipt, Refusal> {
        let before = digest(&self.text);
        let window = {
            let there: Vec<Line<'_>> = lines(&self.text).collect();
            if hunk.old.is_empty() { Some(self.gap(&there, hunk)?) } else { self.find(&there, hunk)? }
        };
        let (strategy, first, last) = if let Some(window) = window {
            self.replace(hunk, &window)?
        } else {
            let edit = Edit { old: hunk.old.join("\n"), new: hunk.new.join("\n"), replace_all: false };
            let Applied { content, receipt } = apply_by(&self.text, &edit, Some(&hunk.steps(false)))?;
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
            return Err(Why::NoChange.into());
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
    fn expected(&self, hunk: &Hunk) -> Option<usize> {
        hunk.line?.saturating_sub(usize::from(!hunk.old.is_empty())).checked_add_signed(self.drift)
    }

    /// Returns the position of a hunk that only inserts lines.
    fn gap(&self, there: &[Line<'_>], hunk: &Hunk) -> Result<Window, Refusal> {
        let at = match (&hunk.below, self.expected(hunk)) {
            (_, Some(line)) if line <= there.len() => Some(line),
            (_, Some(_)) => None,
            (Some(below), None) => {
                let mut found = there.iter().enumerate().filter(|(_, line)| line.text.trim() == below.trim());
                found.next().filter(|_| found.next().is_none()).map(|(at, _)| at + 1)
            }
            (None, None) => Some(there.len()),
        };
        at.map(|first| Window { first, count: 0 }).ok_or_else(|| Why::NotFound.into())
    }

    /// Finds the old lines of a hunk: exactly, or without whitespace at the end or at both ends of the lines.
    fn find(&self, there: &[Line<'_>], hunk: &Hunk) -> Result<Option<Window>, Refusal> {
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

    fn choose(&self, places: &[usize], there: &[Line<'_>], hunk: &Hunk) -> Result<usize, Refusal> {
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
        Err(Why::Ambiguous { places: format!("{} places (lines {})", places.len(), named.join(", ")) }.into())
    }

    fn replace(&mut self, hunk: &Hunk, window: &Window) -> Result<(Strategy, usize, usize), Refusal> {
        let there: Vec<Line<'_>> = lines(&self.text).collect();
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
            let Applied { content, receipt } = apply_by(slice, &edit, Some(&hunk.steps(is_ended)))?;
            (receipt.strategy, content)
        };
        self.text.replace_range(start..end, &text);
        self.drift_after(hunk, window.first, hunk.old.len(), hunk.new.len());
        Ok((strategy, window.first, last.max(window.first + 1)))
    }

    /// Updates the drift after a hunk landed at the line `first` and turned `before` lines into `after` lines.
    fn drift_after(&mut self, hunk: &Hunk, first: usize, before: usize, after: usize) {
        let signed = |count: usize| isize::try_from(count).unwrap_or_default();
        let moved = self.expected(hunk).map_or(0, |expected| signed(first) - signed(expected));
        self.drift += moved + signed(after) - signed(before);
    }

    /// Adds or removes the line ending at the end of the text, as the hunk says.
    fn close(&mut self, hunk: &Hunk, first: usize) {
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

impl Hunk {
    /// Returns the line diff of the hunk. If the last line has an ending, the empty text after it counts as an
    /// unchanged line.
    fn steps(&self, is_ended: bool) -> Vec<DiffOp> {
        let mut steps = Vec::new();
        let (mut old_index, mut new_index) = (0, 0);
        let mut signs = self.signs.iter().copied().chain(is_ended.then_some(Sign::Stays)).peekable();
        while let Some(&sign) = signs.peek() {
            let mut count = |wanted: Sign| {
                let mut count = 0;
                while signs.next_if_eq(&wanted).is_some() {
                    count += 1;
                }
                count
            };
            if sign == Sign::Stays {
                let len = count(Sign::Stays);
                steps.push(DiffOp::Equal { old_index, new_index, len });
                (old_index, new_index) = (old_index + len, new_index + len);
                continue;
            }
            let above = count(Sign::Comes);
            let old_len = count(Sign::Goes);
            let new_len = above + count(Sign::Comes);
            steps.push(match (old_len, new_len) {
                (0, _) => DiffOp::Insert { old_index, new_index, new_len },
                (_, 0) => DiffOp::Delete { old_index, old_len, new_index },
                _ => DiffOp::Replace { old_index, old_len, new_index, new_len },
            });
            (old_index, new_index) = (old_index + old_len, new_index + new_len);
        }
        steps
    }

    /// Returns the hunk without the unsigned empty lines at its end.
    pub(super) fn without_unsigned(&self) -> Self {
        let mut hunk = self.clone();
        for _ in 0..hunk.unsigned {
            hunk.old.pop();
            hunk.new.pop();
            hunk.signs.pop();
        }
        hunk.unsigned = 0;
        hunk
    }
}
