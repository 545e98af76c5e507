//! Blanks the parts of a message that are not the user's own statements: code, quotations, pasted mail, stage
//! directions.
//!
//! They are blanked in place, so that all positions in the message stay the same.

use super::names::KnownNames;
use super::pasted;

/// Labels at the start of a line that do not name another speaker, unlike `Anna: I live in Rome`.
const OWN_LABELS: &[&str] = &[
    "note",
    "update",
    "fyi",
    "ps",
    "btw",
    "correction",
    "edit",
    "reminder",
    "news",
    "fact",
    "me",
    "so",
    "well",
    "anyway",
    "today",
    "breaking",
    "status",
    "confession",
    "remember",
    "p.s",
    "tldr",
    "big news",
    "fun fact",
    "life update",
    "for the record",
    "small update",
    "quick update",
    "good news",
    "bad news",
    "me",
    "actually",
    "heads up",
    "job",
    "home",
    "pet",
    "about me",
    "name",
    "age",
    "diary",
    "dear diary",
    "new job",
    "new home",
];
/// Words after which the rest of the message is text to be worked on.
const WORK: &[&str] = &[
    "translate",
    "rewrite",
    "rephrase",
    "paraphrase",
    "proofread",
    "summarize",
    "summarise",
    "correct",
    "fix",
    "repeat after me",
    "say it in",
    "write",
    "draft",
    "compose",
    "polish",
    "shorten",
    "improve",
    "edit",
    "analyze",
    "analyse",
    "here is the text",
    "here's the text",
    "the text",
    "lyrics",
    "the song goes",
    "song lyrics",
    "quote",
    "copy",
    "complete",
    "continue",
    "check",
    "say after me",
    "make this",
    "make it",
    "turn this",
    "put this",
    "rate this",
    "review this",
];
/// Words that introduce a sample text.
const SAMPLES: &[&str] = &[
    "vocabulary",
    "example sentence",
    "sample sentence",
    "sample text",
    "example text",
    "test sentence",
    "placeholder text",
    "lorem ipsum",
    "dictation",
    "phrase of the day",
];
const MAIL: &[&str] =
    &["from: ", "subject: ", "fwd: ", "-----original message", "---------- forwarded", "begin forwarded"];

/// Returns the message with those parts blanked. Its length stays the same.
pub fn own_words(text: &str, names: &KnownNames) -> String {
    let mut out: Vec<u8> = text.as_bytes().to_vec();
    let mut fenced = false;
    let mut pasted = pasted::is_pasted(text) || pasted::is_letter(text, names);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let trimmed = line.trim_start();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        if pasted || fenced || fence || trimmed.starts_with('>') {
            blank(&mut out, text, start, end);
        } else if is_mail(trimmed) {
            pasted = true;
            blank(&mut out, text, start, end);
        } else if trimmed.contains('♪')
            || trimmed.contains('♫')
            || pasted::is_logged(trimmed)
            || pasted::is_code(trimmed)
        {
            blank(&mut out, text, start, end);
        } else {
            let body = spoken_label(trimmed).map_or(start, |length| {
                blank(&mut out, text, start, end);
                start + (line.len() - trimmed.len()) + length
            });
            if body == start {
                quotations(&mut out, text, start, end);
            }
        }
        if fence {
            fenced = !fenced;
        }
        if let Some(at) = work(line).or_else(|| pasted::quoted_from(line)) {
            blank(&mut out, text, start + at, end);
            pasted = true;
        }
        pasted |= pasted::announces(line) || asks_for_work(line);
        start = end;
    }
    String::from_utf8(out).unwrap_or_default()
}

fn blank(out: &mut [u8], text: &str, start: usize, end: usize) {
    for (at, letter) in text[start..end].char_indices() {
        if letter != '\n' {
            out[start + at..start + at + letter.len_utf8()].fill(1);
        }
    }
}

fn is_mail(line: &str) -> bool {
    let begins: String = line.chars().take(24).collect::<String>().to_lowercase();
    MAIL.iter().any(|mark| begins.starts_with(mark))
        || (line.starts_with("On ") && line.trim_end().ends_with("wrote:"))
}

/// Returns the length of a label such as `Anna:` at the start of a line that another person speaks.
fn spoken_label(line: &str) -> Option<usize> {
    let (label, rest) = line.split_once(':')?;
    let fits = label.len() <= 24 && label.split_whitespace().count() <= 2 && rest.starts_with(' ');
    let named = label.split_whitespace().all(|word| word.chars().next().is_some_and(char::is_uppercase))
        && label.chars().all(|c| c.is_alphabetic() || c == ' ');
    let low = label.to_lowercase();
    let own = low.starts_with("fav") || low.starts_with("my ") || OWN_LABELS.contains(&low.as_str());
    (fits && named && !own).then_some(label.len())
}

/// Returns the start of the text that the companion is asked to work on: after the colon of `Translate this: …`.
fn work(line: &str) -> Option<usize> {
    let head = |at: usize| line[..at].chars().take(120).collect::<String>().to_lowercase();
    let sample = |at: &usize| SAMPLES.iter().any(|sample| head(*at).contains(sample));
    if let Some(at) = line.find(" - ").filter(sample) {
        return Some(at + 2);
    }
    let at = line.find(':')?;
    ((begins_work(&head(at)) || sample(&at)) && !line[at..].starts_with("://")).then_some(at + 1)
}

fn begins_work(head: &str) -> bool {
    let begins = head
        .trim_start()
        .trim_start_matches("please ")
        .trim_start_matches("can you ")
        .trim_start_matches("could you ")
        .trim_start_matches("please ");
    WORK.iter().any(|word| begins.starts_with(word))
}

/// Returns true if a line asks for work on the lines below it: *Can you shorten this for me?*
fn asks_for_work(line: &str) -> bool {
    let low = line.trim().to_lowercase();
    low.ends_with(['?', '.', ':', '!'])
        && begins_work(&low)
        && low
            .split(|letter: char| !letter.is_alphabetic())
            .any(|word| matches!(word, "this" | "following" | "below"))
}

/// Returns the closing marks of an opening quotation mark.
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '“' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '`' => &['`'],
        '‘' => &['’'],
        '*' => &['*'],
        '\'' => &['\''],
        _ => return None,
    })
}

/// Blanks text in quotation marks, unless it is a name of one or two words: `called "Max"`.
fn quotations(out: &mut [u8], text: &str, start: usize, end: usize) {
    let line = &text[start..end];
    let mut at = 0;
    let mut before = ' ';
    while let Some(open) = line[at..].chars().next() {
        // Bold text is the user's own emphasis, so only its marks are blanked.
        if line[at..].starts_with("**") {
            out[start + at..start + at + 2].fill(b' ');
            before = ' ';
            at += 2;
            continue;
        }
        let after = at + open.len_utf8();
        let next = line[after..].chars().next().unwrap_or(' ');
        let opens = !before.is_alphanumeric() && !next.is_whitespace();
        if let Some(close) = closing(open).filter(|_| opens) {
            let found = close_of(&line[after..], close);
            let (inner_end, whole_end) = match found {
                Some((length, close)) => (after + length, after + length + close.len_utf8()),
                None if matches!(open, '"' | '“' | '„' | '«') => (line.len(), line.len()),
                None => {
                    before = open;
                    at = after;
                    continue;
                }
            };
            let words = line[after..inner_end].split_whitespace().count();
            if words <= 2 && found.is_some() && open != '`' {
                out[start + at..start + after].fill(b' ');
                out[start + inner_end..start + whole_end].fill(b' ');
            } else {
                blank(out, text, start + at, start + whole_end);
            }
            before = ' ';
            at = whole_end;
        } else {
            before = open;
            at = after;
        }
    }
}

/// Returns the distance to a closing mark that is not inside a word, and the mark. The search is bounded, so that
/// unclosed marks cost little.
fn close_of(rest: &str, closing: &[char]) -> Option<(usize, char)> {
    let limit = rest.floor_char_boundary(rest.len().min(600));
    let mut ends = rest[..limit].char_indices().filter(|(_, letter)| closing.contains(letter));
    ends.find(|(at, close)| !rest[at + close.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric))
}
