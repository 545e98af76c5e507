//! Parses a text within limits on work and memory.
//!
//! Work is counted instead of timed, so that the same text always gives the same tree. The count includes the bytes
//! that the grammar requests, which exceed the length of the text if it scans to the end repeatedly, and its steps.
//!
//! Memory needs a separate limit. The parser follows several readings of a text and joins them where they meet. If the
//! text ends while they are open, it expands them all: the number of readings times the number of parts. No limit is
//! checked during that expansion, so parsing stops earlier, based on the number of joins that the parser logs.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tree_sitter::{LogType, ParseOptions, Parser, Tree};

use crate::grammar::Grammar;

/// The size in bytes of the pieces in which the text is passed to the parser; small enough to notice repeated reads.
const PIECE: usize = 256;
/// The work allowed for a text: a fixed part and a part per byte. Source files use about a third of it.
const AT_LEAST: i64 = 4 << 20;
const PER_BYTE: i64 = 40;
/// The overrun that is tolerated until the parser's next progress callback, where it is stopped.
const OVERDRAFT: i64 = 16 << 20;
/// The work counted per progress callback, in bytes that take about as long to read.
pub const STEPS: usize = 1_000;
/// The number of progress callbacks without logging after each one with logging, which is slow.
const CALLBACKS_WITHOUT_LOG: usize = 7;
/// The maximum number of parse errors. A text with more is not written in its language, and each may cost milliseconds.
const MOST_ERRORS: usize = 500;
/// The maximum number of joined readings. The longest hand-written sources reach about this; ten times as many take
/// gigabytes.
const MOST_JOINED: usize = 4_000;

/// The work that is left for a text; negative if overdrawn.
pub struct ParseBudget(Cell<i64>);

impl ParseBudget {
    pub fn for_text(text: &str) -> Self {
        let length = i64::try_from(text.len()).unwrap_or(i64::MAX / PER_BYTE / 2);
        Self(Cell::new(AT_LEAST + length * PER_BYTE))
    }

    pub fn spend(&self, amount: usize) -> ControlFlow<()> {
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

/// Parses in turns and logs the parser's work in some of them. Returns `None` if a limit is exceeded.
pub fn parse(grammar: &Grammar, text: &str, budget: &ParseBudget) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    let counts = Arc::new(LogCounts::default());
    let mut piece = |offset: usize, _| {
        // An overdrawn parser is given the end of the text, so that a single step cannot read forever.
        let _ = budget.spend(PIECE);
        let rest = if budget.is_overdrawn() { None } else { text.get(offset..) };
        // A piece ends at a character boundary; the parser would request a partial character again, and it must not get
        // an empty piece then.
        rest.map_or("", |rest| &rest[..rest.floor_char_boundary(PIECE)])
    };
    loop {
        for listens in [true, false] {
            parser.set_logger(listens.then(|| counts.listener()));
            let mut tellings = if listens { 1 } else { CALLBACKS_WITHOUT_LOG };
            let mut progress = |_: &_| {
                tellings = usize::saturating_sub(tellings, 1);
                budget.spend(STEPS)?;
                if tellings == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = ParseOptions::new().progress_callback(&mut progress);
            let tree = parser.parse_with_options(&mut piece, None, Some(options));
            if budget.is_used_up() || counts.exceeds_limits() {
                return None;
            }
            if tree.is_some() {
                return tree;
            }
        }
    }
}

/// The counts taken from the parser's log while logging was on.
#[derive(Default)]
struct LogCounts {
    errors: AtomicUsize,
    joined: AtomicUsize,
}

type Listener = dyn FnMut(LogType, &str) + Send;

impl LogCounts {
    fn listener(self: &Arc<Self>) -> Box<Listener> {
        let counts = Arc::clone(self);
        Box::new(move |_, message| {
            if message.starts_with("condense") {
                counts.joined.fetch_add(1, Relaxed);
            } else if message.starts_with("resume version") {
                // No reading is left, so the parser resumes one that it had given up.
                counts.errors.fetch_add(1, Relaxed);
            }
        })
    }

    fn exceeds_limits(&self) -> bool {
        let times = 1 + CALLBACKS_WITHOUT_LOG;
        self.errors.load(Relaxed) * times > MOST_ERRORS || self.joined.load(Relaxed) * times > MOST_JOINED
    }
}
