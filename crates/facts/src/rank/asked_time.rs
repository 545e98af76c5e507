//! Determines the time that a question is about.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::time;

#[derive(Debug, Clone, PartialEq)]
pub enum AskedTime {
    Now,
    /// Within these days.
    At(Date, Date),
    /// Before the current value, or at any past time.
    Previous,
    /// At the beginning.
    First,
    /// Before something that the words name, and below after it.
    Before(Vec<String>),
    After(Vec<String>),
    /// At any time: *when did I move to Lyon*, *have I ever …*.
    Any,
}

/// Returns the time, and the words without those that express it.
pub fn read(words: &[String], today: Date) -> (AskedTime, Vec<String>) {
    let low: Vec<&str> = words.iter().map(String::as_str).collect();
    let has = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let present = low.iter().any(|word| matches!(*word, "current" | "currently" | "nowadays"))
        || has(&["these", "days"])
        || has(&["at", "the", "moment"]);
    let past = low.iter().any(|word| {
        words!("before prior previous previously old until former used preceding").contains(*word)
    });
    // *My current employer, what was it called?* is about the present.
    if present && !past {
        return (AskedTime::Now, words.to_vec());
    }
    if let Some(at) =
        low.iter().position(|word| matches!(*word, "before" | "after" | "until" | "prior" | "preceding"))
    {
        let found = around(&low, at, today);
        if let Some(moment) = found {
            let asks =
                |word: &String| matches!(word.as_str(), "where" | "what" | "who" | "which" | "whom" | "how");
            let tail = words[at + 1..].iter().position(asks).map_or(words.len(), |place| at + 1 + place);
            let kept = words[..at].iter().chain(&words[tail..]).cloned().collect();
            return (moment, kept);
        }
    }
    if let Some(at) = low.windows(3).position(|window| window == ["from", "when", "i"])
        && let Some(to) = low[at..].iter().position(|word| *word == "to")
    {
        let named = words[at + to + 1..].to_vec();
        return (AskedTime::Before(named), ["where", "did", "i", "live"].map(str::to_owned).to_vec());
    }
    // `from which city did I move to Riga`, `which company did I leave to join Lego`
    let to = low
        .windows(2)
        .position(|pair| matches!(pair, ["move", "to"] | ["to", "join"]))
        .filter(|at| low.first() == Some(&"from") || low[..*at].contains(&"leave"));
    if let Some(at) = to.filter(|at| at + 2 < low.len()) {
        let mut kept = without(&words[..at], &["from"]);
        kept.push(if low[at] == "to" { "work" } else { "live" }.to_owned());
        return (AskedTime::Before(words[at + 2..].to_vec()), kept);
    }
    if let Some(found) = left_for(words, &low) {
        return found;
    }
    if low.last() == Some(&"from")
        && let Some(at) = low.iter().position(|word| *word == "to").filter(|at| {
            matches!(low.get(at.wrapping_sub(1)), Some(&("move" | "moved" | "moving" | "over" | "relocate")))
        })
    {
        let named = words[at + 1..words.len() - 1].to_vec();
        let home = ["where", "did", "i", "live"].map(str::to_owned).to_vec();
        return (AskedTime::Before(named), home);
    }
    for at in 0..low.len() {
        let starts = words!(
            "in on during last back at two three four five six a this around yesterday early late as over \
            by"
        )
        .contains(low[at])
            || low[at].parse::<u16>().is_ok()
            || low[at].ends_with("teen")
            || crate::calendar::month(low[at])
                .is_some_and(|_| low[at].len() > 3 && at > 0 && low[at] != "march");
        if !starts {
            continue;
        }
        if let Some((length, from, to)) = time::past(&low[at..], today) {
            if from > today
                || (to >= today
                    && from.checked_add(8.days()).is_ok_and(|end| end > today)
                    && matches!(low[at], "this" | "today"))
            {
                continue;
            }
            let mut rest = words[..at].to_vec();
            rest.extend_from_slice(&words[(at + length).min(words.len())..]);
            return (AskedTime::At(from, to.min(today)), rest);
        }
    }
    let asks_when = low.first() == Some(&"when")
        || has(&["what", "day"])
        || has(&["what", "date"])
        || has(&["how", "long"])
        || has(&["since", "when"]);
    if asks_when && !has(&["my", "birthday"]) || low.contains(&"ever") {
        return (AskedTime::Any, words.to_vec());
    }
    let again = low.last() == Some(&"again") || has(&["again"]) && !has(&["called", "before"]);
    if low.iter().any(|word| matches!(*word, "originally" | "initially"))
        || has(&["at", "first"])
        || has(&["my", "first"])
        || has(&["to", "begin", "with"])
        || has(&["to", "start", "with"])
        || has(&["very", "first"])
        || low.last() == Some(&"first")
    {
        return (
            AskedTime::First,
            without(words, &["originally", "initially", "first", "very", "begin", "start"]),
        );
    }
    let old = low.iter().enumerate().any(|(at, word)| {
        let next = low.get(at + 1).copied().unwrap_or("");
        match *word {
            "dethroned" | "replaced" | "overtaken" => true,
            "pushed" | "knocked" => next == "off",
            "previous" | "previously" | "former" | "formerly" | "earlier" | "ex-employer" | "prior"
            | "past" | "erstwhile" => true,
            "old" => {
                !matches!(low.get(at.wrapping_sub(1)).copied(), Some("how" | "years" | "year"))
                    && !next.is_empty()
            }
            "last" => words!("job employer home flat apartment city place house car company boss address")
                .contains(next),
            "used" | "use" => next == "to",
            "once" => at > 0,
            "before" | "beforehand" => true,
            "then" => at > 0 && low[at - 1] == "back",
            _ => false,
        }
    });
    if old {
        return (
            AskedTime::Previous,
            without(
                words,
                &[
                    "previous",
                    "previously",
                    "former",
                    "formerly",
                    "earlier",
                    "prior",
                    "past",
                    "used",
                    "use",
                    "once",
                    "before",
                    "old",
                    "last",
                ],
            ),
        );
    }
    let told = has(&["did", "i", "say"])
        || has(&["did", "i", "tell"])
        || has(&["have", "i", "told"])
        || has(&["did", "i", "mention"]);
    let naming = low.iter().any(|word| matches!(*word, "name" | "call"))
        && (has(&["did", "we"]) || has(&["did", "i"]))
        && !has(&["name", "before"]);
    let arrived = naming
        || low.iter().any(|word| matches!(*word, "recently" | "latest" | "lastly"))
        || has(&["switch", "to"])
        || has(&["change", "to"])
        || has(&["end", "up"]);
    let past = !told
        && !again
        && !arrived
        && low.iter().enumerate().any(|(at, word)| match *word {
            "did" => {
                matches!(low.get(at + 1).copied(), Some("i" | "we" | "my" | "our" | "he" | "she") | None)
                    || at + 2 < low.len()
            }
            // *If you were looking for me* is hypothetical.
            "was" | "were" => !low[..at].contains(&"if"),
            "had" => at > 0 && low.get(at + 1) != Some(&"to"),
            _ => false,
        });
    if past { (AskedTime::Previous, words.to_vec()) } else { (AskedTime::Now, words.to_vec()) }
}

/// Reads questions about what was left: `which city did I leave for Riga`, `which job did I quit to go to Lego`, `I
/// moved to Riga, but from where`.
fn left_for(words: &[String], low: &[&str]) -> Option<(AskedTime, Vec<String>)> {
    let is_work = low
        .iter()
        .any(|word| words!("job company employer work working firm quit resign boss").contains(*word));
    let asked = if is_work { ["where", "did", "i", "work"] } else { ["where", "did", "i", "live"] };
    let asked = asked.map(str::to_owned).to_vec();
    if low.windows(2).any(|pair| pair == ["from", "where"])
        && let Some(at) =
            low.windows(2).position(|pair| matches!(pair, ["moved" | "move" | "came" | "went", "to"]))
    {
        let named =
            words[at + 2..].iter().take_while(|word| !matches!(word.as_str(), "but" | "from" | "and"));
        let named: Vec<String> = named.cloned().collect();
        return (!named.is_empty()).then_some((AskedTime::Before(named), asked));
    }
    let leave = low
        .iter()
        .position(|word| words!("leave left quit swap trade ditch abandon resign").contains(*word))?;
    let joint = low[leave..].iter().position(|word| matches!(*word, "for" | "to" | "when"))? + leave;
    let named: Vec<String> = words[joint + 1..]
        .iter()
        .skip_while(|word| {
            words!("join go to work at for start move live in with i we joined moved went started the a new")
                .contains(word.as_str())
        })
        .cloned()
        .collect();
    (!named.is_empty()).then(|| {
        let of_friend = !low[..leave].iter().any(|word| matches!(*word, "i" | "we"));
        let kept = if of_friend { words[..joint].to_vec() } else { asked };
        (AskedTime::Before(named), kept)
    })
}

fn without(words: &[String], gone: &[&str]) -> Vec<String> {
    words.iter().filter(|word| !gone.contains(&word.as_str())).cloned().collect()
}

/// Reads times relative to an event: `before Lyon`, `before March`, `before we renamed it`, `after Renault`.
fn around(low: &[&str], at: usize, today: Date) -> Option<AskedTime> {
    let is_after = low[at] == "after";
    let mut rest = &low[at + 1..];
    while let [
        "to" | "the" | "i" | "we" | "moving" | "move" | "moved" | "in" | "working" | "work" | "worked" | "at"
        | "for" | "joining" | "joined" | "started" | "starting" | "living" | "my" | "our" | "was" | "am"
        | "called" | "got" | "getting" | "it" | "being" | "became" | "that" | "lived" | "time" | "stint"
        | "job" | "went" | "going" | "becoming" | "she" | "he" | "named" | "name",
        tail @ ..,
    ] = rest
    {
        rest = tail;
    }
    let changes = rest.first().is_some_and(|word| {
        words!(
            "changed change changing renamed renaming switched switching swapped this these now today \
            rename switch"
        )
        .contains(*word)
    }) && time::past(rest, today).is_none();
    if rest.is_empty() || changes {
        return if is_after { None } else { Some(AskedTime::Previous) };
    }
    if let Some((_, from, to)) = time::past(rest, today) {
        let day = if is_after { to.checked_add(1.day()).ok()? } else { from.checked_sub(1.day()).ok()? };
        return Some(AskedTime::At(day, day));
    }
    let named: Vec<String> = rest
        .iter()
        .take_while(|word| !words!(", ? did where what and who which whom how").contains(**word))
        .map(|word| (*word).to_owned())
        .collect();
    Some(if is_after { AskedTime::After(named) } else { AskedTime::Before(named) })
}
