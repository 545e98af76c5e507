//! Personal facts: names, partners, birthdays, languages and allergies, recognised by keyword and a value near it.

use std::sync::LazyLock;

use protocol::FactCategory;

use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::clause::take_times;
use crate::lexicon;
use crate::name_text::capital;
use crate::names::KnownNames;
use crate::rules::{self, FactDraft};
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;
use crate::wordlists::WordList;

pub fn name(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let about_others = view.words.iter().any(|word| {
        lexicon::animal(word).is_some()
            || lexicon::relation(word).is_some_and(|what| {
                !matches!(
                    what,
                    "friend" | "friends" | "parents" | "mother" | "father" | "aunt" | "grandmother"
                )
            })
    });
    // *They spelled my name Brayn*, *I've got a friend in Bristol, Omar is the name*
    if about_others
        || view.phrase(&["a", "friend"])
        || view.has(&["nobody", "spelled", "spelt", "misspelled", "misspelt"])
    {
        return Vec::new();
    }
    let people: Vec<&NameMention> = view
        .names
        .iter()
        .filter(|name| name.kind == NameKind::Unknown && !name.is_left && name.range.len() <= 2)
        .collect();
    let [only] = people.as_slice() else { return Vec::new() };
    let (start, end) = (only.range.start, only.range.end);
    let before = (view.before(start, 2), view.before(start, 1));
    let given = only.range.len() == 1 && lexicon::is_given_name(view.word(start));
    let of_name = view.words.windows(2).any(|pair| {
        matches!(
            pair,
            ["my" | "first" | "the", "name"]
                | ["call" | "calls" | "named" | "introduce" | "introduced", "me" | "myself"]
        )
    }) || view.phrase(&["am", "called"])
        || view.phrase(&["being", "called"])
        || view.phrase(&["birth", "certificate"])
        // *My star sign is Leo*
        || !view.has(&["zodiac", "star", "horoscope"]) && view.has(&["sign", "signed", "baptism", "baptised", "christened", "namesake"])
            && view.has(&["me", "my"]);
    let told = matches!(
        before,
        ("call" | "calls" | "called", "me") | ("talking" | "speaking" | "chatting", "to" | "with")
    ) || before == ("me", "as")
        // *I'm Anna's mother* names another person.
        || before == ("i", "am") && given && !matches!(view.word(end), "'s" | "'" | "’s")
        || matches!(before, ("respond" | "answer", "to") | ("go" | "goes", "by"))
        || matches!(before, ("this" | "it", "is"))
            && matches!(view.word(end), "talking" | "speaking" | "here" | "calling" | "writing")
        || start == 0 && view.word(end) == "," && view.phrase(&["to", "meet", "you"])
        || matches!(view.word(end), "speaking" | "here")
            && (given || end + 1 >= view.words.len().saturating_sub(1))
        || given && of_name
        || of_name && matches!(before.1, "be" | "is" | ":" | "remains" | "says" | "name")
        || start <= 1
            && (view.word(end), view.word(end + 1)) == ("is", "what")
            && view.has(&["call", "calls"])
        || matches!(
            (view.word(end), view.word(end + 1), view.word(end + 2)),
            ("is" | "'s", "my" | "the", "name")
        );
    if !told {
        return Vec::new();
    }
    let draft = FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Name),
        only.text.clone(),
        format!("is called {}", only.text),
    );
    vec![SentenceDraft::new(draft.important(0.9).sure(0.7))]
}

pub fn partner(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let couple = view.words.windows(2).any(|pair| pair[0] == "couple" && pair[1] != "of");
    let coupled = couple
        || view.has_any(words!(
            "dating relationship married engaged girlfriend boyfriend wife husband fiancé spouse partner \
            soulmate missus lover anniversary"
        ))
        || view.phrase(&["other", "half"])
        || view.phrase(&["better", "half"])
        || view.phrase(&["going", "out", "with"])
        || view.phrase(&["love", "of", "my", "life"])
        || view.phrase(&["been", "seeing"])
        || view.phrase(&["in", "love", "with"])
        || view.phrase(&["significant", "other"])
        || view.phrase(&["been", "together"])
        || view.phrase(&["are", "together"])
        || view.phrase(&["am", "together", "with"])
        || view.phrase(&["got", "together"])
        || view.phrase(&["date", "night"])
        || view.phrase(&["head", "over", "heels"])
        || view.phrase(&["fell", "for"]);
    let mine = view.has(&["my", "i", "our", "we", "me"]);
    // *Tom is my sister's husband*
    let anothers = view
        .words
        .windows(2)
        .any(|pair| pair[0] == "'s" && lexicon::relation(pair[1]).is_some_and(is_couple));
    let over = anothers
        || view.has_any(words!(
            "ex divorced former parents passed died dead late funeral widow widower grave lost"
        ))
        || view.phrase(&["split", "up"])
        || view.phrase(&["broke", "up"])
        || view.phrase(&["left", "me"]);
    let animal = view.words.iter().any(|word| lexicon::animal(word).is_some());
    let mine = mine || view.is_form();
    if !coupled || !mine || over || animal || view.has(&["his", "her", "their"]) {
        return Vec::new();
    }
    let people: Vec<&NameMention> = view
        .names
        .iter()
        .filter(|name| {
            let given = lexicon::is_given_name(view.word(name.range.start));
            let (at, comma) = (name.range.start, usize::from(view.before(name.range.start, 1) == ","));
            let beside = at > comma && lexicon::relation(view.before(at - comma, 1)).is_some_and(is_couple);
            let of_another =
                view.called(name).is_some_and(|noun| !lexicon::relation(noun).is_some_and(is_couple));
            !of_another && name.kind == NameKind::Unknown && (given || beside)
                || name.kind == NameKind::Person && is_couple(name.what)
        })
        .filter(|name| {
            // *Our Gemma* is a member of the family.
            !matches!(view.before(name.range.start, 1), "in" | "at" | "from" | "to" | "our")
                || view.phrase(&["married", "to"])
        })
        .collect();
    let [person] = people.as_slice() else { return Vec::new() };
    vec![SentenceDraft::new(rules::relative("partner", &person.text).sure(0.7))]
}

fn is_couple(what: &str) -> bool {
    matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé")
}

pub fn birthday(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let born = view.has(&["birthday", "candles", "congratulate", "birthdate"])
        || view.phrase(&["i", "was", "born"])
        || view.phrase(&["date", "of", "birth"])
        || view.phrase(&["year", "older"]);
    let others = view.words.iter().enumerate().any(|(at, word)| {
        *word == "birthday" && matches!(view.before(at, 1), "his" | "her" | "their" | "your" | "'s" | "happy")
    }) || view
        .names
        .iter()
        .any(|name| name.kind != NameKind::Unknown || lexicon::is_given_name(&name.text.to_lowercase()));
    let mine = view.phrase(&["my", "birthday"]) || view.has(&["i", "me"]);
    let own = view.phrase(&["my", "birthday"]) || view.phrase(&["own", "birthday"]) || view.is_form();
    let gives = view.has(&["present", "gift", "went", "bought"]) && !own || view.phrase(&["not", "my"]);
    if !born || others && !own || gives || !(mine || own) || !view.is_mine() {
        return Vec::new();
    }
    let (_, whens) = take_times(view.tokens, view.today);
    let days: Vec<FactDraft> = whens
        .iter()
        .filter(|(_, when)| matches!(when.kind, TimeKind::At) && when.from == when.to)
        .filter_map(|(_, when)| rules::born_on(when))
        .collect();
    match days.as_slice() {
        [day] => vec![SentenceDraft::new(day.clone().sure(0.75))],
        _ => Vec::new(),
    }
}

pub fn language(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let speaks = view.has_any(words!(
        "speak speaking fluent fluently language languages bilingual tongue conversational conversation \
        speaker proficient converse native talk chat"
    )) || view.phrase(&["get", "by"])
        || view.phrase(&["hold", "my", "own"])
        || view.phrase(&["picked", "up"]) && !view.has(&["dinner", "lunch", "takeaway"])
        || view.words.windows(3).any(|window| {
            // *My French is good* matches, but neither *my French press* nor *my German is still panic*.
            window[0] == "my"
                && lexicon::is_language(window[1])
                && words!("is has was got , and skills 's").contains(window[2])
        }) && !view.has(&["still", "bad", "terrible", "awful", "rusty", "panic", "nonexistent"]);
    let learns = view.has_any(words!(
        "learn learning learnt lesson lessons class classes course app practice practise practising \
        practicing grammar vocabulary vocab duolingo streak tutor homework studying study taught teaching \
        verbs flashcards beginner textbook pronunciation exam teach master dictionary"
    ));
    if !(speaks || learns)
        || !view.is_mine()
        || !(view.says_me() || learns && view.is_terse())
        || view.has(&["never", "no", "translate"])
        || view.phrase(&["not", "speak"])
        || view.phrase(&["thought", "about"])
    {
        return Vec::new();
    }
    let spoken = view.words.iter().enumerate().filter(|(at, _)| !is_only_followed(view, *at));
    let found = spoken.filter(|(at, word)| {
        lexicon::is_language(word)
            && !(learns
                && view.before(*at, 1) == "in"
                && !words!("course class classes lesson lessons test exam beginner")
                    .contains(view.before(*at, 2)))
            && !matches!(view.word(at + 1), "food" | "wine" | "restaurant" | "friend" | "film")
            && lexicon::relation(view.word(at + 1)).is_none()
            && !lexicon::is_occupation(&[view.word(at + 1)])
    });
    found
        .map(|(_, word)| {
            let name = capital(word);
            let slot = FactSlot::of(SlotKind::Language, *word);
            let says = if learns { format!("is learning {name}") } else { format!("speaks {name}") };
            SentenceDraft::new(FactDraft::new(FactCategory::Personal, slot, name, says).sure(0.75))
        })
        .collect()
}

/// Returns true for a language that is only understood: *I understand Hindi, but don't ask me to talk in it*.
fn is_only_followed(view: &SentenceView<'_>, at: usize) -> bool {
    let clause = view.clause(at);
    clause.iter().any(|word| matches!(*word, "understand" | "understands" | "follow"))
        && !clause.iter().any(|word| matches!(*word, "speak" | "fluent" | "fluently"))
}

static ALLERGIC: WordList = LazyLock::new(|| {
    "allergic allergy allergies anaphylactic anaphylaxis epipen intolerant hives antihistamine \
    antihistamines"
        .split_whitespace()
        .collect()
});

pub fn allergy(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    // For beekeepers, *hives* is not a symptom.
    let allergic = view.has_any(&ALLERGIC) && !view.has(&["bees", "beekeeper", "beekeeping"]);
    let others = view.is_of_family
        || !view.says_me() && !view.is_terse() && !view.phrase(&["my", "body"])
        || view.phrase(&["not", "allergic"])
        || view.phrase(&["no", "allergy"])
        || view.phrase(&["no", "allergies"]);
    let thought = view.has(&["maybe", "might", "perhaps", "should"]);
    if !allergic || others || thought || !view.is_mine() {
        return Vec::new();
    }
    // Only words near the keyword count: *lactose intolerant, after a lifetime of cheese*.
    let spoken: Vec<usize> = (0..view.words.len()).filter(|at| ALLERGIC.contains(view.words[*at])).collect();
    // *Ivy has a nut allergy*: the person named at the start of the clause has the allergy.
    let is_theirs = |at: usize| {
        let clause = view.clause_range(at);
        let head = view.words[clause.clone()].iter().position(|word| word.chars().any(char::is_alphabetic));
        let named = head.is_some_and(|head| {
            let head = clause.start + head;
            let name = view.names.iter().find(|name| name.range.start == head);
            name.is_some_and(|name| {
                matches!(name.kind, NameKind::Unknown | NameKind::Person | NameKind::Pet)
                    && words!("has is was 's had gets got").contains(view.word(name.range.end))
            })
        });
        named && !view.words[clause].iter().any(|word| matches!(*word, "i" | "me" | "my" | "we" | "us"))
    };
    let spoken: Vec<usize> = spoken.into_iter().filter(|at| !is_theirs(*at)).collect();
    let near = |at: usize| {
        spoken.iter().any(|word| {
            let between = if at < *word { at..*word } else { *word..at };
            between.len() <= 9
                && !view.words[between].iter().any(|word| matches!(*word, "." | "!" | "?" | ";"))
        })
    };
    let things = view.words.iter().enumerate().filter(|(at, word)| {
        (lexicon::is_allergen(word)
            || lexicon::is_likeable(word) && lexicon::family(word) != Some("sport") && !word.ends_with("ing"))
            && near(*at)
            && match (view.before(*at, 2), view.before(*at, 1)) {
                ("anything" | "something" | "careful" | "food" | "dishes", "with") => true,
                (_, "not" | "with") | ("not", "to") => false,
                _ => true,
            }
    });
    things.map(|(_, word)| SentenceDraft::new(rules::allergic(word).sure(0.75))).take(3).collect()
}
