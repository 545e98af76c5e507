//! The map of a repository with 10,000 files and 300,000 definitions.

use std::time::{Duration, Instant};

use symbols::map::{Focus, Graph};
use symbols::{Definition, Reference, SourceOutline, SymbolKind};

const FILES: usize = 10_000;
const DEFINITIONS: usize = 30;
const REFERENCES: usize = 120;
const ROUNDS: usize = 7;
const BUDGET: usize = 4_000;

/// The measured times, each the least of several rounds.
pub struct MapTimes {
    pub graph: Duration,
    pub map: Duration,
    pub focused: Duration,
}

pub fn draw() -> MapTimes {
    let outlines = repository();
    let files = || outlines.iter().map(|(path, outline)| (path.as_str(), outline));
    let (graph_time, graph) = least(|| Graph::new(files()));
    let focus = Focus {
        files: vec![outlines[17].0.clone()],
        names: vec!["load_widget_7".into()],
        ..Focus::default()
    };
    // Approximates the number of tokens.
    let count = |text: &str| text.len().div_ceil(4);
    let (map, _) = least(|| graph.map(&Focus::default(), BUDGET, &count));
    let (focused, _) = least(|| graph.map(&focus, BUDGET, &count));
    MapTimes { graph: graph_time, map, focused }
}

fn least<T>(work: impl Fn() -> T) -> (Duration, T) {
    let once = || {
        let start = Instant::now();
        let done = work();
        (start.elapsed(), done)
    };
    let mut best = once();
    for _ in 1..ROUNDS {
        let (time, done) = once();
        best = (best.0.min(time), done);
    }
    best
}

/// A reproducible pseudo-random number generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most.max(1)
    }
}

/// Returns files with a realistic distribution of names: some are used everywhere, some nowhere, and some are defined
/// everywhere.
fn repository() -> Vec<(String, SourceOutline)> {
    let mut dice = Dice(7);
    let files = (0..FILES).map(|file| {
        let path = format!("crates/part{}/src/area{}/file{file}.rs", file % 40, file % 400);
        let definitions = (0..DEFINITIONS).map(|number| {
            let name = match number {
                0 => "new".to_owned(),
                1 => format!("Config{}", file % 100),
                _ => format!("load_widget_{}", file * DEFINITIONS + number),
            };
            let line = u32::try_from(number * 10 + 1).unwrap_or(1);
            Definition {
                signature: format!("pub fn {name}(input: &Input, limit: usize) -> Result<Output, Failure>")
                    .into(),
                name: name.into(),
                kind: if number % 5 == 0 { SymbolKind::Struct } else { SymbolKind::Function },
                lines: (line, line + 8),
                container: None,
            }
        });
        let definitions = definitions.collect();
        let references = (0..REFERENCES).map(|number| {
            // Names with a lower number are used by more files.
            let often_used = 2 << dice.below(18);
            let name = match number % 4 {
                0 => format!("local_value_{number}"),
                1 if number < 8 => "new".to_owned(),
                1 => format!("Config{}", dice.below(100)),
                2 => format!("load_widget_{}", dice.below(often_used)),
                _ => format!("load_widget_{}", dice.below(FILES * DEFINITIONS)),
            };
            Reference {
                name: name.into(),
                line: 1,
                count: 1 + u16::try_from(dice.below(5)).unwrap_or(0),
                member: false,
            }
        });
        (path, SourceOutline { definitions, references: references.collect() })
    });
    files.collect()
}
