//! Activities that a person does regularly, has begun or has stopped.

use jiff::ToSpan;
use protocol::FactCategory;

use super::draft::FactDraft;
use super::taste_drafts::topic;
use super::value::{self, object, parts};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::clause_link::ClauseLink;
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::mentions::ClauseSubject;
use crate::slot::{FactSlot, SlotKind};
use crate::verbs::{self, VerbForm};
use crate::wordlists::MEDICINES;

pub(super) fn habit_draft(verb: &str, what: &str, past: bool) -> FactDraft {
    let says =
        if past { format!("used to {verb} {what}") } else { format!("{} {what}", verbs::of_another(verb)) };
    let of = format!("{verb} {}", topic(what));
    FactDraft::new(
        FactCategory::Behaviour,
        FactSlot::of(SlotKind::Habit, of.trim()),
        "yes",
        says.trim().to_owned(),
    )
    .important(0.4)
    .past(past)
}

/// Reads activities, drinks and games, and those that have stopped.
pub fn habit(clause: &Clause<'_>) -> Vec<FactDraft> {
    if clause.tense == Tense::Future || clause.wishes || clause.is_ahead() {
        return Vec::new();
    }
    let words = clause.words();
    // *When I did the worm at the disco* is about one evening.
    let past = clause.tense == Tense::Used
        || clause.is_over()
            && (clause.link != ClauseLink::When
                || clause.hints.often
                || words.iter().any(|word| matches!(*word, "every" | "lot" | "always" | "daily")));
    match (clause.verb, words.as_slice()) {
        (
            "stop" | "quit" | "finish" | "give" | "drop" | "kick" | "abandon" | "cut" | "swear" | "ditch",
            _,
        ) if matches!(clause.tense, Tense::Past | Tense::Perfect) || clause.verb == "quit" => {
            stopped(clause, &words)
        }
        ("start" | "begin" | "take", _)
            if matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated =>
        {
            started(clause, &words)
        }
        // *I don't drink, never have*
        ("drink", [] | [",", ..]) if clause.negated && !clause.able && clause.tense == Tense::Present => {
            vec![FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, "drink alcohol"),
                "no",
                "does not drink alcohol",
            )]
        }
        ("smoke", [] | [",", ..])
            if clause.hints.never
                && matches!(clause.tense, Tense::Past | Tense::Perfect)
                && !clause.is_over() =>
        {
            vec![FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, "smoke"),
                "no",
                "has never smoked",
            )]
        }
        ("drive" | "fly", [] | [",", ..])
            if clause.negated && !clause.able && clause.tense == Tense::Present =>
        {
            vec![FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, clause.verb),
                "no",
                format!("does not {}", clause.verb),
            )]
        }
        ("pass" | "fail", ["my" | "the", test @ .., "test" | "exam" | "exams" | "finals"])
            if test.len() <= 2 && !clause.negated && matches!(clause.tense, Tense::Past | Tense::Perfect) =>
        {
            let of = words[1..].join(" ");
            let did = if clause.verb == "pass" { "passed" } else { "failed" };
            vec![
                FactDraft::new(
                    FactCategory::Event,
                    FactSlot::of(SlotKind::Property, of.clone()),
                    did,
                    format!("{did} their {of}"),
                )
                .begins(),
            ]
        }
        ("get" | "wake", ["up", "at", time, ..]) if clause.tense == Tense::Present || past => {
            let value = (*time).to_owned();
            let says = if past { format!("got up at {value}") } else { format!("gets up at {value}") };
            vec![
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Habit, "at get up"),
                    value,
                    says,
                )
                .past(past),
            ]
        }
        ("go", ["to", "bed" | "sleep", "at", time, ..])
            if clause.tense == Tense::Present && !clause.progressive =>
        {
            vec![FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, "at bed"),
                (*time).to_owned(),
                format!("goes to bed at {time}"),
            )]
        }
        ("go", [what, ..])
            if clause.tense == Tense::Present && !clause.progressive && what.ends_with("ing") =>
        {
            plain(clause, past)
        }
        ("go", ["to", "the", "gym" | "church" | "mosque" | "pool" | "synagogue" | "temple", ..])
            if clause.tense == Tense::Present && !clause.progressive =>
        {
            plain(clause, past)
        }
        (
            "drink" | "eat" | "smoke" | "vape" | "play" | "watch" | "read" | "listen" | "wear" | "use"
            | "ride" | "meditate" | "exercise" | "jog" | "run" | "cycle" | "swim" | "collect" | "practise"
            | "practice" | "bake" | "cook" | "paint" | "knit" | "garden" | "volunteer" | "commute" | "walk"
            | "climb" | "dance" | "sing" | "hike" | "train" | "take" | "do" | "write" | "sail" | "ski"
            | "surf" | "fish" | "gamble" | "pray" | "sleep" | "support" | "follow" | "speak",
            _,
        ) => plain(clause, past),
        _ => Vec::new(),
    }
}

fn plain(clause: &Clause<'_>, past: bool) -> Vec<FactDraft> {
    let present = if clause.progressive {
        // *I'm drinking a coffee right now* is about one coffee.
        let one = matches!(clause.words().first(), Some(&("a" | "an" | "the" | "my" | "some" | "this")));
        clause.tense == Tense::Perfect || clause.hints.is_now && !one
    } else {
        clause.tense == Tense::Present
    };
    if !(present || past) || clause.able {
        return Vec::new();
    }
    let words = clause.words();
    // *My roommate eats my cereal* is a complaint.
    let of_mine = matches!(clause.subject, ClauseSubject::Person(_))
        && words.iter().any(|word| matches!(*word, "my" | "our" | "me" | "mine"));
    if of_mine {
        return Vec::new();
    }
    // An activity needs an object or a rhythm.
    if words.is_empty() && !is_whole(clause.verb) {
        return Vec::new();
    }
    // *I haven't been skiing* may only be about this year.
    if clause.negated && clause.tense == Tense::Perfect && !clause.hints.never {
        return Vec::new();
    }
    if words!("do take use run walk write read watch follow support wear sleep").contains(clause.verb) {
        // *I support Leeds United*
        let is_named = clause.verb == "support" && clause.rest.first().is_some_and(|token| token.is_capital);
        let rhythm = clause.hints.often
            || is_named
            || words.iter().any(|word| {
                words!(
                "every daily weekly day times mornings evenings glasses contacts yoga pilates judo karate \
                crossfit medication insulin pills lot"
            )
            .contains(*word)
            })
            || words.iter().any(|word| MEDICINES.contains(word))
            || clause.whens.iter().any(|when| when.kind == crate::time::TimeKind::Often);
        if !rhythm && !past {
            return Vec::new();
        }
    }
    if let Some(sport) = skill(clause, &words) {
        return vec![sport.past(past)];
    }
    let Some(value) = (if words.is_empty() { Some(String::new()) } else { object_with_rhythm(clause) })
    else {
        return Vec::new();
    };
    let value = value::in_third_person(&value);
    if clause.negated {
        if clause.hints.is_over {
            let mut found = vec![habit_draft(clause.verb, &value, false).ended()];
            format!("no longer {}s {value}", clause.verb).trim().clone_into(&mut found[0].says);
            if !value.is_empty() && matches!(clause.verb, "drink" | "eat" | "play" | "watch") {
                found.push(wordings::gave_up(&value));
            }
            return found;
        }
        let says = format!("does not {} {value}", clause.verb);
        let of = format!("{} {}", clause.verb, topic(&value));
        return vec![
            FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, of.trim()),
                "no",
                says.trim().to_owned(),
            )
            .sure(0.8),
        ];
    }
    let mut found = vec![habit_draft(clause.verb, &value, past).sure(0.75)];
    if clause.verb == "drink" && !past && clause.hints.is_now {
        found[0].begins = true;
        found.push(
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::of(SlotKind::Property, "preferred drink"),
                value.clone(),
                format!("drinks {value}"),
            )
            .begins(),
        );
    }
    found
}

/// Returns true for verbs that need no object.
fn is_whole(verb: &str) -> bool {
    words!(
        "smoke vape meditate jog swim knit dance sing gamble pray climb ski surf paint garden cycle run drink bake \
        hike sail"
    )
    .contains(verb)
}

fn object_with_rhythm(clause: &Clause<'_>) -> Option<String> {
    let end = clause
        .rest
        .iter()
        .position(|token| {
            words!("because so but when while which if since instead until").contains(token.low.as_str())
                || token.low == ","
        })
        .unwrap_or(clause.rest.len());
    let much =
        clause.rest.iter().take_while(|token| matches!(token.low.as_str(), "way" | "too" | "much")).count();
    let tokens = value::trim(&clause.rest[much.min(end)..end.min(9)]);
    let first = tokens.first()?;
    let vague =
        words!("it that this them you your me what how something him her these").contains(first.low.as_str());
    (!vague && !value::has_blank(tokens)).then(|| value::text_of(clause.text, tokens))
}

/// Reads skills: `I play the guitar`, `I can speak Dutch`.
fn skill(clause: &Clause<'_>, words: &[&str]) -> Option<FactDraft> {
    match (clause.verb, words) {
        ("play", ["the", tool, ..])
        | (
            "play",
            [
                tool @ ("piano" | "guitar" | "violin" | "drums" | "cello" | "flute" | "bass" | "trumpet"
                | "saxophone" | "chess" | "tennis" | "football" | "basketball"),
            ],
        ) => {
            let value = (*tool).to_owned();
            let ended = clause.negated;
            let says =
                if clause.is_over() { format!("played the {value}") } else { format!("plays the {value}") };
            let says = if lexicon::family(tool).is_some() || *tool == "chess" {
                says.replacen("the ", "", 1)
            } else {
                says
            };
            Some(
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Skill, topic(&value)),
                    value,
                    says,
                )
                .ended_if(ended && clause.hints.is_over),
            )
        }
        _ => None,
    }
    .filter(|_| !clause.negated || clause.hints.is_over)
}

fn stopped(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.negated || clause.subject == ClauseSubject::Somebody {
        return Vec::new();
    }
    let skip = match (clause.verb, words) {
        ("give", ["up", "on", ..]) => 2,
        ("give", ["up", ..]) | ("cut", ["out", ..]) | ("swear", ["off", ..]) => 1,
        ("give" | "cut" | "swear" | "kick", _) => return Vec::new(),
        ("drop", ["out", ..]) => return Vec::new(),
        _ => 0,
    };
    let tokens = clause.after(skip);
    let Some(first) = tokens.first() else { return Vec::new() };
    // *I stopped drinking coffee after 2pm*: the user still drinks coffee.
    if words.iter().any(|word| matches!(*word, "after" | "before" | "during")) {
        return Vec::new();
    }
    if let Some((base, VerbForm::Gerund)) = verbs::lemma(&first.low) {
        let what = object(clause.text, &tokens[1..]).unwrap_or_default();
        if what.is_empty() && !is_whole(base) {
            return Vec::new();
        }
        let mut found = vec![habit_draft(base, &what, false).ended()];
        format!("stopped {} {what}", first.low).trim().clone_into(&mut found[0].says);
        if !what.is_empty() && !is_function_word(what.split(' ').next().unwrap_or(""))
            || what.starts_with("the ")
        {
            found.push(wordings::gave_up(&what));
            found.push(
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Skill, topic(what.trim_start_matches("the "))),
                    what.clone(),
                    format!("gave up {what}"),
                )
                .ended(),
            );
        }
        return found;
    }
    if !words!("quit give cut swear stop drop ditch abandon").contains(clause.verb)
        || words!("my the by at in it him her for on off to over a an some").contains(first.low.as_str())
        || clause.verb == "drop" && crate::calendar::number(&first.low).is_some()
    {
        return Vec::new();
    }
    let Some(what) = object(clause.text, tokens) else { return Vec::new() };
    let mut found = Vec::new();
    for part in parts(&what) {
        // Giving up Spanish ends the learning.
        if lexicon::is_language(&part.to_lowercase()) {
            let mut draft = learns(clause, &part).ended();
            draft.says = format!("gave up {part}");
            draft.expires = None;
            found.push(draft);
            continue;
        }
        found.push(wordings::gave_up(&part));
        let says = format!("gave up {part}");
        let mut habit = |verb: &str| {
            let mut draft = habit_draft(verb, &part, false).ended();
            draft.says.clone_from(&says);
            found.push(draft);
        };
        match lexicon::family_of(&part) {
            Some("drink") => habit("drink"),
            Some("food") => habit("eat"),
            _ => found.push(
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Skill, topic(&part)),
                    part.clone(),
                    says,
                )
                .ended(),
            ),
        }
    }
    found
}

fn started(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let skip = match (clause.verb, words) {
        ("take", ["up", ..]) => 1,
        ("take", _) => return Vec::new(),
        _ => usize::from(words.first() == Some(&"to")),
    };
    let tokens = clause.after(skip);
    let Some(first) = tokens.first() else { return Vec::new() };
    if clause.verb == "take" {
        let Some(what) = object(clause.text, tokens) else { return Vec::new() };
        return vec![
            FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Taste, topic(&what)),
                "likes",
                format!("took up {what}"),
            )
            .begins(),
        ];
    }
    let Some((base, form)) = verbs::lemma(&first.low) else { return Vec::new() };
    if !matches!(form, VerbForm::Gerund) && skip == 0
        || words!("work look think feel be have get come make study talk see cry rain wonder").contains(base)
    {
        return Vec::new();
    }
    let what = object(clause.text, &tokens[1..]).unwrap_or_default();
    if what.is_empty() && !is_whole(base) {
        return Vec::new();
    }
    if base == "learn" {
        return vec![learns(clause, &what)];
    }
    if base == "date" {
        return Vec::new();
    }
    let mut draft = habit_draft(base, &what, false).begins();
    let doing = if first.low.ends_with("ing") { first.low.clone() } else { verbs::gerund(base) };
    format!("started {doing} {what}").trim().clone_into(&mut draft.says);
    vec![draft]
}

pub fn learns(clause: &Clause<'_>, what: &str) -> FactDraft {
    let expires = clause.today.checked_add(540.days()).unwrap_or(clause.today);
    let first = what.split(' ').next().unwrap_or_default();
    let language = lexicon::is_language(&first.to_lowercase());
    // *Welsh on the app*: the language is Welsh.
    let what = if language && !what.contains(" and ") { first } else { what };
    let what = if language { what.split(" on ").next().unwrap_or(what) } else { what };
    let slot = FactSlot::of(
        if language { SlotKind::Language } else { SlotKind::Skill },
        format!("learn {}", topic(what)),
    );
    FactDraft::new(FactCategory::Goal, slot, what, format!("is learning {what}")).begins().expiring(expires)
}
