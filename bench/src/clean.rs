//! The share of clean replies per model family, with the information from its template.

use std::time::Instant;

use crate::families::Family;
use crate::reading::Reader;
use crate::replies::{Reply, replies};
use crate::report::{BenchReport, Goal};
use crate::statistics::median;

const ROUNDS: usize = 5;

pub fn run() -> BenchReport {
    let families = Family::all();
    let method = format!(
        "{} templates, each in the style of a family of models, and replies as such models write them: words, thoughts, \
         calls with arguments of all types and with hostile ones, calls in thoughts and in code, whole, cut at every \
         character, and with the mark that ends a turn behind it. A reply is clean when words, thoughts and calls are what \
         they should be, however it comes. Learning is what one template costs \
         once, when its model is loaded: the median of {ROUNDS}.",
        families.len()
    );
    let mut report = BenchReport::new("families", method);
    let (mut clean, mut all, mut slowest) = (0, 0, 0.0_f64);
    for family in &families {
        let reader = Reader::of(family);
        let replies = replies(family);
        let count = replies.iter().filter(|reply| is_clean(&reader, reply)).count();
        let learning: Vec<f64> = (0..ROUNDS).map(|_| learning(family)).collect();
        slowest = slowest.max(median(&learning));
        clean += count;
        all += replies.len();
        let share = percent(count, replies.len());
        report.row(format!("clean_{}", family.name), family.name, share, "%", None);
    }
    report.row("clean", "replies that come out clean", percent(clean, all), "%", Some(Goal::AtLeast(100.0)));
    report.row("replies", "replies", percent(all, 100), "", None);
    report.row(
        "learn_ms",
        "learning from the slowest template",
        slowest * 1e3,
        "ms",
        Some(Goal::AtMost(50.0)),
    );
    report
}

fn is_clean(reader: &Reader, reply: &Reply) -> bool {
    let whole = reader.read(reply, usize::MAX);
    let is_same = (0..=reply.text.len()).all(|at| reader.read_cut_at(reply, at) == whole);
    let ended = Reader::result(reader.read_with_end(reply));
    let is_right = ended == reply.expected && Reader::result(whole.clone()) == reply.expected;
    is_same && is_right && reader.read(reply, 1) == whole
}

fn learning(family: &Family) -> f64 {
    let started = Instant::now();
    std::hint::black_box(Reader::template(family).learn());
    started.elapsed().as_secs_f64()
}

#[allow(clippy::cast_precision_loss)]
fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole as f64
}
