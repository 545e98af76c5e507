//! A tree of a text, within a measure of work and of memory.
//!
//! Work is counted and not timed, so that the same text always gives the same tree: the bytes that the grammar asks
//! for, which are many more than there are when it runs on to the end again and again, and its steps.
//!
//! Memory is another matter. A grammar follows several ways to read a text, and joins them where they meet. If the text
//! ends while they are open, it lays them all out side by side: so many ways times so many parts. No limit of ours is
//! asked at that time, so it must not come to it: it is told beforehand how often ways were joined.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tree_sitter::{LogType, ParseOptions, Parser, Tree};

use crate::grammar::Grammar;

/// The text is handed out in pieces, so that what is asked for again is noticed.
const PIECE: usize = 256;
/// What a text may cost: a part for every one, and a part for each of its bytes. Sources take a third of that.
const AT_LEAST: i64 = 4 << 20;
const PER_BYTE: i64 = 40;
/// Where the work is used up, the grammar is stopped at its next telling; until then it may have so much more.
const OVERDRAFT: i64 = 16 << 20;
/// The grammar tells of itself after so many steps (in bytes that take about as long).
pub const STEPS: usize = 1_000;
/// Of so many tellings but one it is not listened to, which takes long.
const UNHEARD: usize = 7;
/// A text with more errors is not written in its language; each may cost milliseconds.
const MOST_ERRORS: usize = 500;
/// So many are joined in the longest sources that people write; ten times as many take gigabytes.
const MOST_JOINED: usize = 4_000;

/// How much work is left; less than none where it was overdrawn.
pub struct Work(Cell<i64>);

impl Work {
    pub fn for_text(text: &str) -> Self {
        let length = i64::try_from(text.len()).unwrap_or(i64::MAX / PER_BYTE / 2);
        Self(Cell::new(AT_LEAST + length * PER_BYTE))
    }

    pub fn take(&self, amount: usize) -> ControlFlow<()> {
        self.0.set(self.0.get().saturating_sub(i64::try_from(amount).unwrap_or(i64::MAX)));
        if self.is_used_up() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn is_used_up(&self) -> bool {
        self.0.get() <= 0
    }

    fn is_overdrawn(&self) -> bool {
        self.0.get() < -OVERDRAFT
    }
}

/// Reads on in turns, and listens to the grammar in some of them. None if it asks for too much.
pub fn parse(grammar: &Grammar, text: &str, work: &Work) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    let heard = Arc::new(Heard::default());
    let mut piece = |offset: usize, _| {
        // One that is overdrawn is shown the end, so that a single step cannot read forever.
        let _ = work.take(PIECE);
        let rest = if work.is_overdrawn() { None } else { text.get(offset..) };
        // A piece with half a sign at its end would be asked for again, and must not be empty then.
        rest.map_or("", |rest| &rest[..rest.floor_char_boundary(PIECE)])
    };
    loop {
        for listens in [true, false] {
            parser.set_logger(listens.then(|| heard.listener()));
            let mut tellings = if listens { 1 } else { UNHEARD };
            let mut progress = |_: &_| {
                tellings = usize::saturating_sub(tellings, 1);
                work.take(STEPS)?;
                if tellings == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = ParseOptions::new().progress_callback(&mut progress);
            let tree = parser.parse_with_options(&mut piece, None, Some(options));
            if work.is_used_up() || heard.is_too_much() {
                return None;
            }
            if tree.is_some() {
                return tree;
            }
        }
    }
}

/// What a grammar said of its work, as often as it was listened to.
#[derive(Default)]
struct Heard {
    errors: AtomicUsize,
    joined: AtomicUsize,
}

type Listener = dyn FnMut(LogType, &str) + Send;

impl Heard {
    fn listener(self: &Arc<Self>) -> Box<Listener> {
        let heard = Arc::clone(self);
        Box::new(move |_, message| {
            if message.starts_with("condense") {
                heard.joined.fetch_add(1, Relaxed);
            } else if message.starts_with("resume version") {
                // No way is left, and one that had been given up is taken up again.
                heard.errors.fetch_add(1, Relaxed);
            }
        })
    }

    fn is_too_much(&self) -> bool {
        let times = 1 + UNHEARD;
        self.errors.load(Relaxed) * times > MOST_ERRORS || self.joined.load(Relaxed) * times > MOST_JOINED
    }
}
