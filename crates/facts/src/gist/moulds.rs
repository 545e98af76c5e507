//! Patterns of phrases with a placeholder for any thing: *I get a kick out of ~*.

use std::collections::HashMap;
use std::ops::Range;

use text::terms;

use super::cues;
use super::favourites::is_kind;
use super::sight::Sight;
use crate::lexicon;
use crate::subject::is_function;
use crate::verbs::{self, Form};

/// The maximum number of words of a thing.
const LONGEST_THING: usize = 3;

/// A pattern: for each position the alternative words, including none if the position is optional.
struct Mould(Vec<Part>);

type Part = Vec<Vec<&'static str>>;

/// A match of a pattern.
pub struct Fit {
    pub start: usize,
    pub end: usize,
    pub thing: Range<usize>,
    /// The thing that `thing` replaces.
    pub other: Range<usize>,
    /// The word for the kind of thing: a *colour*.
    pub kind: Range<usize>,
}

/// Patterns by their first word.
pub struct Moulds {
    by_word: HashMap<&'static str, Vec<Mould>>,
    /// Patterns that begin with the thing.
    of_thing: Vec<Mould>,
}

/// Parses patterns, one per line. `~` stands for the thing, `%` for another thing, `@` for their kind, and `a|b_c|-`
/// for a word, two words or none.
pub fn moulds(lines: &'static str) -> Moulds {
    let words = |words: &'static str| words.split('_').filter(|word| *word != "-").collect();
    let part = |part: &'static str| part.split('|').map(words).collect();
    let mut found = Moulds { by_word: HashMap::new(), of_thing: Vec::new() };
    for line in lines.lines() {
        let mould: Vec<Part> = line.split_whitespace().map(part).collect();
        if matches!(mould[0][0].as_slice(), ["~" | "%"]) {
            found.of_thing.push(Mould(mould));
            continue;
        }
        for words in &mould[0] {
            found.by_word.entry(words[0]).or_default().push(Mould(mould.clone()));
        }
    }
    found
}

/// Returns the range of a thing that begins at a position, if any.
pub type IsThing = fn(&Sight<'_>, usize) -> Option<Range<usize>>;

/// Returns all matches of the patterns that are meant as stated.
pub fn fits(moulds: &Moulds, sight: &Sight<'_>, is_thing: IsThing) -> Vec<Fit> {
    let mut found = Vec::new();
    for start in 0..sight.words.len() {
        let of_word = moulds.by_word.get(sight.words[start]).into_iter().flatten();
        let of_thing = moulds.of_thing.iter().filter(|mould| {
            // The word after the thing must be near, or the more costly search for the thing is skipped.
            let ahead = &sight.words[start + 1..sight.words.len().min(start + 3 + LONGEST_THING)];
            mould.0[1].iter().any(|words| words.first().is_some_and(|word| ahead.contains(word)))
        });
        let fit = of_word.chain(of_thing).find_map(|mould| {
            let mut fit = Fit { start, end: start, thing: 0..0, other: 0..0, kind: 0..0 };
            fill(&mould.0, sight, start, is_thing, &mut fit).then_some(fit)
        });
        // *There would be olives, which I hate*: only the presence of olives is supposed.
        let says = |fit: &Fit| if fit.start == fit.thing.start { fit.thing.end } else { fit.start };
        found.extend(fit.filter(|fit| is_meant(sight, says(fit)) && !is_bygone(sight, fit.end)));
    }
    found
}

fn fill(parts: &[Part], sight: &Sight<'_>, at: usize, is_thing: IsThing, fit: &mut Fit) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        fit.end = at;
        return true;
    };
    match part[0].as_slice() {
        [place @ ("~" | "%")] => {
            let thing = is_thing(sight, at).filter(|_| at > fit.start || begins(sight, at));
            let Some(thing) = thing else {
                return at > fit.start
                    && is_degree(sight.word(at))
                    && fill(parts, sight, at + 1, is_thing, fit);
            };
            let fills = fill(rest, sight, thing.end, is_thing, fit);
            if fills {
                *(if *place == "~" { &mut fit.thing } else { &mut fit.other }) = thing;
            }
            return fills;
        }
        ["@"] => {
            let kind = sight.word(at);
            let fills = (is_kind(kind) || is_plain(kind)) && fill(rest, sight, at + 1, is_thing, fit);
            if fills {
                fit.kind = at..at + 1;
            }
            return fills;
        }
        _ => {}
    }
    let ahead = &sight.words[at.min(sight.words.len())..];
    let fits = part
        .iter()
        .any(|words| ahead.starts_with(words) && fill(rest, sight, at + words.len(), is_thing, fit));
    // *I get a really big kick out of it*: adverbs of degree may occur anywhere.
    fits || at > fit.start && is_degree(sight.word(at)) && fill(parts, sight, at + 1, is_thing, fit)
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
fn is_meant(sight: &Sight<'_>, at: usize) -> bool {
    let clause = sight.clause_range(at);
    let before = &sight.words[clause.start..at];
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
fn is_bygone(sight: &Sight<'_>, end: usize) -> bool {
    let comma = usize::from(sight.word(end) == ",");
    matches!(sight.word(end + comma), "before" | "until" | "till") || sight.word(end) == "then"
}

/// Returns true for words that can be part of the name of a likeable thing.
fn is_plain(word: &str) -> bool {
    let doing = verbs::lemma(word).is_some_and(|(_, form)| form != Form::Gerund);
    word.len() > 2
        && word.chars().all(|letter| letter.is_alphabetic() || letter == '-')
        && !is_function(word)
        && lexicon::relation(word).is_none()
        && (!doing || lexicon::is_likeable(word) || lexicon::describes_likeable(word))
        && !(word.ends_with("ly") && word.len() > 4)
        && !word.as_bytes().windows(3).any(|three| three[0] == three[1] && three[1] == three[2])
        && crate::time::number(word).is_none()
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
pub fn anything(sight: &Sight<'_>, at: usize) -> Option<Range<usize>> {
    let some = usize::from(matches!(sight.word(at), "some" | "any" | "all"));
    let start = at + some;
    let stop = |place: &usize| !is_plain(sight.word(*place));
    let end = (start..=sight.words.len()).find(stop)?;
    let is_name = |place: usize| {
        let token = &sight.tokens[place];
        token.is_capital
            && place > 0
            && !lexicon::is_likeable(&token.low)
            && !lexicon::is_nationality(&token.low)
    };
    let short = (1..=LONGEST_THING).contains(&(end - start)) && !is_half(sight, start..end);
    (short && !(start..end).any(is_name) && !goes_on(sight, end)).then_some(start..end)
}

/// Returns true if a new thing begins here, and not a known one: *the olives*, *my camping*.
fn begins(sight: &Sight<'_>, at: usize) -> bool {
    let before = sight.before(at, 1);
    !is_plain(before)
        && !words!("the this that these those my your his her our their its a an 's").contains(before)
}

/// Returns true for an activity without its object: *I hate seeing this*.
fn is_half(sight: &Sight<'_>, thing: Range<usize>) -> bool {
    let doing = verbs::lemma(sight.word(thing.start)).filter(|(_, form)| *form == Form::Gerund);
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
    verbs::lemma(word).is_some_and(|(_, form)| form != Form::Gerund) && !lexicon::is_likeable(word)
}

/// Returns true if the next words restrict the thing: *films about war*, but not *films in the end*.
fn goes_on(sight: &Sight<'_>, at: usize) -> bool {
    let next = sight.word(at + 1);
    match sight.word(at) {
        "of" | "about" | "without" | "made" | "by" | "that" | "who" | "from" => true,
        "with" | "in" | "on" | "at" => !words!("the my general particular all me").contains(next),
        word => has_done(word) && lexicon::is_likeable(next),
    }
}

#[cfg(test)]
#[path = "moulds_tests.rs"]
mod tests;
