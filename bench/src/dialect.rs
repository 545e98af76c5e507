use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use dialect::{ReplyParser, ReplyVocabulary};

use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio};

const MEGABYTE: usize = 1_000_000;
const ROUNDS: usize = 9;
/// The approximate size of a token in bytes.
const TOKEN: usize = 4;
/// The approximate number of bytes that one read of a socket returns.
const CHUNK: usize = 64 << 10;

/// Tool names, about as many as the companion has.
const TOOLS: &str = "web_search web_fetch web_research get_time calculator memory_create memory_read memory_edit \
    memory_delete memory_patch memory_list state_set state_get state_list open_app open_url clipboard_read \
    clipboard_write notify read_file write_file system_info widget map scene spotify weather find_tool read_skill";
const TAGS: &str = "WEB_SEARCH WEB_FETCH WEB_RESEARCH WIDGET MAP SCENE SPOTIFY LAUNCH BROWSE WORKSPACE_READ \
    WORKSPACE_WRITE TASK";

const PROSE: &str = "The moon moves about four centimetres further away each year. It *always* shows the same side, \
    since it turns once (a month) as it goes round.\n\n- Tides follow it.\n- So do people, now and then.\n\n";

const MIXED: &str = "<think>Look it up, then say how it is written.</think>\nLet me see. [WEB_SEARCH:phases of the moon]\n\n\
    {\"tool\": \"get_time\", \"args\": {\"zone\": \"Europe/Berlin\"}, \"speak\": \"One moment.\"}\n\
    <tool_call>\n{\"name\": \"web_fetch\", \"arguments\": {\"url\": \"https://example.org/moon?[a]={b}\"}}\n</tool_call>\n\
    calculator(expression=\"384400 / 299792\", exact=false)\n\nThe tag `[WEB_SEARCH:query]` searches, as in\n\n\
    ```\n[WEB_SEARCH:query]\n```\n\n| phase | lit |\n|---|---|\n| full | 100 % |\n\n[WIDGET:{\"type\": \"steps\", \
    \"data\": [\"Look up [1]\", \"Wait {2}\"],}]\n\n";

/// Inputs with brackets that open many structures and close none.
const HOSTILE: [&str; 16] = [
    "[",
    "{",
    "[{\"",
    "[[[[{{{{\"",
    "\"",
    "\\",
    "<tool_call>",
    "<tool_call>{",
    "[WEB_SEARCH:",
    "[WIDGET:{",
    "\n{\"tool\":",
    "web_search(",
    "\nweb_search([",
    "<function=web_search><parameter=a>",
    "[TOOL_CALLS][",
    "\n```tool_code\n",
];

/// Measures the cost of parsing a reply compared with copying it.
pub fn run() -> BenchReport {
    let vocabulary = Arc::new(vocabulary());
    let (prose, mixed) = (filled(PROSE, 10), filled(MIXED, 10));
    let prose_costs = Costs::of(&prose, CHUNK, &vocabulary);
    let mixed_costs = Costs::of(&mixed, CHUNK, &vocabulary);
    let prose_tokens = Costs::of(&prose, TOKEN, &vocabulary);
    let mixed_tokens = Costs::of(&mixed, TOKEN, &vocabulary);

    let method = format!(
        "10 MB each, median of {ROUNDS} interleaved pairs. Doing nothing is copying the text into one string. In chunks of \
         64 KB, and token by token ({TOKEN} bytes). Hostile are {} kinds of brackets, quotes and tags that are opened \
         and never closed, each kind over and over; the best round of the slowest kind counts, and for growth each kind \
         beside 1 MB of the same.",
        HOSTILE.len()
    );
    let mut report = BenchReport::new("dialect", method);
    for (key, what, costs) in
        [("prose", "plain prose", &prose_costs), ("mixed", "a reply with calls in it", &mixed_costs)]
    {
        report.row(format!("{key}_mb_s"), what, costs.megabytes_per_second(), "MB/s", None);
        report.row(format!("{key}_ratio"), format!("{what}, beside doing nothing"), costs.ratio(), "×", None);
    }
    for (key, what, costs) in [
        ("prose", "a token of prose", &prose_tokens),
        ("mixed", "a token of a reply with calls in it", &mixed_tokens),
    ] {
        report.row(format!("{key}_token_ns"), what, costs.nanoseconds_per_piece(), "ns", None);
        report.row(
            format!("{key}_token_ratio"),
            format!("{what}, beside doing nothing"),
            costs.ratio(),
            "×",
            None,
        );
    }
    let brackets = Costs::of(&filled("[", 10), TOKEN, &vocabulary);
    report.row("hostile_token_ns", "a token of brackets", brackets.nanoseconds_per_piece(), "ns", None);
    report.row(
        "hostile_token_ratio",
        "a token of brackets, beside doing nothing",
        brackets.ratio(),
        "×",
        None,
    );
    let hostile: Vec<Growth> = HOSTILE.into_iter().map(|run| Growth::of(run, &vocabulary)).collect();
    let slowest = hostile.iter().map(|growth| growth.ten_megabytes).fold(0.0, f64::max);
    let steepest = hostile.iter().map(|growth| growth.factor).fold(0.0, f64::max);
    report.row(
        "hostile_ms",
        "10 MB of hostile brackets, the slowest kind",
        slowest * 1e3,
        "ms",
        Some(Goal::AtMost(250.0)),
    );
    report.row("hostile_mb_s", "the same as throughput", 10.0 / slowest, "MB/s", None);
    report.row(
        "hostile_growth",
        "10 MB beside 1 MB, the steepest kind",
        steepest,
        "×",
        Some(Goal::AtMost(12.0)),
    );
    report
}

fn vocabulary() -> ReplyVocabulary {
    ReplyVocabulary::new(TOOLS.split_whitespace(), TAGS.split_whitespace())
        .with_fences(&["tool_code", "tool_call"])
}

fn filled(text: &str, megabytes: usize) -> String {
    text.repeat(megabytes * MEGABYTE / text.len())
}

/// The times in seconds of parsing and copying, in pairs.
struct Costs {
    bytes: f64,
    pieces: f64,
    parsing: Vec<f64>,
    copying: Vec<f64>,
}

impl Costs {
    fn of(text: &str, piece: usize, vocabulary: &Arc<ReplyVocabulary>) -> Self {
        let (mut parsing, mut copying) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            parsing.push(parse(text, piece, vocabulary));
            copying.push(copy(text, piece));
        }
        Self { bytes: float(text.len()), pieces: float(text.len().div_ceil(piece)), parsing, copying }
    }

    fn megabytes_per_second(&self) -> f64 {
        self.bytes / 1e6 / median(&self.parsing)
    }

    fn nanoseconds_per_piece(&self) -> f64 {
        median(&self.parsing) * 1e9 / self.pieces
    }

    fn ratio(&self) -> f64 {
        median_ratio(&self.parsing, &self.copying)
    }
}

/// The growth of the time from 1 MB to 10 MB of the same input.
struct Growth {
    /// The time in seconds for 10 MB, in the best round.
    ten_megabytes: f64,
    factor: f64,
}

impl Growth {
    fn of(run: &str, vocabulary: &Arc<ReplyVocabulary>) -> Self {
        let (small, large) = (filled(run, 1), filled(run, 10));
        let (mut tens, mut factors) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let ten = parse(&large, CHUNK, vocabulary);
            // Repeated ten times, so that other load affects both measurements equally.
            let ones: f64 = (0..10).map(|_| parse(&small, CHUNK, vocabulary)).sum();
            tens.push(ten);
            factors.push(ten / (ones / 10.0));
        }
        Self { ten_megabytes: tens.into_iter().fold(f64::INFINITY, f64::min), factor: median(&factors) }
    }
}

fn parse(text: &str, piece: usize, vocabulary: &Arc<ReplyVocabulary>) -> f64 {
    let started = Instant::now();
    let mut parser = ReplyParser::new(Arc::clone(vocabulary));
    for next in pieces(text, piece) {
        black_box(parser.push(next));
    }
    black_box(parser.finish());
    started.elapsed().as_secs_f64()
}

fn copy(text: &str, piece: usize) -> f64 {
    let started = Instant::now();
    let mut copied = String::new();
    for next in pieces(text, piece) {
        copied.push_str(black_box(next));
    }
    black_box(copied);
    started.elapsed().as_secs_f64()
}

/// Splits the text into pieces of about `length` bytes.
fn pieces(text: &str, length: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (next, after) = rest.split_at(rest.ceil_char_boundary(length.min(rest.len())));
        rest = after;
        (!next.is_empty()).then_some(next)
    })
}

#[allow(clippy::cast_precision_loss)]
fn float(number: usize) -> f64 {
    number as f64
}
