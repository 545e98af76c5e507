//! The edit ladder on a file of 50,000 lines, its most expensive case.

use std::time::{Duration, Instant};

use edits::{Edit, apply};

const LINES: usize = 50_000;
const QUOTED: usize = 200;
const ROUNDS: usize = 15;

struct Case {
    name: &'static str,
    content: String,
    edit: Edit,
}

/// Returns the number of cases, and the slowest case with its time. Each time is the least of several rounds, which is
/// affected least by other load.
pub fn slowest() -> (usize, &'static str, Duration) {
    let cases = cases();
    let count = cases.len();
    let timed = cases.into_iter().map(|case| {
        let once = || {
            let start = Instant::now();
            std::hint::black_box(apply(&case.content, &case.edit).is_ok());
            start.elapsed()
        };
        (case.name, (0..ROUNDS).map(|_| once()).min().unwrap_or_default())
    });
    let (name, time) = timed.max_by_key(|(_, time)| *time).unwrap_or_default();
    (count, name, time)
}

/// Returns a realistic line of code that occurs only once.
fn unique(line: usize) -> String {
    format!("{}let value_{line} = compute(input_{}, {line});", "    ".repeat(line % 4), line / 7)
}

fn joined(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn case(name: &'static str, lines: &[String], old: &[String], new: &[String]) -> Case {
    let edit = Edit { old: old.join("\n"), new: new.join("\n"), replace_all: false };
    Case { name, content: joined(lines), edit }
}

/// Returns the lines with the middle one changed.
fn changed(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    let middle = lines.len() / 2;
    lines[middle].push_str(" // changed");
    lines
}

fn cases() -> Vec<Case> {
    let mut cases = on_unique_lines();
    cases.extend(on_alike_lines());
    cases.extend(everywhere());
    cases
}

fn on_unique_lines() -> Vec<Case> {
    let lines: Vec<String> = (0..LINES).map(unique).collect();
    let quote = lines[LINES - QUOTED - 5..LINES - 5].to_vec();
    let each = |change: &dyn Fn(&String) -> String| quote.iter().map(change).collect::<Vec<String>>();
    let noisy = |name, old: Vec<String>| case(name, &lines, &old, &changed(&old));
    let windows: Vec<String> = lines.iter().map(|line| format!("{line}\r")).collect();
    let cyrillic: Vec<String> = lines.iter().map(|line| format!("{line} // значение")).collect();
    let mut forgotten = quote.clone();
    forgotten.remove(QUOTED / 3);
    let mut strange = quote.clone();
    strange[QUOTED / 2] = "nobody ever wrote this line".into();
    let mut replaced = strange.clone();
    replaced[QUOTED / 2].push('!');
    let nowhere: Vec<String> =
        (0..QUOTED).map(|line| format!("return nothing_{line}(of, that, kind);")).collect();
    let far: Vec<String> = (0..QUOTED).map(|line| format!("жук {line}")).collect();
    let letters = each(&|line| line.to_uppercase());
    vec![
        noisy("unique lines: exact", quote.clone()),
        case("unique lines: exact, CRLF", &windows, &quote, &changed(&quote)),
        noisy("unique lines: trailing blanks", each(&|line| format!("{line}  "))),
        noisy("unique lines: moved in", each(&|line| format!("    {line}"))),
        noisy("unique lines: curly quotes", each(&|line| line.replace('_', "_\u{200b}"))),
        case("Cyrillic lines: blanks", &cyrillic, &each(&|line| format!("{line}  //значение")), &nowhere),
        noisy("unique lines: blanks anywhere", each(&|line| line.replace(' ', "   "))),
        noisy("unique lines: one forgotten", forgotten),
        noisy("unique lines: other letters", letters),
        case("unique lines: one is not there", &lines, &strange, &replaced),
        case("unique lines: nowhere", &lines, &nowhere, &changed(&nowhere)),
        case("Cyrillic lines: nowhere", &cyrillic, &nowhere, &changed(&nowhere)),
        case("unique lines: other letters nowhere", &cyrillic, &far, &changed(&far)),
        case("unique lines: one word nowhere", &lines, &["nothing_at_all".to_owned()], &["x".to_owned()]),
    ]
}

fn on_alike_lines() -> Vec<Case> {
    let same = |text: &str, count: usize| vec![text.to_owned(); count];
    let alike = same("    step(forward);", LINES);
    let blank = same("", LINES);
    let mut last = same("    step(forward);", QUOTED);
    last[QUOTED - 1] = "    step(backward);".into();
    let mut first = same("    step(forward);", QUOTED);
    first[0] = "    step(backward);".into();
    let stairs: Vec<String> =
        (0..LINES).map(|line| format!("{}step(forward);", " ".repeat(line % 3))).collect();
    let moved = same("\tstep(forward);", QUOTED);
    let blocks: Vec<String> =
        (0..LINES).map(|line| format!("    step(forward, {});", line % QUOTED)).collect();
    let mut block = blocks[..QUOTED].to_vec();
    block[QUOTED / 2] = "    step(sideways);".into();
    let mut swapped = blocks[..QUOTED].to_vec();
    swapped.reverse();
    let rare: Vec<String> =
        (0..LINES).map(|line| format!("    step(forward, {});", line % (LINES / 8))).collect();
    let mut nearly = rare[..QUOTED].to_vec();
    nearly[QUOTED / 2] = "    step(sideways);".into();
    vec![
        case("alike lines: exact", &alike, &alike[..QUOTED], &changed(&alike[..QUOTED])),
        case("alike lines: trailing blanks", &alike, &same("    step(forward); ", QUOTED), &first),
        case("alike lines: moved in", &alike, &moved, &changed(&moved)),
        case("alike lines: blanks", &alike, &same("step( forward );", QUOTED), &first),
        case("alike lines: other letters", &alike, &same("    STEP(FORWARD);", QUOTED), &first),
        case("alike lines: last one differs", &alike, &last, &changed(&last)),
        case("alike lines: first one differs", &alike, &first, &changed(&first)),
        case("stairs: moved in", &stairs, &moved, &changed(&moved)),
        case("stairs: flat", &stairs, &same("step(forward);", QUOTED), &moved),
        case("stairs: one word", &stairs, &same("step(FORWARD);", 1), &moved),
        case("blank lines: nowhere", &blank, &same("step(forward);", QUOTED), &moved),
        case("blocks: nearly", &blocks, &block, &changed(&block)),
        case("blocks: backwards", &blocks, &swapped, &changed(&swapped)),
        case("blocks, eight of each: nearly", &rare, &nearly, &changed(&nearly)),
    ]
}

fn everywhere() -> Vec<Case> {
    let lines: Vec<String> = (0..LINES).map(|line| format!("    step(forward, {line});  ")).collect();
    let content = joined(&lines);
    let edit = |old: &str, new: &str| Edit { old: old.to_owned(), new: new.to_owned(), replace_all: true };
    let all = |name, content: &str, edit| Case { name, content: content.to_owned(), edit };
    let windows = content.replace('\n', "\r\n");
    let alike = "    step(forward);\n".repeat(LINES);
    vec![
        all("all: exact", &content, edit("step(forward", "step(back")),
        all("all: exact, CRLF", &windows, edit("step(forward", "go(\n1")),
        all("all: moved in", &alike, edit("\tstep(forward);", "\tstep(back);")),
        all(
            "all: two lines",
            &alike,
            edit("  step(forward);\n  step(forward);", "  go();\n  step(forward);"),
        ),
        all("all: blanks", &alike, edit("step( forward );", "step( back );")),
        all("all: other letters", &alike, edit("STEP(forward);", "STEP(back);")),
    ]
}
