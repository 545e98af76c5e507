use std::collections::HashMap;

/// The marks of a line and which of them belong together, found in one pass. Without this, each mark of a hostile line
/// would look through the rest of the line again.
#[derive(Debug, Default)]
pub struct InlineMarks {
    /// The position of the bracket that closes another one, by the position of that one.
    brackets: HashMap<usize, usize>,
    /// The positions of the runs of backticks, by their length.
    backticks: HashMap<usize, Vec<usize>>,
    /// The runs of `*` and `_` that are neither escaped nor in code.
    runs: Vec<Run>,
    /// The positions in `runs` that can close an emphasis, by its mark and the number of its marks.
    closers: [[Vec<usize>; LONGEST_MARK]; 2],
}

/// A run of the same mark.
#[derive(Debug, Clone, Copy)]
struct Run {
    mark: char,
    start: usize,
    length: usize,
    before: Option<char>,
    next: Option<char>,
}

/// The most marks of an emphasis: bold and italic.
pub const LONGEST_MARK: usize = 3;

impl InlineMarks {
    /// Finds the marks of a text. In one that is not `complete`, marks at its end are left out, as they may become more.
    pub fn new(text: &str, complete: bool) -> Self {
        let mut marks = Self::default();
        marks.find_backticks(text, complete);
        let mut open: [Vec<usize>; 2] = Default::default();
        let mut before = None;
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let start = at;
            at += character.len_utf8();
            match character {
                '\\' => at += text[at..].chars().next().map_or(0, char::len_utf8),
                '`' => {
                    at = start + run(&text[start..], '`');
                    if let Some(end) = marks.code_end(start, at - start, text.len()) {
                        at += end - start;
                    }
                }
                '*' | '_' => {
                    at = start + run(&text[start..], character);
                    let next = text[at..].chars().next();
                    if next.is_some() || complete {
                        marks.runs.push(Run { mark: character, start, length: at - start, before, next });
                    }
                }
                '[' => open[0].push(start),
                '(' => open[1].push(start),
                ']' | ')' => {
                    if let Some(opening) = open[usize::from(character == ')')].pop() {
                        marks.brackets.insert(opening, start);
                    }
                }
                _ => {}
            }
            before = text[..at].chars().next_back();
        }
        marks.find_closers();
        marks
    }

    /// Returns the position of the bracket that closes the one at `opening`, if it is before `end`.
    pub fn closing_bracket(&self, opening: usize, end: usize) -> Option<usize> {
        self.brackets.get(&opening).copied().filter(|closing| *closing < end)
    }

    /// Returns the position of the backticks that close as many at `opening`, if they are before `end`.
    pub fn code_end(&self, opening: usize, length: usize, end: usize) -> Option<usize> {
        let runs = self.backticks.get(&length)?;
        let after = runs.partition_point(|start| *start < opening + length);
        runs.get(after).copied().filter(|start| start + length <= end)
    }

    /// Returns the position of the marks that close an emphasis whose text begins at `from`, if they are before `end`.
    pub fn emphasis_end(&self, mark: char, count: usize, from: usize, end: usize) -> Option<usize> {
        let closers = self.closers[index(mark)].get(count - 1)?;
        let next = closers.partition_point(|run| self.runs[*run].start < from);
        let whole = closers.get(next).map(|run| self.runs[*run]).filter(|run| run.start + run.length <= end);
        let closing = whole.or_else(|| {
            // The text may end within a run, whose other marks close what is around it.
            let last = self.runs.partition_point(|run| run.start < end).checked_sub(1)?;
            let run = self.runs[last];
            let cut = Run { length: end - run.start, next: None, ..run };
            let is_cut = run.start >= from && cut.length < run.length;
            (is_cut && run.mark == mark && cut.closes(count)).then_some(cut)
        })?;
        // In a longer run, the first marks belong to the inner emphasis.
        Some(closing.start + (closing.length - count))
    }

    fn find_backticks(&mut self, text: &str, complete: bool) {
        let mut at = 0;
        while let Some(found) = text[at..].find('`') {
            let start = at + found;
            let length = run(&text[start..], '`');
            at = start + length;
            if complete || at < text.len() {
                self.backticks.entry(length).or_default().push(start);
            }
        }
    }

    fn find_closers(&mut self) {
        for (at, run) in self.runs.iter().enumerate() {
            for (count, closers) in (1..).zip(&mut self.closers[index(run.mark)]) {
                if run.closes(count) {
                    closers.push(at);
                }
            }
        }
    }
}

impl Run {
    /// Returns true if this run closes an emphasis with this number of marks.
    fn closes(&self, count: usize) -> bool {
        let fits = self.length == count || self.length >= LONGEST_MARK || (count == 1 && self.length != 2);
        let follows_text = self.before.is_some_and(|character| !character.is_whitespace());
        let within_word = self.mark == '_' && self.next.is_some_and(char::is_alphanumeric);
        fits && self.length >= count && follows_text && !within_word
    }
}

fn index(mark: char) -> usize {
    usize::from(mark == '_')
}

/// Returns the number of marks at the start.
pub fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}
