//! Computes how rank flows through the graph.

use super::{Focus, Graph, NONE};

/// The share of a file's rank that flows on along its edges; the rest returns to the start.
const FLOW: f64 = 0.85;
const MOST_ROUNDS: usize = 50;
/// The total change of ranks in a round below which they count as settled.
const LEAST_CHANGE: f64 = 1e-6;
/// The share of rank that starts in the focus, if there is one; the rest is spread over all files.
const FOCUSED: f64 = 0.85;
/// The weights of the parts of the focus.
const FILE: f64 = 10.0;
const FAILED: f64 = 8.0;
const NAME: f64 = 6.0;
const RECENT: f64 = 3.0;
/// The factor for uses of a mentioned name.
const MENTIONED: f64 = 10.0;
/// The additional rank for the definitions of a mentioned name, in total.
const DEFINES_MENTIONED: f64 = 0.2;
/// The share of a file's rank that goes to all its definitions, used or not.
const FOR_ITS_OWN: f64 = 0.1;

pub struct Ranks {
    pub files: Vec<f64>,
    pub definitions: Vec<f64>,
}

/// The focus in indices of the graph.
struct Start {
    /// The initial rank of each file; the sum is one.
    files: Vec<f64>,
    /// The factor of each site; empty if all are one.
    sites: Vec<f64>,
    /// The sites of mentioned names, with the number of sites that share the name.
    mentioned: Vec<(usize, usize)>,
}

impl Graph {
    pub(super) fn rank(&self, focus: &Focus) -> Ranks {
        let start = self.start(focus);
        let leaving = self.leaving(&start);
        let files = self.iterate_ranks(&start, &leaving);
        let definitions = self.spread(&start, &leaving, &files);
        Ranks { files, definitions }
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of files")]
    fn start(&self, focus: &Focus) -> Start {
        let mut focused = vec![0.0; self.files.len()];
        let weighed =
            [(&focus.files, FILE), (&focus.known, FILE), (&focus.failed, FAILED), (&focus.recent, RECENT)];
        for (paths, weight) in weighed {
            for file in paths.iter().filter_map(|path| self.file(path)) {
                focused[file] += weight;
            }
        }
        let mut mentioned: Vec<(usize, usize)> = Vec::new();
        for name in focus.names.iter().filter_map(|name| self.named(name)) {
            let sites = self.sites_of(name);
            let count = sites.len();
            for site in sites {
                focused[self.sites[site].file as usize] += NAME / count as f64;
                mentioned.push((site, count));
            }
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        for (file, weight) in self.files_called(&focus.names) {
            focused[file] += weight;
        }
        let mut sites = Vec::new();
        if !mentioned.is_empty() {
            sites = vec![1.0; self.sites.len()];
            for (site, _) in &mentioned {
                sites[*site] = MENTIONED;
            }
        }
        let together: f64 = focused.iter().sum();
        let (from_focus, from_all) =
            if together > 0.0 { (FOCUSED / together, 1.0 - FOCUSED) } else { (0.0, 1.0) };
        let everywhere = from_all / focused.len().max(1) as f64;
        let files = focused.into_iter().map(|weight| everywhere + weight * from_focus).collect();
        Start { files, sites, mentioned }
    }

    /// Looks up a name as given, or its last part.
    fn named(&self, name: &str) -> Option<u32> {
        let last = || name.rsplit(['.', ':', '#']).find(|part| !part.is_empty());
        self.names.get(name).or_else(|| self.names.get(last()?)).copied()
    }

    /// Returns the files whose own name is mentioned, with or without its extension.
    #[allow(clippy::cast_precision_loss, reason = "counts of files")]
    fn files_called(&self, names: &[String]) -> Vec<(usize, f64)> {
        if names.is_empty() {
            return Vec::new();
        }
        let mut called: Vec<(&str, usize)> = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            let stem = name.split('.').next().unwrap_or(name);
            if stem.len() > 2 && names.iter().any(|spoken| spoken == stem || spoken == name) {
                called.push((stem, number));
            }
        }
        let alike = |stem: &str| called.iter().filter(|(other, _)| *other == stem).count();
        called.iter().take(MOST_CALLED).map(|(stem, file)| (*file, NAME / alike(stem) as f64)).collect()
    }

    /// Returns the total weight of each file's edges.
    fn leaving(&self, start: &Start) -> Vec<f64> {
        let edges = (0..self.files.len()).map(|file| self.edges_of(file));
        edges
            .map(|edges| {
                edges.iter().map(|edge| f64::from(edge.weight) * start.times(edge.site)).sum::<f64>()
            })
            .collect()
    }

    /// Lets rank flow until it settles or the maximum number of rounds is reached.
    fn iterate_ranks(&self, start: &Start, leaving: &[f64]) -> Vec<f64> {
        let mut ranks = start.files.clone();
        let mut next = vec![0.0; ranks.len()];
        for _ in 0..MOST_ROUNDS {
            // A file without edges returns its rank to the start.
            let stuck: f64 =
                ranks.iter().zip(leaving).filter(|(_, out)| **out <= 0.0).map(|(rank, _)| rank).sum();
            let returned = 1.0 - FLOW + FLOW * stuck;
            next.iter_mut().zip(&start.files).for_each(|(rank, start)| *rank = start * returned);
            for (file, out) in leaving.iter().enumerate().filter(|(_, out)| **out > 0.0) {
                let each = FLOW * ranks[file] / out;
                for edge in self.edges_of(file) {
                    next[edge.file as usize] += each * f64::from(edge.weight) * start.times(edge.site);
                }
            }
            let moved: f64 = ranks.iter().zip(&next).map(|(before, after)| (before - after).abs()).sum();
            std::mem::swap(&mut ranks, &mut next);
            if moved < LEAST_CHANGE {
                break;
            }
        }
        ranks
    }

    /// Gives each definition the rank that flowed in through its name and a share of its file's rank.
    #[allow(clippy::cast_precision_loss, reason = "counts of definitions")]
    fn spread(&self, start: &Start, leaving: &[f64], ranks: &[f64]) -> Vec<f64> {
        let mut sites = vec![0.0; self.sites.len()];
        for (file, out) in leaving.iter().enumerate().filter(|(_, out)| **out > 0.0) {
            let each = FLOW * ranks[file] / out;
            for edge in self.edges_of(file) {
                sites[edge.site as usize] += each * f64::from(edge.weight) * start.times(edge.site);
            }
        }
        for (site, count) in &start.mentioned {
            sites[*site] += DEFINES_MENTIONED / *count as f64;
        }
        let mut definitions = vec![0.0; self.definitions.len()];
        for (file, rank) in ranks.iter().enumerate() {
            let places = self.definitions_of(file);
            let own: f64 = self.definitions[places.clone()].iter().map(|place| f64::from(place.own)).sum();
            let each = if own > 0.0 { FOR_ITS_OWN * rank / own } else { 0.0 };
            for (place, given) in self.definitions[places.clone()].iter().zip(&mut definitions[places]) {
                *given = each * f64::from(place.own);
                if place.site != NONE {
                    let site = &self.sites[place.site as usize];
                    *given += sites[place.site as usize] * f64::from(place.share / site.share);
                }
            }
        }
        definitions
    }
}

/// The maximum number of files with a mentioned name that are weighted; a name that more files share says little.
const MOST_CALLED: usize = 1_000;

impl Start {
    fn times(&self, site: u32) -> f64 {
        self.sites.get(site as usize).copied().unwrap_or(1.0)
    }
}
