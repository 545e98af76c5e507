//! How long a map takes: a graph of 10,000 files with 300,000 definitions, ranked and drawn; the least of some rounds,
//! which others on the same machine disturb least, and their median. With a folder, how long its files take as well,
//! and its map.
//!
//! `cargo run --release -p symbols --example speed [FOLDER [FILE OR NAME IN FOCUS]…]`
#![allow(clippy::print_stdout, reason = "this program's purpose is to print a table")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use symbols::map::{Focus, Graph};
use symbols::{Definition, Kind, Language, Outline, Reference, outline};

const FILES: usize = 10_000;
const DEFINITIONS: usize = 30;
const REFERENCES: usize = 120;
const ROUNDS: usize = 9;
const BUDGET: usize = 4_000;

fn main() {
    let outlines = repository();
    let definitions: usize = outlines.iter().map(|(_, outline)| outline.definitions.len()).sum();
    println!("{} files, {definitions} definitions", outlines.len());
    let graph = timed("graph", || graph_of(&outlines));
    timed("rank", || graph.ranked(&Focus::default()));
    timed("map", || graph.map(&Focus::default(), BUDGET, &count));
    let focus = Focus {
        files: vec![outlines[17].0.clone()],
        names: vec!["load_widget_7".into()],
        ..Focus::default()
    };
    timed("rank with a focus", || graph.ranked(&focus));
    let map = timed("map with a focus", || graph.map(&focus, BUDGET, &count));
    println!("{} tokens, {} files", map.tokens, map.files.len());
    let mut arguments = std::env::args().skip(1);
    if let Some(folder) = arguments.next() {
        show(&folder, arguments.collect());
    }
}

fn graph_of(outlines: &[(String, Outline)]) -> Graph {
    Graph::new(outlines.iter().map(|(path, outline)| (path.as_str(), outline)))
}

/// About what models count.
fn count(text: &str) -> usize {
    text.len().div_ceil(4)
}

fn timed<T>(name: &str, work: impl Fn() -> T) -> T {
    let mut times: Vec<Duration> = Vec::new();
    loop {
        let start = Instant::now();
        let done = work();
        times.push(start.elapsed());
        if times.len() == ROUNDS {
            times.sort_unstable();
            println!("{name:20} {:>10.2?} {:>10.2?}", times[0], times[ROUNDS / 2]);
            return done;
        }
    }
}

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most.max(1)
    }
}

/// Files as repositories have them: some names are used by all and some by nobody, and some are defined everywhere.
fn repository() -> Vec<(String, Outline)> {
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
                kind: if number % 5 == 0 { Kind::Struct } else { Kind::Function },
                lines: (line, line + 8),
                container: None,
            }
        });
        let definitions = definitions.collect();
        let references = (0..REFERENCES).map(|number| {
            // The lower the number, the more files use it.
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
        (path, Outline { definitions, references: references.collect() })
    });
    files.collect()
}

/// Reads a folder, and draws its map.
fn show(folder: &str, in_focus: Vec<String>) {
    let mut files = Vec::new();
    collect(Path::new(folder), &mut files);
    let (mut bytes, mut spent, mut slowest) = (0, Duration::ZERO, (Duration::ZERO, String::new()));
    let mut outlines: Vec<(String, Outline)> = Vec::new();
    for (path, text) in files {
        let language = Language::of(&path, &text);
        outline(language, "");
        let start = Instant::now();
        let outline = outline(language, &text);
        let took = start.elapsed();
        spent += took;
        bytes += text.len();
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
        let path = path.strip_prefix(folder).unwrap_or(&path).trim_start_matches('/').to_owned();
        outlines.push((path, outline));
    }
    let definitions: usize = outlines.iter().map(|(_, outline)| outline.definitions.len()).sum();
    let references: usize = outlines.iter().map(|(_, outline)| outline.references.len()).sum();
    println!(
        "\n{folder}: {} files, {bytes} bytes, {definitions} definitions, {references} references",
        outlines.len()
    );
    println!("read in {spent:.2?}, the slowest in {:.2?}: {}", slowest.0, slowest.1);
    let graph = timed("graph", || graph_of(&outlines));
    let focus = Focus { files: in_focus.clone(), names: in_focus, ..Focus::default() };
    let map = timed("map", || graph.map(&focus, 1_500, &count));
    println!("{} tokens\n{}", map.tokens, map.text);
}

fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let skipped = ["node_modules", "target"].iter().any(|skipped| name == *skipped);
        if skipped || name.to_string_lossy().starts_with('.') || entry.path().is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.push((path.to_string_lossy().into_owned(), text));
        }
    }
}
