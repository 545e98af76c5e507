//! Collects the relevance signals and combines them into a score.

use std::collections::HashMap;
use std::sync::Arc;

use store::WordWeights;
use symbols::map::Focus;

use super::query::{ParsedRequest, is_name};
use super::reason::Reason;
use super::request::{RankedFile, RelevanceRequest, SimilaritySearch};
use crate::history::GitHistory;
use crate::index::{FileCatalogue, IndexError, WorkspaceIndex};
use crate::path::WorkspacePath;

/// The number of best files whose neighbours are considered.
const SEEDS: usize = 8;
/// The maximum number of results of each search.
const FOUND: usize = 200;
/// The number of definitions from which on a name is too common to be used.
const MOST_PLACES: usize = 40;
/// The maximum number of reasons of a file; `LEAST_SHARE` is the minimum share of a reason in the score.
const MOST_REASONS: usize = 4;
const LEAST_SHARE: f64 = 0.04;
/// The maximum number of words quoted in a reason.
const MOST_QUOTED: usize = 3;

/// The signals, in the order of [`WEIGHTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// The request contains the path of the file.
    Mention,
    /// The file is open, was used recently, or failed a check.
    Context,
    Path,
    Symbol,
    Words,
    Commits,
    Similarity,
    ChangedTogether,
    Map,
    ChangeFrequency,
}

const SIGNALS: usize = 10;

/// The weight of each signal. Moderate changes of these numbers have little effect.
const WEIGHTS: [f64; SIGNALS] = [6.0, 1.5, 1.0, 0.5, 2.4, 0.75, 1.5, 0.25, 0.25, 0.2];

/// The last signal that depends on the request; the ones after it depend only on other files.
const LAST_OWN_SIGNAL: usize = Signal::Similarity as usize;

const WORDS: WordWeights = WordWeights { path: 4.0, names: 2.0, prose: 1.0, body: 1.0 };

type Scores = HashMap<usize, f64>;

pub struct Scorer<'a> {
    index: &'a WorkspaceIndex,
    parsed: &'a ParsedRequest,
    request: &'a RelevanceRequest<'a>,
    catalogue: Arc<FileCatalogue>,
    /// The scores of each file from 0 to 1, by signal.
    scores: HashMap<usize, [f64; SIGNALS]>,
    /// The file that each file was changed with most, the number of common commits, and the strength of the coupling.
    changed_with: HashMap<usize, (WorkspacePath, usize, f64)>,
    /// The number of commits of each file with similar messages.
    matching_commits: HashMap<usize, usize>,
    /// The names defined in each file that the request contains.
    defined: HashMap<usize, Vec<String>>,
}

impl<'a> Scorer<'a> {
    pub fn new(
        index: &'a WorkspaceIndex,
        parsed: &'a ParsedRequest,
        request: &'a RelevanceRequest<'a>,
    ) -> Result<Self, IndexError> {
        Ok(Self {
            index,
            parsed,
            request,
            catalogue: index.catalogue()?,
            scores: HashMap::new(),
            changed_with: HashMap::new(),
            matching_commits: HashMap::new(),
            defined: HashMap::new(),
        })
    }

    fn set(&mut self, signal: Signal, scores: Scores) {
        for (file, score) in scores {
            self.scores.entry(file).or_default()[signal as usize] = score;
        }
    }

    /// Collects the signals from the words of the request and from its context.
    pub fn add_words(&mut self) -> Result<(), IndexError> {
        let named = self.parsed.paths.iter().flat_map(|path| self.catalogue.named(path));
        let named = named.map(|file| (file, 1.0)).collect();
        self.set(Signal::Mention, named);

        let mut before = Scores::new();
        let recent =
            self.request.recent.iter().zip(1_u32..).map(|(path, place)| (path, 0.5 / f64::from(place)));
        let failed = self.request.failed.iter().map(|path| (path, 1.0));
        for (path, score) in recent.chain(self.request.open_file.map(|path| (path, 0.6))).chain(failed) {
            if let Some(file) = self.catalogue.number(path) {
                let most = before.entry(file).or_default();
                *most = most.max(score);
            }
        }
        self.set(Signal::Context, before);

        let mut by_path = Scores::new();
        for term in &self.parsed.terms {
            for (file, weight) in self.catalogue.with_term(&term.stem) {
                *by_path.entry(file).or_default() += term.weight * weight;
            }
        }
        self.set(Signal::Path, scaled(by_path));

        let words: Vec<String> = self.parsed.terms.iter().map(|term| term.word.clone()).collect();
        let found = self.index.code().search(&words, WORDS, FOUND)?;
        let found =
            found.into_iter().filter_map(|(path, score)| Some((self.catalogue.number_of(&path)?, score)));
        let found = scaled(found.collect());
        self.set(Signal::Words, found);
        self.add_symbols()
    }

    fn add_symbols(&mut self) -> Result<(), IndexError> {
        let mut scores = Scores::new();
        for name in &self.parsed.names {
            let found = self.index.find_symbol(name, MOST_PLACES)?;
            if found.is_empty() || found.len() == MOST_PLACES {
                continue;
            }
            // A plain word may match a name by chance.
            let share = if is_name(name) { 1.0 } else { 0.35 } / number(found.len()).sqrt();
            for symbol in found {
                let Some(file) = self.catalogue.number(&symbol.path) else { continue };
                let names = self.defined.entry(file).or_default();
                if !names.contains(&symbol.name) {
                    names.push(symbol.name);
                    let score = scores.entry(file).or_default();
                    *score = f64::min(*score + share, 1.0);
                }
            }
        }
        self.set(Signal::Symbol, scores);
        Ok(())
    }

    pub fn add_history(&mut self, history: Option<&GitHistory>) {
        let Some(history) = history else { return };
        let terms: Vec<(&str, f64)> =
            self.parsed.terms.iter().map(|term| (term.stem.as_str(), term.weight)).collect();
        let mut matching = Scores::new();
        for (path, (score, commits)) in history.matching_commits(&terms) {
            if let Some(file) = self.catalogue.number(path) {
                matching.insert(file, score);
                self.matching_commits.insert(file, commits);
            }
        }
        self.set(Signal::Commits, scaled(matching));
        let files = self.catalogue.files.iter().enumerate();
        let frequency = files.map(|(file, listing)| (file, history.change_frequency(&listing.path)));
        let frequency = scaled(frequency.filter(|(_, score)| *score > 0.0).collect());
        self.set(Signal::ChangeFrequency, frequency);
    }

    pub fn add_similarity(&mut self, similarity: Option<&dyn SimilaritySearch>) {
        let Some(similarity) = similarity else { return };
        let similar = similarity.similar(self.request.text).into_iter().filter_map(|(path, score)| {
            let score = f64::from(score);
            Some((self.catalogue.number(&path)?, if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 }))
        });
        let similar = similar.collect();
        self.set(Signal::Similarity, similar);
    }

    /// Collects the signals from files related to the best ones so far, by common commits or by names.
    pub fn add_neighbours(&mut self, history: Option<&GitHistory>) -> Result<(), IndexError> {
        let knows = |(file, _): &(usize, f64)| self.is_known(*file);
        let seeds: Vec<(usize, f64)> = self.sorted().into_iter().filter(knows).take(SEEDS).collect();
        if seeds.is_empty() {
            self.scores.clear();
            return Ok(());
        }
        let mut together = Scores::new();
        let pairs = history.into_iter().flat_map(|history| seeds.iter().map(move |seed| (history, seed)));
        for (history, (seed, score)) in pairs {
            let path = self.catalogue.files[*seed].path.clone();
            for (other, commits, share) in history.changed_with(&path) {
                let Some(other) = self.catalogue.number(other) else { continue };
                let share = score * share;
                *together.entry(other).or_default() += share;
                let most = self.changed_with.entry(other).or_insert_with(|| (path.clone(), commits, share));
                if most.2 < share {
                    *most = (path.clone(), commits, share);
                }
            }
        }
        self.set(Signal::ChangedTogether, scaled(together));
        let texts = |paths: &[WorkspacePath]| paths.iter().map(|path| path.as_str().to_owned()).collect();
        let focus = Focus {
            files: seeds.iter().map(|(file, _)| self.catalogue.files[*file].path.to_string()).collect(),
            names: self.parsed.names.clone(),
            recent: texts(self.request.recent),
            failed: texts(self.request.failed),
            known: Vec::new(),
        };
        let ranked = self.index.graph()?.ranked(&focus).into_iter().take(FOUND);
        let ranked = ranked.filter_map(|(path, rank)| Some((self.catalogue.number_of(&path)?, rank)));
        let ranked = scaled(ranked.collect());
        self.set(Signal::Map, ranked);
        Ok(())
    }

    /// Returns true if a signal that depends on the request has found the file.
    fn is_known(&self, file: usize) -> bool {
        self.scores
            .get(&file)
            .is_some_and(|scores| scores[..=LAST_OWN_SIGNAL].iter().any(|score| *score > 0.0))
    }

    fn score(&self, file: usize, scores: &[f64; SIGNALS]) -> f64 {
        let sum: f64 = scores.iter().zip(WEIGHTS).map(|(scores, weight)| scores * weight).sum();
        // A request with the path of a test is about that test.
        let is_meant = self.parsed.mentions_tests || scores[Signal::Mention as usize] > 0.0;
        sum * self.catalogue.files[file].weight(is_meant)
    }

    fn sorted(&self) -> Vec<(usize, f64)> {
        let scores = self.scores.iter().map(|(file, scores)| (*file, self.score(*file, scores)));
        let mut sorted: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        sorted.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        sorted
    }

    /// Returns the best files with their reasons.
    pub fn ranked(self, history: Option<&GitHistory>, limit: usize) -> Result<Vec<RankedFile>, IndexError> {
        let mut relevant = Vec::new();
        for (file, score) in self.sorted() {
            if relevant.len() == limit {
                break;
            }
            let reasons = self.reasons(file, history)?;
            // A file without any reason was found by chance.
            if !reasons.is_empty() {
                relevant.push(RankedFile { path: self.catalogue.files[file].path.clone(), score, reasons });
            }
        }
        Ok(relevant)
    }

    fn reasons(&self, file: usize, history: Option<&GitHistory>) -> Result<Vec<Reason>, IndexError> {
        let scores = self.scores.get(&file).copied().unwrap_or_default();
        let mut counts: Vec<(Signal, f64)> = ALL
            .iter()
            .zip(scores.iter().zip(WEIGHTS))
            .map(|(one, (scores, weight))| (*one, scores * weight))
            .collect();
        let whole: f64 = counts.iter().map(|(_, count)| count).sum();
        counts.retain(|(_, count)| *count > LEAST_SHARE * whole);
        counts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut reasons = Vec::new();
        for (signal, _) in counts {
            reasons.extend(self.reason(file, signal, history)?);
        }
        reasons.truncate(MOST_REASONS);
        Ok(reasons)
    }

    fn reason(
        &self,
        file: usize,
        signal: Signal,
        history: Option<&GitHistory>,
    ) -> Result<Option<Reason>, IndexError> {
        let path = &self.catalogue.files[file].path;
        let few =
            |words: Vec<String>| (!words.is_empty()).then(|| words.into_iter().take(MOST_QUOTED).collect());
        Ok(match signal {
            Signal::Mention => Some(Reason::Named),
            Signal::Context if self.request.failed.contains(path) => Some(Reason::Failed),
            Signal::Context if self.request.open_file == Some(path) => Some(Reason::Open),
            Signal::Context => Some(Reason::Recent),
            Signal::Path => {
                let is_in = |stem: &str| self.catalogue.with_term(stem).any(|(with, _)| with == file);
                let terms = self.parsed.terms.iter().filter(|term| is_in(&term.stem));
                few(terms.map(|term| term.written.clone()).collect()).map(Reason::PathContains)
            }
            Signal::Symbol => few(self.defined.get(&file).cloned().unwrap_or_default()).map(Reason::Defines),
            Signal::Words => {
                let terms: Vec<String> = self.parsed.terms.iter().map(|term| term.word.clone()).collect();
                let found = self.index.code().terms_in(path.as_str(), &terms)?;
                let scores = self.parsed.terms.iter().filter(|term| found.contains(&term.word));
                few(scores.map(|term| term.written.clone()).collect()).map(Reason::Contains)
            }
            Signal::Commits => {
                let commits = self.matching_commits.get(&file).copied().unwrap_or_default();
                (commits > 0).then_some(Reason::MatchingCommits { commits })
            }
            Signal::Similarity => Some(Reason::SimilarText),
            Signal::ChangedTogether => self
                .changed_with
                .get(&file)
                .map(|(path, commits, _)| Reason::ChangedWith { path: path.clone(), commits: *commits }),
            // A file that was found directly is not described by its relation to itself.
            Signal::Map => (!self.is_known(file)).then_some(Reason::SharesNames),
            Signal::ChangeFrequency => {
                history.map(|history| Reason::OftenChanged { commits: history.commit_count(path) })
            }
        })
    }
}

const ALL: [Signal; SIGNALS] = [
    Signal::Mention,
    Signal::Context,
    Signal::Path,
    Signal::Symbol,
    Signal::Words,
    Signal::Commits,
    Signal::Similarity,
    Signal::ChangedTogether,
    Signal::Map,
    Signal::ChangeFrequency,
];

/// Scales the scores of a signal so that the best one is 1.
fn scaled(scores: Scores) -> Scores {
    let most = scores.values().copied().fold(0.0, f64::max);
    if most > 0.0 {
        scores.into_iter().map(|(file, score)| (file, score / most)).collect()
    } else {
        Scores::new()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files and commits")]
fn number(count: usize) -> f64 {
    count as f64
}
