//! Hearing the witnesses, and what their words count together.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use store::WordWeights;
use symbols::map::Focus;

use super::asking::{Asked, is_name};
use super::{Meaning, MOST_REASONS, Reason, Relevant, Request, measured};
use crate::history::History;
use crate::index::{Catalogue, Index, IndexError};
use crate::path::WorkspacePath;

/// So many of the best are asked for their neighbours.
const SEEDS: usize = 8;
/// So many files each search brings.
const FOUND: usize = 200;

/// Who was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    Mention,
    Path,
    Symbol,
    Names,
    Prose,
    Body,
    Spoken,
    Lively,
    Meaning,
    Together,
    Map,
    Before,
}
pub const WITNESSES: usize = 12;

pub struct Hearing<'a> {
    index: &'a Index,
    asked: &'a Asked,
    request: &'a Request<'a>,
    catalogue: Arc<Catalogue>,
    said: HashMap<usize, [f64; WITNESSES]>,
    reasons: HashMap<usize, Vec<(f64, Reason)>>,
}

/// What each counts, in the order of [`Witness`].
pub const WEIGHTS: [f64; WITNESSES] = [6.0, 1.0, 1.5, 1.0, 0.7, 0.7, 1.0, 0.3, 1.0, 0.6, 0.3, 1.0];

impl<'a> Hearing<'a> {
    pub fn new(index: &'a Index, asked: &'a Asked, request: &'a Request<'a>) -> Result<Self, IndexError> {
        let catalogue = index.catalogue()?;
        Ok(Self { index, asked, request, catalogue, said: HashMap::new(), reasons: HashMap::new() })
    }

    fn take(&mut self, witness: Witness, scores: HashMap<usize, f64>) {
        for (file, score) in scores {
            self.said.entry(file).or_default()[witness as usize] = score;
        }
    }

    fn because(&mut self, file: usize, weight: f64, reason: Reason) {
        self.reasons.entry(file).or_default().push((weight, reason));
    }

    pub fn hear_words(&mut self) -> Result<(), IndexError> {
        let mut mentioned = HashMap::new();
        for path in &self.asked.paths {
            for file in self.catalogue.named(path) {
                mentioned.insert(file, 1.0);
            }
        }
        self.take(Witness::Mention, mentioned);

        let mut by_path: HashMap<usize, f64> = HashMap::new();
        for term in &self.asked.terms {
            for (file, weight) in self.catalogue.with_term(&term.stem) {
                *by_path.entry(file).or_default() += term.weight * weight;
            }
        }
        self.take(Witness::Path, measured(by_path));

        let mut defined: HashMap<usize, f64> = HashMap::new();
        for name in &self.asked.names {
            let found = self.index.find_symbol(name, 40)?;
            let share = if is_name(name) { 1.0 } else { 0.35 } / (found.len() as f64).sqrt();
            let files: HashSet<usize> =
                found.iter().filter_map(|symbol| self.catalogue.number(&symbol.path)).collect();
            for file in files {
                *defined.entry(file).or_default() += share;
            }
        }
        let defined = defined.into_iter().map(|(file, score): (usize, f64)| (file, score.min(1.0))).collect();
        self.take(Witness::Symbol, defined);

        let words: Vec<String> = self.asked.terms.iter().map(|term| term.word.clone()).collect();
        let none = WordWeights { path: 0.0, names: 0.0, prose: 0.0, body: 0.0 };
        for (witness, weights) in [
            (Witness::Names, WordWeights { path: 1.0, names: 1.0, prose: 1.0, body: 1.0 }),
            (Witness::Prose, WordWeights { path: 4.0, names: 2.0, prose: 1.0, body: 1.0 }),
            (Witness::Body, WordWeights { body: 1.0, ..none }),
        ] {
            let found = self.index.code().search(&words, weights, FOUND)?;
            let found = found.into_iter().filter_map(|(path, score)| Some((self.catalogue.number_of(&path)?, score)));
            let found = measured(found.collect());
            self.take(witness, found);
        }
        Ok(())
    }

    pub fn hear_history(&mut self, history: Option<&History>) {
        let Some(history) = history else { return };
        let terms: Vec<(String, f64)> =
            self.asked.terms.iter().map(|term| (term.stem.clone(), term.weight)).collect();
        let spoken = history.spoken_of(&terms);
        let spoken = spoken.into_iter().filter_map(|(path, score)| Some((self.catalogue.number(path)?, score)));
        let spoken = measured(spoken.collect());
        self.take(Witness::Spoken, spoken);
        let lively = self.catalogue.files.iter().enumerate();
        let lively = lively.map(|(file, of)| (file, history.liveliness(&of.path))).filter(|(_, score)| *score > 0.0);
        let lively = measured(lively.collect());
        self.take(Witness::Lively, lively);
    }

    pub fn hear_meaning(&mut self, meaning: Option<&dyn Meaning>) {
        let Some(meaning) = meaning else { return };
        let similar = meaning.similar(self.request.text);
        let similar = similar.into_iter().filter_map(|(path, score)| {
            Some((self.catalogue.number(&path)?, f64::from(score.clamp(0.0, 1.0))))
        });
        let similar = similar.collect();
        self.take(Witness::Meaning, similar);
    }

    pub fn hear_neighbours(&mut self, history: Option<&History>) -> Result<(), IndexError> {
        let seeds: Vec<(usize, f64)> = self.sorted().into_iter().take(SEEDS).collect();
        if let Some(history) = history {
            let mut together: HashMap<usize, f64> = HashMap::new();
            for (seed, score) in &seeds {
                for (other, _, share) in history.changed_with(&self.catalogue.files[*seed].path) {
                    if let Some(other) = self.catalogue.number(other) {
                        *together.entry(other).or_default() += score * share;
                    }
                }
            }
            self.take(Witness::Together, measured(together));
        }
        let name = |file: usize| self.catalogue.files[file].path.as_str().to_owned();
        let names = |paths: &[WorkspacePath]| paths.iter().map(|path| path.as_str().to_owned()).collect();
        let focus = Focus {
            files: seeds.iter().map(|(file, _)| name(*file)).collect(),
            names: self.asked.names.clone(),
            recent: names(self.request.recent),
            failed: names(self.request.failed),
            known: Vec::new(),
        };
        let ranked = self.index.graph()?.ranked(&focus);
        let ranked = ranked.into_iter().take(FOUND);
        let ranked = ranked.filter_map(|(path, rank)| Some((self.catalogue.number_of(&path)?, rank)));
        let ranked = measured(ranked.collect());
        self.take(Witness::Map, ranked);
        Ok(())
    }

    fn sorted(&self) -> Vec<(usize, f64)> {
        let score = |(file, said): (&usize, &[f64; WITNESSES])| {
            let sum: f64 = said.iter().zip(WEIGHTS).map(|(said, weight)| said * weight).sum();
            (*file, sum * self.catalogue.files[*file].worth(self.asked.speaks_of_tests))
        };
        let mut sorted: Vec<(usize, f64)> = self.said.iter().map(score).collect();
        sorted.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        sorted
    }

    pub fn verdict(mut self, limit: usize) -> Vec<Relevant> {
        let sorted = self.sorted();
        if let Ok(dump) = std::env::var("DUMP") {
            use std::io::Write as _;
            let mut out = std::fs::OpenOptions::new().append(true).create(true).open(dump).unwrap();
            let mut keep: HashSet<usize> = sorted.iter().take(300).map(|x| x.0).collect();
            for w in 0..WITNESSES { let mut v: Vec<(usize, f64)> = self.said.iter().map(|(f, s)| (*f, s[w])).collect(); v.sort_by(|a, b| b.1.total_cmp(&a.1)); keep.extend(v.iter().take(60).map(|x| x.0)); }
            writeln!(out, "Q\t{}", self.request.text.lines().next().unwrap_or("")).unwrap();
            for f in keep { let file = &self.catalogue.files[f]; writeln!(out, "F\t{}\t{}\t{}", file.path, file.worth(self.asked.speaks_of_tests), self.said[&f].iter().map(|x| format!("{x:.5}")).collect::<Vec<_>>().join("\t")).unwrap(); }
        }
        let relevant = sorted.into_iter().take(limit).map(|(file, score)| {
            let mut reasons = self.reasons.remove(&file).unwrap_or_default();
            reasons.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            reasons.truncate(MOST_REASONS);
            let reasons = reasons.into_iter().map(|(_, reason)| reason).collect();
            Relevant { path: self.catalogue.files[file].path.clone(), score, reasons }
        });
        relevant.collect()
    }
}
