//! Builds scenes from words without a model: numbers, colours, sizes, things and their relations.

use super::super::colours;
use super::arrange::{Arrangement, Relation, Solid, SolidGroup};
use super::figures;
use super::shapes::MOST_SHAPES;

/// The result of reading a description.
#[derive(Debug, Default)]
pub struct SceneDescription {
    pub solids: Vec<Solid>,
    /// True if the scene rotates.
    pub turns: bool,
    /// True if every word was understood.
    pub is_whole: bool,
}

#[derive(Debug, Clone, Copy)]
enum Word {
    Count(usize),
    Colour(&'static str),
    Size([f64; 3]),
    Turns,
    Thing(&'static [Solid], Number),
    Related(Relation),
    Arranged(Arrangement),
    /// Separates clauses: the next thing stands beside everything before.
    And,
    Filler,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    One,
    Several,
}

/// Attributes of the next thing.
#[derive(Debug, Default, Clone, Copy)]
struct Attributes {
    count: Option<usize>,
    colour: Option<&'static str>,
    size: Option<[f64; 3]>,
    arrangement: Option<Arrangement>,
}

/// A thing and its position relative to the next thing.
struct Item {
    thing: &'static [Solid],
    number: Number,
    attributes: Attributes,
    relation: Option<Relation>,
}

const MOST_OF_A_KIND: usize = 24;
const LONGEST_PHRASE: usize = 5;
/// The number meant by a bare plural.
const SEVERAL: usize = 3;
const AROUND: usize = 6;

pub fn read(prompt: &str) -> SceneDescription {
    let words = words_of(prompt);
    let mut reading = SceneDescription { is_whole: true, ..SceneDescription::default() };
    let mut clauses: Vec<Vec<Item>> = vec![Vec::new()];
    let mut attributes = Attributes::default();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let Some((word, length)) = next_word(rest) else {
            reading.is_whole = false;
            rest = &rest[1..];
            continue;
        };
        rest = &rest[length..];
        let Some(clause) = clauses.last_mut() else { break };
        match word {
            Word::Count(count) => attributes.count = Some(count.clamp(1, MOST_OF_A_KIND)),
            Word::Colour(tone) => attributes.colour = Some(tone),
            Word::Size(by) => attributes.size = Some(multiplied(attributes.size, by)),
            Word::Turns => reading.turns = true,
            Word::Thing(thing, number) => {
                clause.push(Item {
                    thing,
                    number,
                    attributes: std::mem::take(&mut attributes),
                    relation: None,
                });
            }
            // A relation needs a thing before it.
            Word::Related(relation) => match clause.last_mut() {
                Some(item) => item.relation = Some(relation),
                None => reading.is_whole = false,
            },
            // Handles both `a row of cubes` and `cubes in a row`.
            Word::Arranged(arrangement) => match clause.last_mut() {
                Some(item) if item.relation.is_none() && attributes.count.is_none() => {
                    item.attributes.arrangement = Some(arrangement);
                }
                _ => attributes.arrangement = Some(arrangement),
            },
            Word::And if !clause.is_empty() => clauses.push(Vec::new()),
            Word::And | Word::Filler => {}
        }
    }
    reading.is_whole &= clauses.iter().any(|clause| !clause.is_empty()) && fitted(&mut clauses);
    let groups = clauses
        .iter()
        .filter_map(|clause| clause.iter().rev().fold(None, |anchor, item| Some(placed(anchor, item))));
    let scene = groups.fold(SolidGroup::default(), |scene, group| group.beside(scene));
    reading.solids = if scene.0.is_empty() { Vec::new() } else { scene.grounded().0 };
    reading
}

impl Item {
    /// Returns the number given, or the one that singular or plural implies.
    fn count(&self) -> usize {
        let is_circle = self.relation == Some(Relation::Around)
            || self.attributes.arrangement == Some(Arrangement::Circle);
        let meant = match self.number {
            Number::One => 1,
            Number::Several if is_circle => AROUND,
            Number::Several => SEVERAL,
        };
        self.attributes.count.unwrap_or(meant)
    }
}

/// FetchLimits the things to what can be drawn. Returns true if nothing was left out.
fn fitted(clauses: &mut [Vec<Item>]) -> bool {
    let mut room = MOST_SHAPES;
    let mut is_whole = true;
    for clause in clauses {
        for item in &mut *clause {
            let count = item.count().min(room / item.thing.len());
            is_whole &= count == item.count();
            item.attributes.count = Some(count);
            room -= count * item.thing.len();
        }
        clause.retain(|item| item.attributes.count != Some(0));
    }
    is_whole
}

/// Places an item by its relation to the items after it. The last item of a clause stands on the ground.
fn placed(anchor: Option<SolidGroup>, item: &Item) -> SolidGroup {
    let relation = item.relation.unwrap_or(Relation::LeftOf);
    match anchor {
        None => built(item, None),
        Some(anchor) if relation == Relation::Around => {
            let room = anchor.bounds();
            built(item, Some(room.side(0).max(room.side(2)) / 2.0)).put(relation, anchor)
        }
        Some(anchor) => built(item, None).put(relation, anchor),
    }
}

/// Builds an item with its attributes. `around` is the radius of the thing that it surrounds.
fn built(item: &Item, around: Option<f64>) -> SolidGroup {
    let Attributes { colour, size, arrangement, .. } = item.attributes;
    let mut group = SolidGroup(item.thing.to_vec());
    if let Some(colour) = colour {
        group = group.painted(colour);
    }
    group = group.scaled(size.unwrap_or([1.0; 3])).grounded();
    let count = item.count();
    let is_ring = count == 1 && matches!(item.thing, [only] if only.kind == "torus");
    match (around, arrangement) {
        (Some(radius), _) if !is_ring => group.repeated(count, Arrangement::Circle, radius),
        (_, arrangement) if count > 1 => group.repeated(count, arrangement.unwrap_or(Arrangement::Row), 0.0),
        _ => group,
    }
}

fn multiplied(size: Option<[f64; 3]>, by: [f64; 3]) -> [f64; 3] {
    let size = size.unwrap_or([1.0; 3]);
    [0, 1, 2].map(|axis| (size[axis] * by[axis]).clamp(0.05, 20.0))
}

/// Splits a prompt into lower-case words; a comma counts as a word.
fn words_of(prompt: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in
        prompt.to_lowercase().split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '.' | '!' | '?'))
    {
        for (place, part) in piece.split([',', ';', '&', '+']).enumerate() {
            if place > 0 {
                words.push(",".to_owned());
            }
            let part = part.trim_matches(|c: char| !c.is_alphanumeric());
            if !part.is_empty() {
                words.push(part.to_owned());
            }
        }
    }
    words
}

/// Returns the longest known phrase at the start, and its number of words.
fn next_word(rest: &[String]) -> Option<(Word, usize)> {
    (1..=rest.len().min(LONGEST_PHRASE)).rev().find_map(|length| {
        let phrase = rest[..length].join(" ");
        Some((meaning(&phrase)?, length))
    })
}

fn meaning(phrase: &str) -> Option<Word> {
    if let Some(word) = WORDS.iter().find_map(|(phrases, word)| phrases.contains(&phrase).then_some(*word)) {
        return Some(word);
    }
    if let Some(tone) = colours::tone(phrase) {
        return Some(Word::Colour(tone));
    }
    if let Some(count) = count(phrase) {
        return Some(Word::Count(count));
    }
    if let Some(thing) = figures::named(phrase) {
        return Some(Word::Thing(thing, Number::One));
    }
    singulars(phrase).find_map(|one| Some(Word::Thing(figures::named(&one)?, Number::Several)))
}

fn count(word: &str) -> Option<usize> {
    const NUMBERS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    match word {
        "dozen" => Some(12),
        "couple" | "pair" => Some(2),
        _ => {
            NUMBERS.iter().position(|number| *number == word).or_else(|| word.parse().ok()).filter(|n| *n > 0)
        }
    }
}

/// Returns possible singular forms of a plural.
fn singulars(word: &str) -> impl Iterator<Item = String> {
    let endings = [("men", "man"), ("ies", "y"), ("es", ""), ("s", "")];
    endings
        .into_iter()
        .filter_map(move |(several, one)| Some(format!("{}{one}", word.strip_suffix(several)?)))
}

const fn all(by: f64) -> Word {
    Word::Size([by, by, by])
}

const WORDS: &[(&[&str], Word)] = &[
    (&["and", ",", "plus", "also", "with", "then", "together with"], Word::And),
    (
        &[
            "rotating",
            "rotate",
            "rotates",
            "spinning",
            "spin",
            "spins",
            "turning",
            "revolving",
            "turntable",
            "that rotates",
            "that spins",
            "in rotation",
        ],
        Word::Turns,
    ),
    (&["tiny", "very small"], all(0.35)),
    (&["small", "little", "mini"], all(0.6)),
    (&["big", "large"], all(1.6)),
    (&["huge", "giant", "enormous", "very big", "very large"], all(2.4)),
    (&["tall", "high"], Word::Size([1.0, 1.7, 1.0])),
    (&["short", "low"], Word::Size([1.0, 0.6, 1.0])),
    (&["wide", "long"], Word::Size([1.8, 1.0, 1.0])),
    (&["flat", "thin"], Word::Size([1.0, 0.3, 1.0])),
    (&["on top of", "on", "onto", "upon", "atop", "standing on", "sitting on"], Word::Related(Relation::On)),
    (&["above", "over", "floating above", "hovering above"], Word::Related(Relation::Above)),
    (&["under", "below", "beneath", "underneath"], Word::Related(Relation::Under)),
    (
        &["next to", "beside", "near", "by", "left of", "to the left of", "on the left of"],
        Word::Related(Relation::LeftOf),
    ),
    (&["right of", "to the right of", "on the right of"], Word::Related(Relation::RightOf)),
    (&["in front of", "before"], Word::Related(Relation::InFrontOf)),
    (&["behind", "in back of"], Word::Related(Relation::Behind)),
    (&["in", "inside", "inside of", "within"], Word::Related(Relation::Inside)),
    (&["around", "orbiting", "circling", "surrounding"], Word::Related(Relation::Around)),
    (&["row of", "line of", "in a row", "in a line"], Word::Arranged(Arrangement::Row)),
    (
        &["stack of", "pile of", "stacked", "in a stack", "on top of each other"],
        Word::Arranged(Arrangement::Stack),
    ),
    (&["circle of", "ring of", "in a circle", "in a ring"], Word::Arranged(Arrangement::Circle)),
    (
        &[
            "a",
            "an",
            "the",
            "of",
            "some",
            "is",
            "are",
            "that",
            "which",
            "it",
            "its",
            "there",
            "scene",
            "picture",
            "3d",
            "model",
            "show",
            "me",
            "draw",
            "make",
            "create",
            "render",
            "build",
            "please",
            "slowly",
            "simple",
            "nice",
            "beautiful",
            "cute",
            "single",
            "coloured",
            "colored",
            "animation",
            "animated",
            "in the middle",
            "in space",
            "each",
            "standing",
            "sitting",
            "shiny",
            "bright",
            "made",
            "view",
            "display",
            "i",
            "want",
            "see",
            "would like to",
            "can you",
            "floating",
            "my",
            "your",
            "little bit",
        ],
        Word::Filler,
    ),
];
