//! Builds a graph from outlines.

use std::collections::HashMap;

use super::{DefinedName, Edge, File, Graph, MapDefinition, NONE, weights};
use crate::{Language, SourceOutline, SymbolKind, names};

/// The number of definitions considered for a name that many files define; the nearest are taken.
const NEAREST: usize = 4;
/// The weight of a definition in another language: the same word there is mostly chance.
const FOREIGN: f32 = 0.2;
/// The weight of a method in a file that does not mention its type: methods of other types may have the same name.
const STRANGE: f32 = 0.1;
/// The number of folders of a path that are compared.
const FOLDERS: usize = 8;
/// The maximum depth of nesting; deeper definitions are drawn at this depth.
const MOST_NESTED: usize = 8;

/// Data about the files that is only needed while the graph is built.
struct Sources<'a> {
    outlines: Vec<(String, &'a SourceOutline)>,
    languages: Vec<Language>,
    /// The ids of the folders that contain each file, outermost first, padded with [`NONE`].
    folders: Vec<[u32; FOLDERS]>,
    /// Triples of a name, a file that defines it, and the definition.
    definers: Vec<(u32, u32, u32)>,
    /// The types that own methods, by definition.
    owners: HashMap<u32, &'a str>,
    /// The weight of a use of each name.
    weights: Vec<f32>,
}

impl<'a> Sources<'a> {
    fn new(mut outlines: Vec<(String, &'a SourceOutline)>) -> Self {
        outlines.sort_by(|(one, _), (other, _)| one.cmp(other));
        outlines.dedup_by(|(one, _), (other, _)| one == other);
        let languages = outlines.iter().map(|(path, _)| Language::of(path, "")).collect();
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut folders = Vec::with_capacity(outlines.len());
        for (path, _) in &outlines {
            let mut own = [NONE; FOLDERS];
            for ((end, _), number) in path.match_indices('/').zip(&mut own) {
                let next = small(numbers.len());
                *number = *numbers.entry(&path[..end]).or_insert(next);
            }
            folders.push(own);
        }
        let (definers, owners, weights) = (Vec::new(), HashMap::new(), Vec::new());
        Self { outlines, languages, folders, definers, owners, weights }
    }

    /// Returns the nearness of two files, which grows with the number of shared folders.
    #[allow(clippy::cast_precision_loss, reason = "a few folders")]
    fn nearness(&self, one: usize, other: usize) -> f32 {
        let folders = self.folders[one].iter().zip(&self.folders[other]);
        let shared = folders.take_while(|(one, other)| one == other && **one != NONE).count();
        let is_kin = self.languages[one].family() == self.languages[other].family();
        (1.0 + shared as f32) * if is_kin { 1.0 } else { FOREIGN }
    }
}

impl Graph {
    /// Joins outlines by their names. Their order does not matter; a repeated path counts once.
    pub fn new<'a, P: Into<String>>(files: impl IntoIterator<Item = (P, &'a SourceOutline)>) -> Self {
        let outlines = files.into_iter().map(|(path, outline)| (path.into(), outline)).collect();
        let mut sources = Sources::new(outlines);
        let mut graph = Self::default();
        for file in 0..sources.outlines.len() {
            graph.define(file, &mut sources);
        }
        graph.sort_names(&mut sources);
        sources.weights = graph.weights();
        for file in 0..sources.outlines.len() {
            graph.connect(file, &sources);
        }
        graph
    }

    /// Adds a file and its definitions.
    fn define(&mut self, file: usize, sources: &mut Sources<'_>) {
        let (path, outline) = &sources.outlines[file];
        let language = sources.languages[file];
        let of_path = weights::of_path(path);
        let first = self.definitions.len();
        // The indices of the definitions that are open around the next one.
        let mut around: Vec<usize> = Vec::new();
        for (number, one) in outline.definitions.iter().enumerate() {
            let outer = |number: &usize| &outline.definitions[*number];
            while around.pop_if(|number| outer(number).lines.1 < one.lines.0).is_some() {}
            let is_around = |number: &&usize| {
                one.container.as_ref() == Some(&outer(number).name) && one.lines.1 <= outer(number).lines.1
            };
            let parent = around.iter().rev().find(is_around).copied();
            let within = parent.map(|number| outer(&number).kind);
            let is_hidden = within.is_some_and(SymbolKind::hides_its_inside);
            let of_kind = weights::of_kind(one.kind);
            let share = of_kind
                * of_path
                * weights::of_visibility(language, one, within)
                * if is_hidden { 0.1 } else { 1.0 };
            let definition = small(self.definitions.len());
            if share > 0.0 && !is_hidden && one.kind != SymbolKind::Test {
                sources.definers.push((self.name(&one.name), small(file), definition));
                if let Some(owner) = one.container.as_deref().filter(|_| one.kind == SymbolKind::Method) {
                    sources.owners.insert(definition, owner);
                }
            }
            let start = small(self.signatures.len());
            self.signatures.push_str(&one.signature);
            let signature = (start, small(self.signatures.len()));
            let (line, parent) = (one.lines.0, parent.map_or(NONE, |number| small(first + number)));
            self.definitions.push(MapDefinition {
                file: small(file),
                line,
                signature,
                parent,
                site: NONE,
                share,
                own: share,
            });
            if around.len() < MOST_NESTED {
                around.push(number);
            }
        }
        let definitions_end = small(self.definitions.len());
        self.files.push(File { path: path.as_str().into(), definitions_end, edges_end: 0 });
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = small(self.names.len());
        self.names.insert(name.into(), number);
        number
    }

    /// Creates the sites, sorted by name and file.
    fn sort_names(&mut self, sources: &mut Sources<'_>) {
        sources.definers.sort_unstable();
        self.sites_of = vec![0; self.names.len() + 1];
        for (name, file, definition) in &sources.definers {
            let place = &mut self.definitions[*definition as usize];
            let is_new = self.sites.last().is_none_or(|last| (last.name, last.file) != (*name, *file));
            if is_new {
                self.sites.push(DefinedName { file: *file, name: *name, first: *definition, share: 0.0 });
                self.sites_of[*name as usize + 1] = small(self.sites.len());
            }
            place.site = small(self.sites.len() - 1);
            if let Some(site) = self.sites.last_mut() {
                site.share += place.share;
            }
        }
    }

    /// Returns the weight of a use of each name, by its spelling and the number of files that define it.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "weights are rough")]
    fn weights(&self) -> Vec<f32> {
        let mut weights = vec![0.0; self.names.len()];
        for (name, number) in &self.names {
            let places = self.sites_of(*number).len().max(1);
            weights[*number as usize] = (names::weight(name) / places as f64) as f32;
        }
        weights
    }

    /// Adds the edges of a file to the names that it uses. A name that it defines itself refers to its own definition.
    fn connect(&mut self, file: usize, sources: &Sources<'_>) {
        let (_, outline) = &sources.outlines[file];
        let names = |owner: &str| outline.references.binary_search_by(|one| (*one.name).cmp(owner)).is_ok();
        let mut own_uses: HashMap<u32, f32> = HashMap::new();
        for reference in &outline.references {
            let Some(name) = self.names.get(&reference.name).copied() else { continue };
            let often = f32::from(reference.count).sqrt();
            let sites = self.sites_of(name);
            let at =
                sites.start + self.sites[sites.clone()].partition_point(|site| (site.file as usize) < file);
            if at < sites.end && self.sites[at].file as usize == file {
                own_uses.insert(small(at), often);
                continue;
            }
            // Files are sorted by path, so the neighbours share most of their folders.
            let end = (at + NEAREST / 2).max(sites.start + NEAREST).min(sites.end);
            let start = end.saturating_sub(NEAREST).max(sites.start);
            let mut targets = [(0_u32, 0.0_f32, 0.0_f32); NEAREST];
            for (target, number) in targets.iter_mut().zip(start..end) {
                let site = &self.sites[number];
                let known = match sources.owners.get(&site.first) {
                    Some(owner) if names(owner) => 1.0,
                    Some(_) => STRANGE,
                    None if reference.member => weights::of_member(sources.languages[file]),
                    None => 1.0,
                };
                let nearness = sources.nearness(file, site.file as usize);
                *target = (small(number), nearness, known * site.share * nearness.min(1.0));
            }
            let targets = &targets[..end - start];
            let together: f32 = targets.iter().map(|(_, near, _)| near).sum();
            for (site, near, meant) in targets {
                let weight = often * sources.weights[name as usize] * meant * near / together;
                self.edges.push(Edge { site: *site, file: self.sites[*site as usize].file, weight });
            }
        }
        let places = self.definitions_of(file);
        for place in &mut self.definitions[places] {
            let uses = own_uses.get(&place.site).copied().unwrap_or(0.0);
            place.own *= 1.0 + uses.ln_1p();
        }
        self.files[file].edges_end = small(self.edges.len());
    }
}

/// Converts an index to `u32`; four billion definitions do not fit into memory.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}
