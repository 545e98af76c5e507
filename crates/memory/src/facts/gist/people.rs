//! Who somebody is: the name, the partner, the birthday, languages and allergies, by the word for it and a value beside.

use protocol::FactCategory;

use super::Told;
use super::sight::{Name, Sight, Sort};
use crate::facts::clause::take_times;
use crate::facts::lexicon;
use crate::facts::names::Names;
use crate::facts::rules::{self, Draft};
use crate::facts::slot::{Kind, Slot};
use crate::facts::subject::capital;
use crate::facts::time::Sort as TimeSort;

pub fn name(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let about_others = sight.words.iter().any(|word| {
        lexicon::animal(word).is_some()
            || lexicon::relation(word).is_some_and(|what| !matches!(what, "friend" | "friends" | "parents"))
    });
    if about_others || sight.is_idle {
        return Vec::new();
    }
    let [only] = sight.names.as_slice() else { return Vec::new() };
    if !matches!(only.sort, Sort::Unknown) || only.is_left || only.range.len() > 2 {
        return Vec::new();
    }
    let (start, end) = (only.range.start, only.range.end);
    let before = (sight.before(start, 2), sight.before(start, 1));
    let told =
        matches!(before, ("call" | "calls", "me") | ("talking" | "speaking" | "chatting", "to" | "with"))
            || before == ("me", "as")
            || sight.words[..start].windows(2).any(|pair| pair == ["my", "name"])
                && matches!(before.1, "be" | "is" | ":" | "remains")
            || before == ("this", "is")
                && matches!(sight.word(end), "talking" | "speaking" | "here" | "calling" | "writing")
            || matches!(before.1, "says") && sight.phrase(&["my", "name"])
            || start == 0 && sight.word(end) == "," && sight.phrase(&["to", "meet", "you"])
            || matches!(before, ("respond" | "answer", "to"))
            || start <= 1
                && matches!((sight.word(end), sight.word(end + 1)), ("is", "what"))
                && sight.has(&["call", "calls"])
            || matches!(
                (sight.word(end), sight.word(end + 1), sight.word(end + 2)),
                ("is" | "'s", "my" | "the", "name")
            )
            || matches!(sight.word(end), "speaking" | "here")
                && end + 1 >= sight.words.len().saturating_sub(1)
            || sight.phrase(&["is", "my", "name"]) && start == 0
            || sight.phrase(&["my", "name"]) && matches!(before.1, "is" | ":" | "name")
            || sight.phrase(&["the", "name", "is"]) && before.1 == "is";
    if !told {
        return Vec::new();
    }
    let draft = Draft::new(
        FactCategory::Personal,
        Slot::new(Kind::Name),
        only.text.clone(),
        format!("is called {}", only.text),
    );
    vec![Told::new(draft.important(0.9).sure(0.7))]
}

pub fn partner(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let coupled = sight.has(&[
        "couple",
        "dating",
        "relationship",
        "married",
        "engaged",
        "girlfriend",
        "boyfriend",
        "wife",
        "husband",
        "fiancé",
        "spouse",
        "partner",
        "soulmate",
        "missus",
        "lover",
    ]) || sight.phrase(&["other", "half"])
        || sight.phrase(&["better", "half"])
        || sight.phrase(&["going", "out", "with"])
        || sight.phrase(&["love", "of", "my", "life"])
        || sight.phrase(&["been", "seeing"])
        || sight.phrase(&["in", "love", "with"])
        || sight.phrase(&["significant", "other"])
        || sight.phrase(&["been", "together"])
        || sight.phrase(&["are", "together"])
        || sight.phrase(&["got", "together"]);
    let mine = sight.has(&["my", "i", "our", "we", "me"]);
    let over = sight.has(&["ex", "broke", "split", "left", "not", "divorced", "former", "if", "would"]);
    if !coupled || !mine || over || sight.has(&["his", "her", "their"]) {
        return Vec::new();
    }
    let people: Vec<&Name> = sight
        .names
        .iter()
        .filter(|name| {
            matches!(name.sort, Sort::Unknown) || name.sort == Sort::Person && is_couple(name.what)
        })
        .filter(|name| {
            !matches!(sight.before(name.range.start, 1), "in" | "at" | "from" | "to")
                || sight.phrase(&["married", "to"])
        })
        .collect();
    let [person] = people.as_slice() else { return Vec::new() };
    vec![Told::new(rules::relative("partner", &person.text).sure(0.7))]
}

fn is_couple(what: &str) -> bool {
    matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé")
}

pub fn birthday(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let born = sight.has(&["birthday"])
        || sight.phrase(&["i", "was", "born"])
        || sight.phrase(&["date", "of", "birth"]);
    let others = sight.words.iter().enumerate().any(|(at, word)| {
        lexicon::relation(word).is_some() && sight.word(at + 1) == "'s"
            || matches!(*word, "his" | "her" | "their" | "your") && sight.word(at + 1) == "birthday"
    });
    let party =
        sight.is_of_family || sight.has(&["not", "party", "present", "gift", "cake", "went", "bought"]);
    if !born || others || party || !sight.is_mine() {
        return Vec::new();
    }
    // Only the day and the month are wanted: which year is no matter.
    let today = jiff::civil::date(2024, 12, 31);
    let (_, whens) = take_times(sight.tokens, today);
    let days: Vec<Draft> = whens
        .iter()
        .filter(|(_, when)| matches!(when.sort, TimeSort::At) && when.from == when.to)
        .filter_map(|(_, when)| rules::born_on(when))
        .collect();
    match days.as_slice() {
        [day] => vec![Told::new(day.clone().sure(0.75))],
        _ => Vec::new(),
    }
}

pub fn language(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let speaks = sight.has(&[
        "speak",
        "speaking",
        "fluent",
        "fluently",
        "language",
        "languages",
        "bilingual",
        "tongue",
        "conversational",
        "conversation",
        "speaker",
        "proficient",
        "converse",
        "native",
    ]) || sight.phrase(&["get", "by", "in"])
        || sight.phrase(&["taught", "myself"])
        || sight.phrase(&["picked", "up"])
        || sight.phrase(&["chat", "in"]);
    if !speaks
        || sight.is_idle
        || !sight.is_mine()
        || !sight.says_me()
        || sight.has(&["not", "never", "learning", "learn", "no", "translate"])
    {
        return Vec::new();
    }
    let found = sight.words.iter().enumerate().filter(|(at, word)| {
        lexicon::is_language(word)
            && !matches!(sight.word(at + 1), "food" | "wine" | "restaurant" | "friend" | "film")
    });
    found
        .map(|(_, word)| {
            let name = capital(word);
            let slot = Slot::of(Kind::Language, *word);
            Told::new(
                Draft::new(FactCategory::Personal, slot, name.clone(), format!("speaks {name}")).sure(0.75),
            )
        })
        .collect()
}

pub fn allergy(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let allergic = sight.has(&[
        "allergic",
        "allergy",
        "allergies",
        "anaphylactic",
        "anaphylaxis",
        "epipen",
        "intolerant",
    ]);
    let others = sight.is_of_family
        || sight.has(&["he", "she", "his", "her", "they", "people"])
        || sight.phrase(&["not", "allergic"])
        || sight.phrase(&["no", "allergy"])
        || sight.phrase(&["no", "allergies"]);
    let thought = sight.has(&["maybe", "might", "perhaps", "should"]);
    if !allergic || others || thought || !sight.is_mine() {
        return Vec::new();
    }
    let things = sight
        .words
        .iter()
        .enumerate()
        .filter(|(_, word)| lexicon::is_likeable(word) || lexicon::is_allergen(word));
    things.map(|(_, word)| Told::new(rules::allergic(word).sure(0.75))).take(3).collect()
}
