//! Facts in an unusual word order: actions of others towards the user, and names next to the thing they name.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::relationships::relative;
use super::taste_drafts::topic;
use super::value::{self, organisation, place};
use super::wordings;
use super::{pets, replacements};
use crate::lexicon;
use crate::name_text::{name_length, text_of};
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;
use crate::verbs::{self, VerbForm};
use crate::wordlists::MEDICINES;

/// Reads actions of others: `Siemens hired me`, `they promoted me to team lead`, `work took us to Graz`, `opera has
/// grown on me`.
pub fn done_to_me(text: &str, tokens: &[WordToken], sentence: &[WordToken]) -> Vec<FactDraft> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let Some(at) = words.iter().position(|word| matches!(*word, "me" | "us")).filter(|at| *at > 0) else {
        return Vec::new();
    };
    if words[..at].iter().any(|word| {
        words!("not never i we would could might will should may if you to wants want almost").contains(*word)
    }) {
        return Vec::new();
    }
    let verb_at = at - 1;
    let Some((verb, form)) =
        verbs::lemma(words[verb_at]).or_else(|| verbs::lemma(words[verb_at.saturating_sub(1)]))
    else {
        return Vec::new();
    };
    if !matches!(form, VerbForm::Past | VerbForm::Participle | VerbForm::Third | VerbForm::Base) {
        return Vec::new();
    }
    let subject_end = tokens
        .iter()
        .position(|token| {
            verbs::lemma(&token.low).is_some_and(|(_, form)| form != VerbForm::Gerund) && !token.is_capital
        })
        .unwrap_or(verb_at);
    let subject = &tokens[..subject_end.min(verb_at)];
    let company = subject
        .first()
        .is_some_and(|token| {
            token.is_capital
                && !matches!(token.low.as_str(), "they" | "my" | "the" | "he" | "she" | "work" | "it")
        })
        .then(|| value::name_of(text, subject));
    let rest = &words[at + 1..];
    let after = |skip: usize| tokens.get(at + 1 + skip..).unwrap_or_default();
    let job = |tokens: &[WordToken]| {
        let title =
            value::upto(tokens, |word| value::is_stop(word) || matches!(word, "at" | "and" | "for" | "in"));
        let title: Vec<WordToken> = title
            .iter()
            .filter(|token| !matches!(token.low.as_str(), "a" | "an" | "the" | "their" | "new"))
            .cloned()
            .collect();
        let value = value::text_of(text, &title);
        (!value.is_empty()).then(|| {
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Job),
                value.clone(),
                format!("works as {} {value}", wordings::article(&value)),
            )
            .important(0.75)
            .changed()
            .begins()
        })
    };
    let employer = |value: String| wordings::works_at(&value).important(0.75).changed().begins();
    let over = |value: String| {
        let says = if value.is_empty() {
            "no longer has that job".to_owned()
        } else {
            format!("no longer works at {value}")
        };
        FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Employer), value, says).ended()
    };
    match (verb, rest) {
        ("hire" | "employ", _) => {
            let mut found: Vec<FactDraft> = company.map(employer).into_iter().collect();
            found.extend(rest.iter().position(|word| *word == "as").and_then(|at| job(after(at + 1))));
            found
        }
        // *Siemens took me on*, but not *on a tour*
        ("take", ["on", ..])
            if !words!("a an the my our their holiday").contains(rest.get(1).unwrap_or(&"")) =>
        {
            company.map(employer).into_iter().collect()
        }
        ("name" | "christen", [_, ..])
            if subject
                .iter()
                .any(|token| matches!(token.low.as_str(), "parents" | "mother" | "father" | "they")) =>
        {
            value::name(text, after(0))
                .map(|name| wordings::called(&name).important(0.9))
                .into_iter()
                .collect()
        }
        ("promote", ["to", ..]) => job(after(1)).into_iter().collect(),
        // *They moved me up from nurse to team lead*
        ("move" | "bump", ["up", .., _]) => {
            let to = rest.iter().position(|word| *word == "to").map(|to| to + 1);
            let to = to.filter(|to| lexicon::is_occupation(&rest[*to..]));
            to.and_then(|to| job(after(to))).into_iter().collect()
        }
        ("give", ["the", "position" | "role" | "title" | "job" | "post", "of", title @ ..])
            if lexicon::is_occupation(title) =>
        {
            job(after(3)).into_iter().collect()
        }
        ("make", [first, ..])
            if lexicon::is_occupation(rest)
                || lexicon::is_occupation(&rest[1..])
                || *first == "the" && lexicon::is_occupation(&rest[1..]) =>
        {
            job(after(0)).into_iter().collect()
        }
        ("fire" | "sack", _) | ("lay", ["off", ..]) | ("let", ["go", ..]) => {
            vec![over(company.unwrap_or_default())]
        }
        ("offer" | "give", ["a" | "the" | "my", ..])
            if rest.contains(&"job") || rest.contains(&"position") =>
        {
            let all: Vec<&str> = sentence.iter().map(|token| token.low.as_str()).collect();
            let took = all.windows(2).any(|pair| {
                matches!(pair, ["took", "it"] | ["said", "yes"] | ["accepted", _]) || pair[1] == "accepted"
            });
            let named = rest
                .iter()
                .position(|word| matches!(*word, "at" | "with"))
                .and_then(|at| organisation(text, after(at + 1)));
            if took { named.or(company).map(employer).into_iter().collect() } else { Vec::new() }
        }
        ("take" | "bring" | "move" | "relocate" | "transfer" | "send" | "lead", ["to", ..])
            if tokens.get(at + 2).is_some_and(|token| token.is_capital)
                && !words.windows(3).any(|window| window == ["now", "and", "then"])
                && !words.contains(&"sends") =>
        {
            place(text, after(1))
                .map(|place| wordings::lives(&place).sure(0.65).important(0.75).begins())
                .into_iter()
                .collect()
        }
        // *The doctor put me on metformin*
        ("put" | "start", ["on", medicine, ..]) | ("prescribe", [medicine, ..])
            if MEDICINES.contains(medicine) =>
        {
            vec![takes(medicine)]
        }
        ("take", ["off", medicine, ..] | ["off", "the" | "my", medicine, ..])
            if MEDICINES.contains(medicine) =>
        {
            let says = format!("no longer takes {medicine}");
            vec![FactDraft { says, ..takes(medicine).ended() }]
        }
        ("make", ["happy" | "smile", ..]) => liking(text, subject, true),
        ("make", ["sick" | "gag" | "ill", ..]) => liking(text, subject, false),
        ("grow", []) if words[verb_at] == "on" => liking(text, subject, true),
        _ => Vec::new(),
    }
}

fn takes(medicine: &str) -> FactDraft {
    let slot = FactSlot::of(SlotKind::Habit, format!("take {medicine}"));
    FactDraft::new(FactCategory::Health, slot, "yes", format!("takes {medicine}")).important(0.8).begins()
}

fn liking(text: &str, tokens: &[WordToken], likes: bool) -> Vec<FactDraft> {
    let Some(first) = tokens.first() else { return Vec::new() };
    if words!("it that this i we he she they you my everything nothing what").contains(first.low.as_str())
        || tokens.len() > 4
    {
        return Vec::new();
    }
    let value = value::text_of(text, tokens);
    let value =
        if first.is_capital && first.at == 0 { value[..1].to_lowercase() + &value[1..] } else { value };
    let (held, says) =
        if likes { ("likes", format!("likes {value}")) } else { ("dislikes", format!("dislikes {value}")) };
    vec![
        FactDraft::new(FactCategory::Preference, FactSlot::of(SlotKind::Taste, topic(&value)), held, says)
            .begins()
            .sure(0.8),
    ]
}

/// Reads tastes whose subject is the thing: `Opera is not my thing`, `olives are not for me`, `nothing beats sushi`,
/// `no more coffee for me`.
pub fn of_tastes(text: &str, tokens: &[WordToken]) -> Vec<FactDraft> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    if let ["nothing", "beats", ..] = words.as_slice() {
        return liking(text, value::upto(&tokens[2..], value::is_stop), true);
    }
    if let ["no", "more", .., "for", "me" | "us"] = words.as_slice() {
        let body = &tokens[2..tokens.len() - 2];
        let value = value::text_of(text, body);
        let mut found = vec![wordings::gave_up(&value)];
        if body.first().is_some_and(|token| token.is_capital) {
            found.push(wordings::left_work(&value));
        }
        return found;
    }
    if let Some(at) = words
        .iter()
        .position(|word| *word == "replaced")
        .filter(|at| *at > 0 && !matches!(words[0], "i" | "we" | "he" | "she" | "they" | "my" | "it"))
    {
        let end = words.iter().position(|word| *word == "for").unwrap_or(words.len());
        let subject = &tokens[..at - usize::from(words[at - 1] == "has" || words[at - 1] == "have")];
        let new = value::text_of(text, subject).to_lowercase();
        let old = tokens.get(at + 1..end).map(|old| value::text_of(text, old)).filter(|old| !old.is_empty());
        return if lexicon::family_of(&new).is_some() {
            replacements::exchanged(&new, old)
        } else {
            Vec::new()
        };
    }
    // `Coffee and I are done`
    if let [.., "and", "i", "are", "done" | "through" | "finished"]
    | [.., "and", "i", "are", "no", "longer", "friends"]
    | [.., "and", "i", "are", "not", "friends"] = words.as_slice()
    {
        let end = words.iter().rposition(|word| *word == "and").unwrap_or(0);
        return liking(text, &tokens[..end], false);
    }
    // `Jazz bores me`, `I find opera boring`
    if let Some(at) = words
        .iter()
        .position(|word| {
            matches!(*word, "bores" | "disgusts" | "annoys" | "repulses" | "bore" | "disgust" | "annoy")
        })
        .filter(|at| words.get(at + 1) == Some(&"me"))
    {
        return liking(text, &tokens[..at], false);
    }
    if let ["i", "find", body @ .., last] = words.as_slice() {
        let likes = match *last {
            "boring" | "disgusting" | "awful" | "gross" | "annoying" | "terrible" | "horrible" | "dull" => {
                false
            }
            "delicious" | "wonderful" | "amazing" | "great" | "fantastic" | "fascinating" => true,
            _ => return Vec::new(),
        };
        return liking(text, &tokens[2..2 + body.len()], likes);
    }
    let thinks = usize::from(words.starts_with(&["i", "think"])) * 2;
    let (tokens, words) = (&tokens[thinks..], &words[thinks..]);
    let Some(at) =
        words.iter().position(|word| matches!(*word, "is" | "are")).filter(|at| (1..=4).contains(at))
    else {
        return Vec::new();
    };
    let likes = match &words[at + 1..] {
        ["not", "my", "thing" | "cup"]
        | ["not", "for", "me"]
        | ["not", "my", "cup", "of", "tea"]
        | ["disgusting"]
        | ["gross"]
        | ["not", "my", "favourite"]
        | ["the", "worst"]
        | ["not", "my", "taste"]
        | ["awful"]
        | ["horrible"] => false,
        ["my", "thing"]
        | ["my", "jam"]
        | ["the", "best"]
        | ["delicious"]
        | ["my", "passion"]
        | ["my", "guilty", "pleasure"]
        | ["my", "cup", "of", "tea"]
        | ["my", "absolute", "favourite"]
        | ["right", "up", "my", "street"]
        | ["my", "weakness"] => true,
        _ => return Vec::new(),
    };
    liking(text, &tokens[..at], likes)
}

/// Reads names next to the thing they name: `Rex, our new puppy`, `Graz, my new hometown`.
pub fn beside(text: &str, tokens: &[WordToken]) -> Vec<FactDraft> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        // `I've been with my partner Julia for years`, `this is my horse, Nala`
        let which = tokens
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .take_while(|token| lexicon::is_which(&token.low))
            .count();
        let noun = word(at + 1 + which);
        let shows = at >= 2
            && (matches!(word(at - 1), "is" | "are")
                && matches!(word(at - 2), "this" | "here" | "that" | "there")
                || word(at - 1) == "also" && matches!(word(at - 2), "is" | "have"));
        let name_at = at + 2 + which + usize::from(shows && word(at + 2 + which) == ",");
        let length = name_length(tokens.get(name_at..).unwrap_or_default());
        if at > 0
            && matches!(word(at), "my" | "our")
            && length > 0
            && word(name_at + length) != "'s"
            && !tokens[name_at].low.starts_with('\u{1}')
        {
            let name = text_of(&tokens[name_at..name_at + length]);
            if let Some(what) = lexicon::relation(noun).filter(|what| !what.ends_with('s') || *what == "boss")
            {
                found.push(relative(what, &name).sure(0.8));
            } else if let Some(kind) = lexicon::animal(noun) {
                found.push(pets::pet(kind, &name).sure(0.8));
            }
        }
        // `I adopted Nala, a horse`
        if word(at) == ","
            && matches!(word(at + 1), "a" | "an")
            && at > 1
            && tokens[at - 1].is_capital
            && (matches!(word(at - 2), "adopted" | "got" | "have" | "rescued" | "bought" | "own")
                || at > 2 && word(at - 3) == "there" && matches!(word(at - 2), "is" | "'s"))
        {
            let which = tokens[at + 2..].iter().take_while(|token| lexicon::is_which(&token.low)).count();
            if let Some(kind) = lexicon::animal(word(at + 2 + which)) {
                found.push(pets::pet(kind, &text_of(&tokens[at - 1..at])));
            }
        }
        if word(at) != "," && word(at) != "-" || !matches!(word(at + 1), "my" | "our") || at == 0 {
            continue;
        }
        let start = (0..at)
            .rev()
            .take_while(|place| {
                tokens[*place].is_capital
                    && verbs::lemma(&tokens[*place].low).is_none()
                    && tokens[*place].low != "i"
            })
            .last();
        let Some(start) = start else { continue };
        // *A shop on Michigan Avenue, my father opened it*
        if start > 0 && matches!(word(start - 1), "in" | "on" | "at" | "from" | "near" | "to") {
            continue;
        }
        if name_length(&tokens[start..at]) != at - start || lexicon::is_interjection(&tokens[start].low) {
            continue;
        }
        let which = tokens[at + 2..].iter().take_while(|token| lexicon::is_which(&token.low)).count();
        let noun = word(at + 2 + which);
        let new = tokens[at + 2..at + 2 + which].iter().any(|token| token.low == "new");
        let closes = matches!(word(at + 3 + which), "" | "," | "." | "!" | "and" | "-" | ")");
        let name = text_of(&tokens[start..at]);
        if let Some(kind) = lexicon::animal(noun).filter(|_| closes) {
            found.push(pets::pet(kind, &name));
        } else if let Some(what) = lexicon::relation(noun).filter(|_| closes && !noun.ends_with('s')) {
            found.push(relative(what, &name));
        } else if matches!(noun, "home" | "hometown" | "city") && new && closes {
            let place = value::name_of(text, &tokens[start..at]);
            found.push(wordings::lives(&place).sure(0.75).important(0.75));
        } else if matches!(noun, "employer" | "company" | "workplace") && new && closes {
            let company = value::name_of(text, &tokens[start..at]);
            found.push(wordings::works_at(&company).sure(0.75).important(0.75));
        }
    }
    found
}

/// Reads facts implied by a noun phrase: `my new flat in Graz`, `my first week at Siemens`.
pub fn in_passing(text: &str, tokens: &[WordToken]) -> Vec<FactDraft> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let distant = tokens.iter().any(|token| {
        words!(
            "not sold miss missed left leaving viewed view viewing looking look searching hope want wanted \
            dream old former previous future interview applied next parents almost rejected declined he \
            she his her their visiting holiday summer vacation used helped helping going"
        )
        .contains(token.low.as_str())
            || lexicon::relation(&token.low).is_some_and(|what| {
                !matches!(
                    what,
                    "wife"
                        | "husband"
                        | "partner"
                        | "girlfriend"
                        | "boyfriend"
                        | "children"
                        | "boss"
                        | "colleague"
                )
            })
    });
    if distant {
        return Vec::new();
    }
    for at in 0..tokens.len() {
        // *The company I work for is called Acme*
        if (word(at), word(at + 1)) == ("i", "work") && matches!(word(at + 2), "for" | "at") {
            let is = usize::from(word(at + 3) == "is");
            let named = usize::from(is == 1 && matches!(word(at + 4), "called" | "named"));
            let target = tokens.get(at + 3 + is + named..).unwrap_or_default();
            if is == 1
                && target.first().is_some_and(|token| token.is_capital)
                && let Some(company) = organisation(text, target)
            {
                return vec![wordings::works_at(&company).sure(0.85).important(0.7)];
            }
        }
        let owned = matches!(word(at), "my" | "our") || word(at) == "the" && word(at + 1) == "new";
        if !owned {
            continue;
        }
        let which = tokens[at + 1..].iter().take_while(|token| lexicon::is_which(&token.low)).count();
        let noun = word(at + 1 + which);
        let joint = word(at + 2 + which);
        let working = usize::from(joint == "working");
        let joint = if working == 1 { word(at + 3 + which) } else { joint };
        let target = tokens.get(at + 3 + which + working..).unwrap_or_default();
        if !target.first().is_some_and(|token| token.is_capital) {
            continue;
        }
        if joint == "in"
            && matches!(noun, "home" | "flat" | "place" | "apartment" | "house" | "studio")
            && which > 0
        {
            let found = place(text, target).map(|place| wordings::lives(&place).sure(0.7).important(0.75));
            return found.into_iter().collect();
        }
        // *My day at Disneyland* is not about work, *my first day at Lego* is.
        let spent = matches!(noun, "day" | "week" | "month") && which == 0 && word(at + 1) != "last";
        if joint == "at"
            && !spent
            && words!(
                "job day week month colleagues boss manager team office desk role position shift coworkers"
            )
            .contains(noun)
        {
            let last =
                tokens[at + 1..=at + which].iter().any(|token| token.low == "last") || word(at + 1) == "last";
            let Some(company) = organisation(text, target) else { continue };
            if last {
                return vec![wordings::left_work(&company)];
            }
            let own = words!("job colleagues boss manager team desk role position coworkers").contains(noun);
            return vec![wordings::works_at(&company).sure(if own { 0.8 } else { 0.7 }).important(0.7)];
        }
    }
    Vec::new()
}
