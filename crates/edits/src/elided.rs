//! Applies an update that writes out only the new parts of a text: lines such as `// … existing code …` stand for the
//! parts that stay.
//!
//! The update is aligned with the text so that as many lines as possible match in order. Text between two lines that
//! are adjacent in the update is removed; text that an elision line stands for stays.

use crate::align::is_elision;
use crate::apply::{AppliedEdit, whole};
use crate::closest::likeness;
use crate::lines::{TextLine, lines, usual_ending, with_unix_endings};
use crate::refusal::{EditRefusal, RefusalReason};

/// The maximum number of table cells. Larger changes should be made with a quote.
const MOST_CELLS: usize = 40_000_000;
/// The gain for a line that is in both, by its content.
const TELLING: f32 = 2.0;
const SIGNS: f32 = 0.6;
const BLANK: f32 = 0.2;
/// The cost of a line of the update that is not in the text.
const NEW: f32 = 0.3;
/// The small cost of a removed line, so that the nearest of several equal lines is matched.
const GONE: f32 = 0.01;
/// The likeness from which a new line may be meant to replace another.
const ALIKE: f32 = 0.5;
/// The maximum number of lines of a text that any update may replace.
const SMALL: usize = 12;

/// Returns the text with the update applied.
pub fn apply_elided(content: &str, update: &str) -> Result<AppliedEdit, EditRefusal> {
    let update = with_unix_endings(update);
    let there: Vec<TextLine<'_>> = lines(content).collect();
    let wanted: Vec<&str> = update.lines().collect();
    if !wanted.iter().any(|line| is_elision(line)) {
        return replaced(content, &update, there.len(), wanted.len());
    }
    if (there.len() + 1) * (wanted.len() + 1) > MOST_CELLS {
        return Err(RefusalReason::Elided(
            "the file is too long for that. Quote what is to change".to_owned(),
        )
        .into());
    }
    let table = Table::new(&there, &wanted);
    let (steps, others) = (table.steps(false), table.steps(true));
    let written = write(content, &there, &wanted, &steps);
    if written != write(content, &there, &wanted, &others) {
        let why = "the new lines fit in more than one place. Keep more lines around them";
        return Err(RefusalReason::Elided(why.to_owned()).into());
    }
    judge(&there, &wanted, &steps)?;
    if written == content {
        return Err(RefusalReason::NoChange.into());
    }
    Ok(whole(content, written))
}

/// Replaces the whole text by an update without elision lines.
fn replaced(content: &str, update: &str, before: usize, after: usize) -> Result<AppliedEdit, EditRefusal> {
    if before > SMALL && after * 2 < before {
        let why = format!(
            "it has {after} lines where the file has {before}, and none that stands for the rest. Mark what stays by a line \
             `... existing code ...`, or write the whole file"
        );
        return Err(RefusalReason::Elided(why).into());
    }
    let ending = if content.contains('\n') { usual_ending(content) } else { usual_ending(update) };
    let mut text = update.replace('\n', ending.text());
    let has_end = content.ends_with('\n');
    if has_end && !text.is_empty() && !text.ends_with('\n') {
        text.push_str(ending.text());
    }
    if text == content {
        return Err(RefusalReason::NoChange.into());
    }
    Ok(whole(content, text))
}

/// The result for one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The line is in both.
    Same {
        there: usize,
    },
    /// The line is in the text and covered by an elision line.
    Rest {
        there: usize,
    },
    New {
        wanted: usize,
    },
    Gone,
    /// An elision line of the update ends.
    Passed {
        wanted: usize,
    },
}

/// The score of matching each prefix of the update with each prefix of the text, by the kind of match found since the
/// last elision line.
struct Table<'a> {
    there: &'a [TextLine<'a>],
    wanted: &'a [&'a str],
    scores: Vec<[f32; 3]>,
}

/// The kind of match found since the last elision line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Nothing,
    /// A bracket or a blank line, which is ambiguous: a distinctive line must follow.
    Signs,
    /// A distinctive line. Lines may be removed only in this state.
    Firm,
}

const HOLDS: [Hold; 3] = [Hold::Nothing, Hold::Signs, Hold::Firm];

/// A cell of the table: the position in the update, the position in the text, and the match state.
type Cell = (usize, usize, Hold);

/// The first cell. The beginning of the text counts as a distinctive match.
const BEGIN: Cell = (0, 0, Hold::Firm);
const NOWHERE: f32 = -1e9;

impl<'a> Table<'a> {
    fn new(there: &'a [TextLine<'a>], wanted: &'a [&'a str]) -> Self {
        let cells = (there.len() + 1) * (wanted.len() + 1);
        let mut table = Self { there, wanted, scores: vec![[NOWHERE; 3]; cells] };
        table.scores[0][BEGIN.2 as usize] = 0.0;
        for row in 0..=wanted.len() {
            for column in 0..=there.len() {
                for hold in HOLDS {
                    if (row, column) != (0, 0) {
                        let ways = table.ways((row, column, hold));
                        let best = ways.fold(NOWHERE, |best, (score, ..)| best.max(score));
                        let cell = row * (there.len() + 1) + column;
                        table.scores[cell][hold as usize] = best;
                    }
                }
            }
        }
        table
    }

    fn score(&self, (row, column, hold): Cell) -> f32 {
        self.scores[row * (self.there.len() + 1) + column][hold as usize]
    }

    /// Returns the transitions into a cell: the score, the step and the previous cell of each.
    fn ways(&self, (row, column, hold): Cell) -> impl Iterator<Item = (f32, Step, Cell)> + '_ {
        let wanted = row.checked_sub(1).map(|at| (at, self.wanted[at], is_elision(self.wanted[at])));
        let there = column.checked_sub(1);
        let line = wanted.filter(|(.., rest)| !rest).map(|(at, line, _)| (at, line));
        let rest = wanted.filter(|(.., rest)| *rest).map(|(at, ..)| at);
        let way = move |gain: f32, step: Step, from: Cell| (self.score(from) + gain, step, from);
        let same =
            line.zip(there).filter(|((_, line), at)| line.trim_end() == self.there[*at].text.trim_end());
        let same = same.into_iter().flat_map(move |((_, line), at)| {
            let weight = weight(line);
            let before: &[Hold] = match (weight >= TELLING, hold) {
                (true, Hold::Firm) => &HOLDS,
                (false, Hold::Firm) => &[Hold::Firm],
                (false, Hold::Signs) => &[Hold::Nothing, Hold::Signs],
                (true, Hold::Nothing | Hold::Signs) | (false, Hold::Nothing) => &[],
            };
            before
                .iter()
                .map(move |&before| way(weight, Step::Same { there: at }, (row - 1, column - 1, before)))
        });
        let is_free = hold == Hold::Nothing;
        let kept = rest.zip(there).filter(|_| is_free);
        let kept = kept.map(move |(_, at)| way(0.0, Step::Rest { there: at }, (row, column - 1, hold)));
        let passed = rest.filter(|_| is_free).into_iter().flat_map(move |at| {
            let before = [Hold::Nothing, Hold::Firm];
            before.map(|before| way(0.0, Step::Passed { wanted: at }, (row - 1, column, before)))
        });
        let new = line.map(move |(at, _)| way(-NEW, Step::New { wanted: at }, (row - 1, column, hold)));
        let gone = there.filter(|_| hold == Hold::Firm && rest.is_none());
        // With equal scores, prefer to remove lines after the end of the update rather than within it.
        let cost = if row == self.wanted.len() { GONE / 2.0 } else { GONE };
        let gone = gone.map(move |_| way(-cost, Step::Gone, (row, column - 1, hold)));
        same.chain(kept).chain(passed).chain(new).chain(gone)
    }

    /// Returns the best steps in order. `last` selects the last of equally good transitions instead of the first, which
    /// reveals ambiguity.
    fn steps(&self, last: bool) -> Vec<Step> {
        let ends = [Hold::Firm, Hold::Nothing].map(|hold| (self.wanted.len(), self.there.len(), hold));
        let mut cell = if self.score(ends[0]) >= self.score(ends[1]) { ends[0] } else { ends[1] };
        let mut steps = Vec::with_capacity(self.wanted.len() + self.there.len());
        while (cell.0, cell.1) != (0, 0) {
            let best = self.score(cell);
            let mut good =
                self.ways(cell).filter(|(score, ..)| *score > NOWHERE && (score - best).abs() < 1e-4);
            let way = if last { good.last() } else { good.next() };
            let Some((_, step, from)) = way else { break };
            steps.push(step);
            cell = from;
        }
        steps.reverse();
        steps
    }
}

fn weight(line: &str) -> f32 {
    match line.trim() {
        "" => BLANK,
        line if line.chars().any(char::is_alphanumeric) => TELLING,
        _ => SIGNS,
    }
}

fn write(content: &str, there: &[TextLine<'_>], wanted: &[&str], steps: &[Step]) -> String {
    let usual = usual_ending(content);
    let mut text = String::with_capacity(content.len());
    for step in steps {
        match *step {
            Step::Same { there: at } | Step::Rest { there: at } => {
                text.push_str(there[at].text);
                text.push_str(there[at].ending.unwrap_or(usual).text());
            }
            Step::New { wanted: at } => {
                text.push_str(wanted[at]);
                text.push_str(usual.text());
            }
            Step::Gone | Step::Passed { .. } => {}
        }
    }
    if !content.ends_with('\n') {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

/// Refuses an alignment with an unclear or unlikely meaning.
fn judge(there: &[TextLine<'_>], wanted: &[&str], steps: &[Step]) -> Result<(), EditRefusal> {
    let refuse = |why: &str| Err(RefusalReason::Elided(why.to_owned()).into());
    let gone = steps.iter().filter(|step| **step == Step::Gone).count();
    if gone > SMALL.max(there.len() / 2) {
        return refuse(
            "more than half of the file would go. Keep a line above and below each that stands for the rest",
        );
    }
    // An update that ends without an elision line is probably not meant to remove the end of the file.
    let at_end = steps.iter().rev().take_while(|step| **step == Step::Gone).count();
    if there[there.len() - at_end..].iter().any(|line| weight(line.text) >= TELLING) {
        return refuse(
            "the end of the file would go. Where it stays, end with a line that stands for the rest",
        );
    }
    let at_start = steps.iter().take_while(|step| **step == Step::Gone).count();
    if there[..at_start].iter().any(|line| weight(line.text) >= TELLING) {
        return refuse(
            "the beginning of the file would go. Where it stays, begin with a line that stands for the rest",
        );
    }
    let has_place = |step: &Step| match *step {
        Step::Same { there: at } => weight(there[at].text) >= TELLING,
        _ => false,
    };
    let parts: Vec<&[Step]> =
        steps.split(|step| matches!(step, Step::Passed { .. } | Step::Rest { .. })).collect();
    let parts: Vec<&&[Step]> = parts.iter().filter(|part| !part.is_empty()).collect();
    let is_outer =
        |at: usize| at == 0 && !starts_with_rest(steps) || at + 1 == parts.len() && !ends_with_rest(steps);
    if parts.iter().enumerate().any(|(at, part)| !is_outer(at) && !part.iter().any(has_place)) {
        return refuse("nothing says where the new lines belong. Keep a line above or below them");
    }
    match replaced_perhaps(there, wanted, steps) {
        Some((line, new)) => refuse(&format!(
            "it is not clear whether `{}` stays or becomes `{}`. Keep the line that stands beside it",
            line.trim(),
            new.trim()
        )),
        None => Ok(()),
    }
}

fn starts_with_rest(steps: &[Step]) -> bool {
    matches!(steps.first(), Some(Step::Passed { .. } | Step::Rest { .. }))
}

fn ends_with_rest(steps: &[Step]) -> bool {
    matches!(steps.last(), Some(Step::Passed { .. } | Step::Rest { .. }))
}

/// Returns a kept line and an adjacent, similar new line, since the new line may be meant to replace the kept one.
fn replaced_perhaps<'a>(
    there: &'a [TextLine<'a>],
    wanted: &'a [&'a str],
    steps: &[Step],
) -> Option<(&'a str, &'a str)> {
    let steps: Vec<Step> =
        steps.iter().copied().filter(|step| !matches!(step, Step::Passed { .. })).collect();
    steps.windows(2).find_map(|pair| {
        let ((Step::New { wanted: new }, Step::Rest { there: at })
        | (Step::Rest { there: at }, Step::New { wanted: new })) = (pair[0], pair[1])
        else {
            return None;
        };
        let (line, new) = (there[at].text, wanted[new]);
        (likeness(line, new) >= ALIKE).then_some((line, new))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, update: &str, expected: Option<&str>) {
        let filled = apply_elided(content, update).map(|applied| applied.content);
        assert_eq!(filled.as_deref().ok(), expected, "{update}: {filled:?}");
    }

    const FILE: &str = "import a\nimport b\n\nfn one() {\n    first();\n    second();\n}\n\nfn two() {\n    third();\n}\n\nfn three() {\n    fourth();\n}\n";

    #[test]
    fn what_was_left_out_stays() {
        check(
            FILE,
            "// ... existing code ...\nfn two() {\n    third();\n    more();\n}\n// ... existing code ...\n",
            Some(&FILE.replace("    third();\n", "    third();\n    more();\n")),
        );
        check(
            FILE,
            "import a\nimport b\nimport c\n// … existing code …\n",
            Some(&FILE.replace("import b\n", "import b\nimport c\n")),
        );
        check(
            FILE,
            "// ... existing code ...\n\nfn four() {\n    fifth();\n}\n",
            Some(&format!("{FILE}\nfn four() {{\n    fifth();\n}}\n")),
        );
        check(
            FILE,
            "# ... rest of the file\nfn one() {\n    other();\n}\n\nfn two() {\n// ...\n",
            Some(&FILE.replace("    first();\n    second();\n", "    other();\n")),
        );
        check(
            FILE,
            "// ...\nfn one() {\n    first();\n    // ... existing code ...\n}\n\nfn two() {\n    third(3);\n}\n// ...\n",
            Some(&FILE.replace("third()", "third(3)")),
        );
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        check("a()\nx\nb()\nx\nc()\n", "...\nx\nnew()\n...\n", None);
        check(FILE, "// ...\nfn ninety() {\n}\n// ...\n", None);
        check(FILE, "fn one() {\n    first();\n}\n", None);
        check(FILE, "// ... existing code ...\n", None);
        check("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 4\n# ...\n", None);
        check(FILE, "// ...\nfn two() {\n    third();\n    more();\n}\n", None);
        check(FILE, "import a\n// ...\nfn three() {\n    fourth();\n}\n", None);
    }

    #[test]
    fn lines_end_as_they_did() {
        check("a = 1\r\nb = 2\r\nc = 3", "a = 1\nb = 4\nc = 3\n# ...\n", Some("a = 1\r\nb = 4\r\nc = 3"));
        check("a\nb\n", "x\ny", Some("x\ny\n"));
        check("", "x\n", Some("x\n"));
    }
}
