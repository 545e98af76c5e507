//! Collects the relevance signals and combines them into a score.

use std::collections::HashMap;
use std::sync::Arc;

use store::WordWeights;
use symbols::map::Focus;

use super::asking::{Asked, is_name};
use super::{Meaning, Reason, Relevant, Request};
use crate::history::History;
use crate::index::{Catalogue, Index, IndexError};
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
enum Witness {
    /// The request contains the path of the file.
    Mention,
    /// The file is open, was used recently, or failed a check.
    Before,
    Path,
    Symbol,
    Words,
    Spoken,
    Meaning,
    Together,
    Map,
    Lively,
}

const WITNESSES: usize = 10;

/// The weight of each signal. Moderate changes of these numbers have little effect.
const WEIGHTS: [f64; WITNESSES] = [6.0, 1.5, 1.0, 0.5, 2.4, 0.75, 1.5, 0.25, 0.25, 0.2];

/// The last signal that depends on the request; the ones after it depend only on other files.
const KNOWING: usize = Witness::Meaning as usize;

const WORDS: WordWeights = WordWeights { path: 4.0, names: 2.0, prose: 1.0, body: 1.0 };

type Said = HashMap<usize, f64>;

pub struct Hearing<'a> {
    index: &'a Index,
    asked: &'a Asked,
    request: &'a Request<'a>,
    catalogue: Arc<Catalogue>,
    /// The scores of each file from 0 to 1, by signal.
    said: HashMap<usize, [f64; WITNESSES]>,
    /// The file that each file was changed with most, the number of common commits, and the strength of the coupling.
    changed_with: HashMap<usize, (WorkspacePath, usize, f64)>,
    /// The number of commits of each file with similar messages.
    spoken_of: HashMap<usize, usize>,
    /// The names defined in each file that the request contains.
    defined: HashMap<usize, Vec<String>>,
}

impl<'a> Hearing<'a> {
    pub fn new(index: &'a Index, asked: &'a Asked, request: &'a Request<'a>) -> Result<Self, IndexError> {
        Ok(Self {
            index,
            asked,
            request,
            catalogue: index.catalogue()?,
            said: HashMap::new(),
            changed_with: HashMap::new(),
            spoken_of: HashMap::new(),
            defined: HashMap::new(),
        })
    }

    fn take(&mut self, witness: Witness, said: Said) {
        for (file, score) in said {
            self.said.entry(file).or_default()[witness as usize] = score;
        }
    }

    /// Collects the signals from the words of the request and from its context.
    pub fn hear_words(&mut self) -> Result<(), IndexError> {
        let named = self.asked.paths.iter().flat_map(|path| self.catalogue.named(path));
        let named = named.map(|file| (file, 1.0)).collect();
        self.take(Witness::Mention, named);

        let mut before = Said::new();
        let recent =
            self.request.recent.iter().zip(1_u32..).map(|(path, place)| (path, 0.5 / f64::from(place)));
        let failed = self.request.failed.iter().map(|path| (path, 1.0));
        for (path, score) in recent.chain(self.request.open_file.map(|path| (path, 0.6))).chain(failed) {
            if let Some(file) = self.catalogue.number(path) {
                let most = before.entry(file).or_default();
                *most = most.max(score);
            }
        }
        self.take(Witness::Before, before);

        let mut by_path = Said::new();
        for term in &self.asked.terms {
            for (file, weight) in self.catalogue.with_term(&term.stem) {
                *by_path.entry(file).or_default() += term.weight * weight;
            }
        }
        self.take(Witness::Path, measured(by_path));

        let words: Vec<String> = self.asked.terms.iter().map(|term| term.word.clone()).collect();
        let found = self.index.code().search(&words, WORDS, FOUND)?;
        let found =
            found.into_iter().filter_map(|(path, score)| Some((self.catalogue.number_of(&path)?, score)));
        let found = measured(found.collect());
        self.take(Witness::Words, found);
        self.hear_symbols()
    }

    fn hear_symbols(&mut self) -> Result<(), IndexError> {
        let mut said = Said::new();
        for name in &self.asked.names {
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
                    let score = said.entry(file).or_default();
                    *score = f64::min(*score + share, 1.0);
                }
            }
        }
        self.take(Witness::Symbol, said);
        Ok(())
    }

    pub fn hear_history(&mut self, history: Option<&History>) {
        let Some(history) = history else { return };
        let terms: Vec<(&str, f64)> =
            self.asked.terms.iter().map(|term| (term.stem.as_str(), term.weight)).collect();
        let mut spoken = Said::new();
        for (path, (score, commits)) in history.spoken_of(&terms) {
            if let Some(file) = self.catalogue.number(path) {
                spoken.insert(file, score);
                self.spoken_of.insert(file, commits);
            }
        }
        self.take(Witness::Spoken, measured(spoken));
        let files = self.catalogue.files.iter().enumerate();
        let lively = files.map(|(file, listing)| (file, history.liveliness(&listing.path)));
        let lively = measured(lively.filter(|(_, score)| *score > 0.0).collect());
        self.take(Witness::Lively, lively);
    }

    pub fn hear_meaning(&mut self, meaning: Option<&dyn Meaning>) {
        let Some(meaning) = meaning else { return };
        let similar = meaning.similar(self.request.text).into_iter().filter_map(|(path, score)| {
            let score = f64::from(score);
            Some((self.catalogue.number(&path)?, if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 }))
        });
        let similar = similar.collect();
        self.take(Witness::Meaning, similar);
    }

    /// Collects the signals from files related to the best ones so far, by common commits or by names.
    pub fn hear_neighbours(&mut self, history: Option<&History>) -> Result<(), IndexError> {
        let knows = |(file, _): &(usize, f64)| self.is_known(*file);
        let seeds: Vec<(usize, f64)> = self.sorted().into_iter().filter(knows).take(SEEDS).collect();
        if seeds.is_empty() {
            self.said.clear();
            return Ok(());
        }
        let mut together = Said::new();
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
        self.take(Witness::Together, measured(together));
        let texts = |paths: &[WorkspacePath]| paths.iter().map(|path| path.as_str().to_owned()).collect();
        let focus = Focus {
            files: seeds.iter().map(|(file, _)| self.catalogue.files[*file].path.to_string()).collect(),
            names: self.asked.names.clone(),
            recent: texts(self.request.recent),
            failed: texts(self.request.failed),
            known: Vec::new(),
        };
        let ranked = self.index.graph()?.ranked(&focus).into_iter().take(FOUND);
        let ranked = ranked.filter_map(|(path, rank)| Some((self.catalogue.number_of(&path)?, rank)));
        let ranked = measured(ranked.collect());
        self.take(Witness::Map, ranked);
        Ok(())
    }

    /// Returns true if a signal that depends on the request has found the file.
    fn is_known(&self, file: usize) -> bool {
        self.said.get(&file).is_some_and(|said| said[..=KNOWING].iter().any(|score| *score > 0.0))
    }

    fn score(&self, file: usize, said: &[f64; WITNESSES]) -> f64 {
        let sum: f64 = said.iter().zip(WEIGHTS).map(|(said, weight)| said * weight).sum();
        // A request with the path of a test is about that test.
        let is_meant = self.asked.speaks_of_tests || said[Witness::Mention as usize] > 0.0;
        sum * self.catalogue.files[file].worth(is_meant)
    }

    fn sorted(&self) -> Vec<(usize, f64)> {
        let scores = self.said.iter().map(|(file, said)| (*file, self.score(*file, said)));
        let mut sorted: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        sorted.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        sorted
    }

    pub fn verdict(self, history: Option<&History>, limit: usize) -> Result<Vec<Relevant>, IndexError> {
        let mut relevant = Vec::new();
        for (file, score) in self.sorted() {
            if relevant.len() == limit {
                break;
            }
            let reasons = self.reasons(file, history)?;
            // A file without any reason was found by chance.
            if !reasons.is_empty() {
                relevant.push(Relevant { path: self.catalogue.files[file].path.clone(), score, reasons });
            }
        }
        Ok(relevant)
    }

    fn reasons(&self, file: usize, history: Option<&History>) -> Result<Vec<Reason>, IndexError> {
        let said = self.said.get(&file).copied().unwrap_or_default();
        let mut counts: Vec<(Witness, f64)> = ALL
            .iter()
            .zip(said.iter().zip(WEIGHTS))
            .map(|(one, (said, weight))| (*one, said * weight))
            .collect();
        let whole: f64 = counts.iter().map(|(_, count)| count).sum();
        counts.retain(|(_, count)| *count > LEAST_SHARE * whole);
        counts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut reasons = Vec::new();
        for (witness, _) in counts {
            reasons.extend(self.reason(file, witness, history)?);
        }
        reasons.truncate(MOST_REASONS);
        Ok(reasons)
    }

    fn reason(
        &self,
        file: usize,
        witness: Witness,
        history: Option<&History>,
    ) -> Result<Option<Reason>, IndexError> {
        let path = &self.catalogue.files[file].path;
        let few =
            |words: Vec<String>| (!words.is_empty()).then(|| words.into_iter().take(MOST_QUOTED).collect());
        Ok(match witness {
            Witness::Mention => Some(Reason::Named),
            Witness::Before if self.request.failed.contains(path) => Some(Reason::Failed),
            Witness::Before if self.request.open_file == Some(path) => Some(Reason::Open),
            Witness::Before => Some(Reason::Recent),
            Witness::Path => {
                let is_in = |stem: &str| self.catalogue.with_term(stem).any(|(with, _)| with == file);
                let terms = self.asked.terms.iter().filter(|term| is_in(&term.stem));
                few(terms.map(|term| term.said.clone()).collect()).map(Reason::PathSays)
            }
            Witness::Symbol => few(self.defined.get(&file).cloned().unwrap_or_default()).map(Reason::Defines),
            Witness::Words => {
                let terms: Vec<String> = self.asked.terms.iter().map(|term| term.word.clone()).collect();
                let found = self.index.code().terms_in(path.as_str(), &terms)?;
                let said = self.asked.terms.iter().filter(|term| found.contains(&term.word));
                few(said.map(|term| term.said.clone()).collect()).map(Reason::Says)
            }
            Witness::Spoken => {
                let commits = self.spoken_of.get(&file).copied().unwrap_or_default();
                (commits > 0).then_some(Reason::SpokenOf { commits })
            }
            Witness::Meaning => Some(Reason::MeansAlike),
            Witness::Together => self
                .changed_with
                .get(&file)
                .map(|(path, commits, _)| Reason::ChangedWith { path: path.clone(), commits: *commits }),
            // A file that was found directly is not described by its relation to itself.
            Witness::Map => (!self.is_known(file)).then_some(Reason::HangsTogether),
            Witness::Lively => history.map(|history| Reason::OftenChanged { commits: history.changes(path) }),
        })
    }
}

const ALL: [Witness; WITNESSES] = [
    Witness::Mention,
    Witness::Before,
    Witness::Path,
    Witness::Symbol,
    Witness::Words,
    Witness::Spoken,
    Witness::Meaning,
    Witness::Together,
    Witness::Map,
    Witness::Lively,
];

/// Scales the scores of a signal so that the best one is 1.
fn measured(said: Said) -> Said {
    let most = said.values().copied().fold(0.0, f64::max);
    if most > 0.0 {
        said.into_iter().map(|(file, score)| (file, score / most)).collect()
    } else {
        Said::new()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files and commits")]
fn number(count: usize) -> f64 {
    count as f64
}
