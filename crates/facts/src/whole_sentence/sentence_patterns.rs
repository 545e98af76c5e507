//! Patterns of phrases, written as tables.
//!
//! In a pattern `@` is the name that is told, `%` the name that it replaces, and `&` a person. `a|b` is either word and
//! `?a` may be missing; `*3` is up to three words of the same sentence, `#3` of any. `^` begins a clause and `$` ends
//! one. A pattern with a leading `!` counts without a check of the words around it.

use super::name_mention::NameMention;
use super::sentence_view::SentenceView;
use crate::openings::is_filler;

enum Part {
    Word(Vec<&'static str>),
    Maybe(Vec<&'static str>),
    Gap { most: usize, crosses: bool },
    New,
    Old,
    Somebody,
    Starts,
    Ends,
}

impl Part {
    fn of(written: &'static str) -> Self {
        let most = |digits: &str| digits.parse().unwrap_or_default();
        match written.split_at_checked(1) {
            Some(("@", "")) => Self::New,
            Some(("%", "")) => Self::Old,
            Some(("&", "")) => Self::Somebody,
            Some(("^", "")) => Self::Starts,
            Some(("$", "")) => Self::Ends,
            Some(("*", digits)) => Self::Gap { most: most(digits), crosses: false },
            Some(("#", digits)) => Self::Gap { most: most(digits), crosses: true },
            Some(("?", words)) if !words.is_empty() => Self::Maybe(words.split('|').collect()),
            _ => Self::Word(written.split('|').collect()),
        }
    }
}

pub struct SentencePattern {
    parts: Vec<Part>,
    is_sure: bool,
}

/// Parses a table of patterns, one per line.
pub fn sentence_patterns(table: &'static str) -> Vec<SentencePattern> {
    let lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
    let turn = |line: &'static str| {
        let (is_sure, line) = line.strip_prefix('!').map_or((false, line), |line| (true, line));
        SentencePattern { parts: line.split_whitespace().map(Part::of).collect(), is_sure }
    };
    lines.map(turn).collect()
}

/// The names in a matched pattern.
#[derive(Clone, Copy, Default)]
pub struct SentenceMatch<'s> {
    pub new: Option<&'s NameMention>,
    pub old: Option<&'s NameMention>,
    pub is_sure: bool,
    start: usize,
    end: usize,
}

/// The view that is searched, and the names that may match.
pub struct SentencePatternSearch<'s, 'a> {
    pub view: &'s SentenceView<'a>,
    pub is_candidate: &'s dyn Fn(&NameMention) -> bool,
    pub is_person: &'s dyn Fn(&NameMention) -> bool,
}

impl<'s> SentencePatternSearch<'s, '_> {
    /// Returns the first match of these patterns that is meant as stated.
    pub fn first(&self, sentence_patterns: &[SentencePattern]) -> Option<SentenceMatch<'s>> {
        sentence_patterns.iter().find_map(|turn| {
            (0..self.view.words.len()).find_map(|at| {
                let start =
                    SentenceMatch { start: at, end: at, is_sure: turn.is_sure, ..SentenceMatch::default() };
                self.follow(&turn.parts, start).filter(|found| found.is_sure || self.is_meant(found))
            })
        })
    }

    fn follow(&self, parts: &[Part], so_far: SentenceMatch<'s>) -> Option<SentenceMatch<'s>> {
        let Some((part, rest)) = parts.split_first() else { return Some(so_far) };
        let at = so_far.end;
        let word = self.view.word(at);
        let further = |steps: usize| SentenceMatch { end: at + steps, ..so_far };
        let found = match part {
            Part::Word(list) => is_one_of(list, word).then(|| self.follow(rest, further(1))).flatten(),
            Part::Maybe(list) => {
                let taken = is_one_of(list, word).then(|| self.follow(rest, further(1))).flatten();
                taken.or_else(|| self.follow(rest, so_far))
            }
            Part::Gap { most, crosses } => {
                let open = self.view.words[at.min(self.view.words.len())..].iter().take(*most);
                let open = open.take_while(|word| is_open(word, *crosses)).count();
                (0..=open).find_map(|steps| self.follow(rest, further(steps)))
            }
            Part::New => self.name(at, self.is_candidate).and_then(|name| {
                self.follow(rest, SentenceMatch { new: Some(name), end: name.range.end, ..so_far })
            }),
            Part::Old => self.name(at, self.is_candidate).and_then(|name| {
                self.follow(rest, SentenceMatch { old: Some(name), end: name.range.end, ..so_far })
            }),
            Part::Somebody => self
                .name(at, self.is_person)
                .and_then(|name| self.follow(rest, SentenceMatch { end: name.range.end, ..so_far })),
            Part::Starts => {
                let before = self.view.before(at, 1);
                let starts = before.is_empty() || is_mark(before) || matches!(before, "and" | "but" | "so");
                starts.then(|| self.follow(rest, so_far)).flatten()
            }
            Part::Ends => {
                let ends = word.is_empty() || is_mark(word) || matches!(word, "and" | "but" | "so");
                ends.then(|| self.follow(rest, so_far)).flatten()
            }
        };
        // *I'm just at Lego*, *in lovely Rome*: such words may occur anywhere.
        let passes = !matches!(part, Part::Starts | Part::Ends) && at > so_far.start && is_passed_over(word);
        found.or_else(|| passes.then(|| self.follow(parts, further(1))).flatten())
    }

    fn name(&self, at: usize, is_candidate: &dyn Fn(&NameMention) -> bool) -> Option<&'s NameMention> {
        self.view.names.iter().find(|name| name.range.start == at).filter(|name| is_candidate(name))
    }

    /// Returns true if nothing around the match takes it back.
    fn is_meant(&self, found: &SentenceMatch<'_>) -> bool {
        let (before, after) = self.view.words.split_at(found.start);
        let after = &after[found.end - found.start..];
        let sentence = before.iter().rposition(|word| is_end(word)).map_or(0, |at| at + 1);
        let clause = before
            .iter()
            .rposition(|word| is_mark(word) || words!("but because since although though").contains(*word))
            .map_or(0, |at| at + 1);
        let mut goes_on = after.iter().take_while(|word| !is_mark(word));
        // *Dad was not happy, but Lego hired me*: a supposition extends beyond a comma, a negation does not.
        !before[clause..].iter().any(|word| is_doubt(word))
            && !before[sentence..]
                .iter()
                .any(|word| words!("if imagine dreamt whether unless").contains(*word))
            && !goes_on.any(|word| words!("would could might must until till").contains(*word))
    }
}

/// Returns true if a word may stand in a gap.
fn is_open(word: &str, crosses: bool) -> bool {
    !word.is_empty() && word != "'s" && (crosses || !is_end(word)) && !is_doubt(word)
}

fn is_one_of(list: &[&str], word: &str) -> bool {
    list.contains(&word) || word == "'s" && (list.contains(&"is") || list.contains(&"has"))
}

fn is_end(word: &str) -> bool {
    matches!(word, "." | "!" | "?" | ";" | "…")
}

fn is_mark(word: &str) -> bool {
    is_end(word) || matches!(word, "," | ":" | "-" | "–" | "—" | "(" | ")" | "\u{1}")
}

fn is_passed_over(word: &str) -> bool {
    is_filler(word)
        || words!("now both all also sunny rainy quiet little dear beautiful wonderful lovely good")
            .contains(word)
}

/// Returns true for words that make a statement a mere thought.
fn is_doubt(word: &str) -> bool {
    words!(
        "not never no nobody if whether would could might should wish dream dreamt dreaming imagine nearly almost \
        want wants wanted hope hoping plan plans planning considering consider maybe perhaps rumour thinks think \
        believed believes claims claimed supposed pretend applied interview cancelled unless far neither"
    )
    .contains(word)
}
