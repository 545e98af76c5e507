//! Patterns of phrases with a placeholder for any thing: *I get a kick out of ~*.

use std::collections::HashMap;
use std::ops::Range;

use text::terms;

use super::cues;
use super::favourites::is_kind;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::verbs::{self, VerbForm};

/// The maximum number of words of a thing.
const LONGEST_THING: usize = 3;

/// A pattern: for each position the alternative words, including none if the position is optional.
struct ThingPattern(Vec<Part>);

type Part = Vec<Vec<&'static str>>;

/// A match of a pattern.
pub struct ThingMatch {
    pub start: usize,
    pub end: usize,
    pub thing: Range<usize>,
    /// The thing that `thing` replaces.
    pub other: Range<usize>,
    /// The word for the kind of thing: a *colour*.
    pub kind: Range<usize>,
}

/// Patterns by their first word.
pub struct ThingPatterns {
    by_word: HashMap<&'static str, Vec<ThingPattern>>,
    /// Patterns that begin with the thing.
    of_thing: Vec<ThingPattern>,
}

/// Parses patterns, one per line. `~` stands for the thing, `%` for another thing, `@` for their kind, and `a|b_c|-`
/// for a word, two words or none.
pub fn thing_patterns(lines: &'static str) -> ThingPatterns {
    let words = |words: &'static str| words.split('_').filter(|word| *word != "-").collect();
    let part = |part: &'static str| part.split('|').map(words).collect();
    let mut found = ThingPatterns { by_word: HashMap::new(), of_thing: Vec::new() };
    for line in lines.lines() {
        let pattern: Vec<Part> = line.split_whitespace().map(part).collect();
        if matches!(pattern[0][0].as_slice(), ["~" | "%"]) {
            found.of_thing.push(ThingPattern(pattern));
            continue;
        }
        for words in &pattern[0] {
            found.by_word.entry(words[0]).or_default().push(ThingPattern(pattern.clone()));
        }
    }
    found
}

/// Returns the range of a thing that begins at a position, if any.
pub type MatchThing = fn(&SentenceView<'_>, usize) -> Option<Range<usize>>;

/// Returns all matches of the patterns that are meant as stated.
pub fn matches_of(
    patterns: &ThingPatterns,
    view: &SentenceView<'_>,
    is_thing: MatchThing,
) -> Vec<ThingMatch> {
    let mut found = Vec::new();
    for start in 0..view.words.len() {
        let of_word = patterns.by_word.get(view.words[start]).into_iter().flatten();
        let of_thing = patterns.of_thing.iter().filter(|pattern| {
            // The word after the thing must be near, or the more costly search for the thing is skipped.
            let ahead = &view.words[start + 1..view.words.len().min(start + 3 + LONGEST_THING)];
            pattern.0[1].iter().any(|words| words.first().is_some_and(|word| ahead.contains(word)))
        });
        let matched = of_word.chain(of_thing).find_map(|pattern| {
            let mut matched = ThingMatch { start, end: start, thing: 0..0, other: 0..0, kind: 0..0 };
            fill(&pattern.0, view, start, is_thing, &mut matched).then_some(matched)
        });
        // *There would be olives, which I hate*: only the presence of olives is supposed.
        let says = |matched: &ThingMatch| {
            if matched.start == matched.thing.start { matched.thing.end } else { matched.start }
        };
        found
            .extend(matched.filter(|matched| is_meant(view, says(matched)) && !is_bygone(view, matched.end)));
    }
    found
}

fn fill(
    parts: &[Part],
    view: &SentenceView<'_>,
    at: usize,
    is_thing: MatchThing,
    matched: &mut ThingMatch,
) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        matched.end = at;
        return true;
    };
    match part[0].as_slice() {
        [place @ ("~" | "%")] => {
            let thing = is_thing(view, at).filter(|_| at > matched.start || begins(view, at));
            let Some(thing) = thing else {
                return at > matched.start
                    && is_degree(view.word(at))
                    && fill(parts, view, at + 1, is_thing, matched);
            };
            let fills = fill(rest, view, thing.end, is_thing, matched);
            if fills {
                *(if *place == "~" { &mut matched.thing } else { &mut matched.other }) = thing;
            }
            return fills;
        }
        ["@"] => {
            let kind = view.word(at);
            let fills = (is_kind(kind) || is_plain(kind)) && fill(rest, view, at + 1, is_thing, matched);
            if fills {
                matched.kind = at..at + 1;
            }
            return fills;
        }
        _ => {}
    }
    let ahead = &view.words[at.min(view.words.len())..];
    let fits = part
        .iter()
        .any(|words| ahead.starts_with(words) && fill(rest, view, at + words.len(), is_thing, matched));
    // *I get a really big kick out of it*: adverbs of degree may occur anywhere.
    fits || at > matched.start && is_degree(view.word(at)) && fill(parts, view, at + 1, is_thing, matched)
}

fn is_degree(word: &str) -> bool {
    words!(
        "really so just quite totally completely absolutely simply always honestly truly definitely actually very \
        finally secretly also even still utterly badly severely highly deathly seriously only now suddenly right \
        slowly gradually somehow thoroughly rather pretty big huge real genuine"
    )
    .contains(word)
        || word.len() > 5 && word.ends_with("ly")
}

/// Returns true unless the words before it take it back, as in *I doubt that I've gone off it*.
fn is_meant(view: &SentenceView<'_>, at: usize) -> bool {
    let clause = view.clause_range(at);
    let before = &view.words[clause.start..at];
    let doubts = before
        .iter()
        .any(|word| words!(
                "whether if doubt pretend pretended claim claimed claims joke unless guessed guesses thinks assumed \
                assumes believes insists"
            )
            .contains(*word));
    let denies = before.iter().rev().take(3).any(|word| matches!(*word, "not" | "never"));
    !doubts && !denies && !cues::is_idle(before)
}

/// Returns true if the words after it say that it has ended: *I never saw the appeal of it, until our trip*.
fn is_bygone(view: &SentenceView<'_>, end: usize) -> bool {
    let comma = usize::from(view.word(end) == ",");
    matches!(view.word(end + comma), "before" | "until" | "till") || view.word(end) == "then"
}

/// Returns true for words that can be part of the name of a likeable thing.
fn is_plain(word: &str) -> bool {
    let doing = verbs::lemma(word).is_some_and(|(_, form)| form != VerbForm::Gerund);
    word.len() > 2
        && word.chars().all(|letter| letter.is_alphabetic() || letter == '-')
        && !is_function_word(word)
        && lexicon::relation(word).is_none()
        && (!doing || lexicon::is_likeable(word) || lexicon::describes_likeable(word))
        && !(word.ends_with("ly") && word.len() > 4)
        && !word.as_bytes().windows(3).any(|three| three[0] == three[1] && three[1] == three[2])
        && crate::calendar::number(word).is_none()
        && !lexicon::is_interjection(word)
        && !words!(
            "thing things idea way one ones overtaken replaced dethroned beaten time times day days lot life work name people everything nothing something \
            anything everyone everybody nobody somebody someone anyone anybody idk lol sure much many more most less little few several other \
            others another such same whole very any these those this that each every anymore nowadays lately today \
            tonight yesterday tomorrow ever yet once before after under until between around without within into onto \
            than like along among against towards through during where when why how what whom whose while though \
            although however whereas him them you your his her our their mine yours myself yourself itself now then \
            always too also else instead though either neither nor stuff business place job home place bit kind sort \
            day week month year years weekend morning evening night holiday holidays better best \
            well quite rather really yes nope yeah okay thanks please sorry god goodness despite because since plenty \
            lots loads tons half both all some none"
        )
        .contains(word)
        && !terms(word).is_empty()
}

/// Matches anything that can be liked: a run of plain words.
pub fn anything(view: &SentenceView<'_>, at: usize) -> Option<Range<usize>> {
    let some = usize::from(matches!(view.word(at), "some" | "any" | "all"));
    let start = at + some;
    let stop = |place: &usize| !is_plain(view.word(*place));
    let end = (start..=view.words.len()).find(stop)?;
    let is_name = |place: usize| {
        let token = &view.tokens[place];
        token.is_capital
            && place > 0
            && !lexicon::is_likeable(&token.low)
            && !lexicon::is_nationality(&token.low)
    };
    let short = (1..=LONGEST_THING).contains(&(end - start)) && !is_half(view, start..end);
    (short && !(start..end).any(is_name) && !goes_on(view, end)).then_some(start..end)
}

/// Returns true if a new thing begins here, and not a known one: *the olives*, *my camping*.
fn begins(view: &SentenceView<'_>, at: usize) -> bool {
    let before = view.before(at, 1);
    !is_plain(before)
        && !words!("the this that these those my your his her our their its a an 's").contains(before)
}

/// Returns true for an activity without its object: *I hate seeing this*.
fn is_half(view: &SentenceView<'_>, thing: Range<usize>) -> bool {
    let doing = verbs::lemma(view.word(thing.start)).filter(|(_, form)| *form == VerbForm::Gerund);
    thing.len() == 1
        && doing.is_some_and(|(base, _)| {
            words!(
                "see tell eat be have do go get make say play think talk watch hear look feel take give put know use \
                come try meet find keep let ask want call show pay wear buy hold leave bring start stop"
            )
            .contains(base)
        })
}

fn has_done(word: &str) -> bool {
    verbs::lemma(word).is_some_and(|(_, form)| form != VerbForm::Gerund) && !lexicon::is_likeable(word)
}

/// Returns true if the next words restrict the thing: *films about war*, but not *films in the end*.
fn goes_on(view: &SentenceView<'_>, at: usize) -> bool {
    let next = view.word(at + 1);
    match view.word(at) {
        "of" | "about" | "without" | "made" | "by" | "that" | "who" | "from" => true,
        "with" | "in" | "on" | "at" => !words!("the my general particular all me").contains(next),
        word => has_done(word) && lexicon::is_likeable(next),
    }
}

#[cfg(test)]
#[path = "thing_patterns_tests.rs"]
mod tests;
