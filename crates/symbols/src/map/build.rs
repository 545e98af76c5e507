//! A graph out of outlines.

use std::collections::HashMap;

use super::{Arrow, File, Graph, NONE, Place, Site};
use crate::{Definition, Kind, Language, Outline, names};

/// A name that is defined in many files is taken for what is defined nearest; so many of them.
const NEAREST: usize = 4;
/// What a name of another language's counts: the same word there is mostly chance.
const FOREIGN: f32 = 0.2;
/// What stands in more than that is drawn no deeper.
const MOST_NESTED: usize = 8;

impl Graph {
    /// Joins outlines by their names. The order in which they come does not matter; a path that comes twice counts once.
    pub fn new<'a, P: Into<String>>(files: impl IntoIterator<Item = (P, &'a Outline)>) -> Self {
        let mut files: Vec<(String, &Outline)> =
            files.into_iter().map(|(path, outline)| (path.into(), outline)).collect();
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        files.dedup_by(|(one, _), (other, _)| one == other);
        let mut graph = Self::default();
        let mut definers: Vec<(u32, u32, u32)> = Vec::new();
        for (path, outline) in &files {
            graph.define(path, outline, &mut definers);
        }
        graph.settle(definers);
        let families: Vec<Language> = files.iter().map(|(path, _)| Language::of(path, "").family()).collect();
        let weights = graph.weights();
        for (file, (_, outline)) in files.iter().enumerate() {
            graph.connect(file, outline, &families, &weights);
        }
        graph
    }

    /// Takes a file's definitions in; which name is defined where goes to `definers`.
    fn define(&mut self, path: &str, outline: &Outline, definers: &mut Vec<(u32, u32, u32)>) {
        let file = small(self.files.len());
        // What stands open around the next one, by its number.
        let first = self.definitions.len();
        let mut around: Vec<usize> = Vec::new();
        for one in &outline.definitions {
            while around.pop_if(|outer| outline.definitions[*outer - first].lines.1 < one.lines.0).is_some() {
            }
            let is_around = |outer: &&usize| {
                let outer = &outline.definitions[**outer - first];
                one.container.as_ref() == Some(&outer.name) && one.lines.1 <= outer.lines.1
            };
            let parent = around.iter().rev().find(is_around).copied();
            let hidden =
                parent.is_some_and(|outer| outline.definitions[outer - first].kind.hides_its_inside());
            let share = share(one, hidden);
            let number = self.definitions.len();
            if share > 0.0 && !hidden && one.kind != Kind::Test {
                definers.push((self.name(&one.name), file, small(number)));
            }
            let start = small(self.signatures.len());
            self.signatures.push_str(&one.signature);
            let signature = (start, small(self.signatures.len()));
            let (line, parent) = (one.lines.0, parent.map_or(NONE, small));
            self.definitions.push(Place { file, line, signature, parent, site: NONE, share, own: share });
            if around.len() < MOST_NESTED {
                around.push(number);
            }
        }
        let definitions_end = small(self.definitions.len());
        self.files.push(File { path: path.into(), definitions_end, arrows_end: 0 });
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = small(self.names.len());
        self.names.insert(name.into(), number);
        number
    }

    /// Makes the sites, in the order of their names and files.
    fn settle(&mut self, mut definers: Vec<(u32, u32, u32)>) {
        definers.sort_unstable();
        self.sites_of = vec![0; self.names.len() + 1];
        for (name, file, definition) in definers {
            if self.sites.last().is_none_or(|last| (last.name, last.file) != (name, file)) {
                self.sites.push(Site { file, name, share: 0.0 });
                self.sites_of[name as usize + 1] = small(self.sites.len());
            }
            let place = &mut self.definitions[definition as usize];
            place.site = small(self.sites.len() - 1);
            if let Some(site) = self.sites.last_mut() {
                site.share += place.share;
            }
        }
    }

    /// What the use of each name counts, for how it is spelled and in how many files it is defined.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "weights are rough")]
    fn weights(&self) -> Vec<f32> {
        let mut weights = vec![0.0; self.names.len()];
        for (name, number) in &self.names {
            let places = self.sites_of(*number).len().max(1);
            weights[*number as usize] = (names::weight(name) / places as f64) as f32;
        }
        weights
    }

    /// Lets a file point at what it uses. What it defines itself it means itself.
    #[allow(clippy::cast_precision_loss, reason = "counts of words")]
    fn connect(&mut self, file: usize, outline: &Outline, families: &[Language], weights: &[f32]) {
        let mut own_uses: HashMap<u32, f32> = HashMap::new();
        for reference in &outline.references {
            let Some(name) = self.names.get(&reference.name).copied() else { continue };
            let often = (reference.count as f32).sqrt();
            let sites = self.sites_of(name);
            let at =
                sites.start + self.sites[sites.clone()].partition_point(|site| (site.file as usize) < file);
            if at < sites.end && self.sites[at].file as usize == file {
                own_uses.insert(small(at), often);
                continue;
            }
            // Files are in the order of their paths: those around have most of theirs in common.
            let end = (at + NEAREST / 2).max(sites.start + NEAREST).min(sites.end);
            let start = end.saturating_sub(NEAREST).max(sites.start);
            let mut targets = [(0_u32, 0.0_f32); NEAREST];
            for (target, site) in targets.iter_mut().zip(start..end) {
                *target = (small(site), self.nearness(file, self.sites[site].file as usize, families));
            }
            let targets = &targets[..end - start];
            let together: f32 = targets.iter().map(|(_, near)| near).sum();
            let best = targets.iter().map(|(_, near)| *near).fold(0.0, f32::max);
            // Where only another language defines it, little is meant by it.
            let weight = often * weights[name as usize] * best.min(1.0);
            for (site, near) in targets {
                let target = self.sites[*site as usize].file;
                self.arrows.push(Arrow { site: *site, file: target, weight: weight * near / together });
            }
        }
        let places = self.definitions_of(file);
        for place in &mut self.definitions[places] {
            let uses = own_uses.get(&place.site).copied().unwrap_or(0.0);
            place.own *= 1.0 + uses.ln_1p();
        }
        self.files[file].arrows_end = small(self.arrows.len());
    }

    /// How near two files are: the more, the more folders they share.
    #[allow(clippy::cast_precision_loss, reason = "a few folders")]
    fn nearness(&self, one: usize, other: usize, families: &[Language]) -> f32 {
        let folders = self.files[one].path.split('/').zip(self.files[other].path.split('/'));
        let shared = folders.take_while(|(one, other)| one == other).count();
        let family = if families[one] == families[other] { 1.0 } else { FOREIGN };
        family * (1.0 + shared as f32)
    }
}

/// How much a definition matters for what it is.
fn share(one: &Definition, hidden: bool) -> f32 {
    let share = match one.kind {
        Kind::Class | Kind::Struct | Kind::Enum | Kind::Trait | Kind::Interface => 1.0,
        Kind::Function | Kind::Type | Kind::Macro => 0.9,
        Kind::Method => 0.6,
        Kind::Constant => 0.5,
        Kind::Variable => 0.3,
        Kind::Module => 0.2,
        Kind::Test => 0.05,
        // It is shown with its methods.
        Kind::Implementation => 0.0,
    };
    let private = one.name.starts_with(['_', '#']);
    share * if hidden { 0.1 } else { 1.0 } * if private { 0.3 } else { 1.0 }
}

/// Numbers of definitions and the like; four thousand million of them do not fit into a memory.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}
