//! Personal facts: names, partners, birthdays, languages and allergies, recognised by keyword and a value near it.

use std::sync::LazyLock;

use protocol::FactCategory;

use super::Told;
use super::sight::{Name, Sight, Sort};
use crate::clause::take_times;
use crate::lexicon;
use crate::names::Names;
use crate::rules::{self, Draft};
use crate::slot::{Kind, Slot};
use crate::subject::capital;
use crate::time::Sort as TimeSort;
use crate::wordlists::Words;

pub fn name(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let about_others = sight.words.iter().any(|word| {
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
        || sight.phrase(&["a", "friend"])
        || sight.has(&["nobody", "spelled", "spelt", "misspelled", "misspelt"])
    {
        return Vec::new();
    }
    let people: Vec<&Name> = sight
        .names
        .iter()
        .filter(|name| name.sort == Sort::Unknown && !name.is_left && name.range.len() <= 2)
        .collect();
    let [only] = people.as_slice() else { return Vec::new() };
    let (start, end) = (only.range.start, only.range.end);
    let before = (sight.before(start, 2), sight.before(start, 1));
    let given = only.range.len() == 1 && lexicon::is_given_name(sight.word(start));
    let of_name = sight.words.windows(2).any(|pair| {
        matches!(
            pair,
            ["my" | "first" | "the", "name"]
                | ["call" | "calls" | "named" | "introduce" | "introduced", "me" | "myself"]
        )
    }) || sight.phrase(&["am", "called"])
        || sight.phrase(&["being", "called"])
        || sight.phrase(&["birth", "certificate"])
        // *My star sign is Leo*
        || !sight.has(&["zodiac", "star", "horoscope"]) && sight.has(&["sign", "signed", "baptism", "baptised", "christened", "namesake"])
            && sight.has(&["me", "my"]);
    let told = matches!(
        before,
        ("call" | "calls" | "called", "me") | ("talking" | "speaking" | "chatting", "to" | "with")
    ) || before == ("me", "as")
        // *I'm Anna's mother* names another person.
        || before == ("i", "am") && given && !matches!(sight.word(end), "'s" | "'" | "’s")
        || matches!(before, ("respond" | "answer", "to") | ("go" | "goes", "by"))
        || matches!(before, ("this" | "it", "is"))
            && matches!(sight.word(end), "talking" | "speaking" | "here" | "calling" | "writing")
        || start == 0 && sight.word(end) == "," && sight.phrase(&["to", "meet", "you"])
        || matches!(sight.word(end), "speaking" | "here")
            && (given || end + 1 >= sight.words.len().saturating_sub(1))
        || given && of_name
        || of_name && matches!(before.1, "be" | "is" | ":" | "remains" | "says" | "name")
        || start <= 1
            && (sight.word(end), sight.word(end + 1)) == ("is", "what")
            && sight.has(&["call", "calls"])
        || matches!(
            (sight.word(end), sight.word(end + 1), sight.word(end + 2)),
            ("is" | "'s", "my" | "the", "name")
        );
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
    let couple = sight.words.windows(2).any(|pair| pair[0] == "couple" && pair[1] != "of");
    let coupled = couple
        || sight.has_any(words!(
            "dating relationship married engaged girlfriend boyfriend wife husband fiancé spouse partner \
            soulmate missus lover anniversary"
        ))
        || sight.phrase(&["other", "half"])
        || sight.phrase(&["better", "half"])
        || sight.phrase(&["going", "out", "with"])
        || sight.phrase(&["love", "of", "my", "life"])
        || sight.phrase(&["been", "seeing"])
        || sight.phrase(&["in", "love", "with"])
        || sight.phrase(&["significant", "other"])
        || sight.phrase(&["been", "together"])
        || sight.phrase(&["are", "together"])
        || sight.phrase(&["am", "together", "with"])
        || sight.phrase(&["got", "together"])
        || sight.phrase(&["date", "night"])
        || sight.phrase(&["head", "over", "heels"])
        || sight.phrase(&["fell", "for"]);
    let mine = sight.has(&["my", "i", "our", "we", "me"]);
    // *Tom is my sister's husband*
    let anothers = sight
        .words
        .windows(2)
        .any(|pair| pair[0] == "'s" && lexicon::relation(pair[1]).is_some_and(is_couple));
    let over = anothers
        || sight.has_any(words!(
            "ex divorced former parents passed died dead late funeral widow widower grave lost"
        ))
        || sight.phrase(&["split", "up"])
        || sight.phrase(&["broke", "up"])
        || sight.phrase(&["left", "me"]);
    let animal = sight.words.iter().any(|word| lexicon::animal(word).is_some());
    let mine = mine || sight.is_form();
    if !coupled || !mine || over || animal || sight.has(&["his", "her", "their"]) {
        return Vec::new();
    }
    let people: Vec<&Name> = sight
        .names
        .iter()
        .filter(|name| {
            let given = lexicon::is_given_name(sight.word(name.range.start));
            let (at, comma) = (name.range.start, usize::from(sight.before(name.range.start, 1) == ","));
            let beside = at > comma && lexicon::relation(sight.before(at - comma, 1)).is_some_and(is_couple);
            let of_another =
                sight.called(name).is_some_and(|noun| !lexicon::relation(noun).is_some_and(is_couple));
            !of_another && name.sort == Sort::Unknown && (given || beside)
                || name.sort == Sort::Person && is_couple(name.what)
        })
        .filter(|name| {
            // *Our Gemma* is a member of the family.
            !matches!(sight.before(name.range.start, 1), "in" | "at" | "from" | "to" | "our")
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
    let born = sight.has(&["birthday", "candles", "congratulate", "birthdate"])
        || sight.phrase(&["i", "was", "born"])
        || sight.phrase(&["date", "of", "birth"])
        || sight.phrase(&["year", "older"]);
    let others = sight.words.iter().enumerate().any(|(at, word)| {
        *word == "birthday"
            && matches!(sight.before(at, 1), "his" | "her" | "their" | "your" | "'s" | "happy")
    }) || sight
        .names
        .iter()
        .any(|name| name.sort != Sort::Unknown || lexicon::is_given_name(&name.text.to_lowercase()));
    let mine = sight.phrase(&["my", "birthday"]) || sight.has(&["i", "me"]);
    let own = sight.phrase(&["my", "birthday"]) || sight.phrase(&["own", "birthday"]) || sight.is_form();
    let gives = sight.has(&["present", "gift", "went", "bought"]) && !own || sight.phrase(&["not", "my"]);
    if !born || others && !own || gives || !(mine || own) || !sight.is_mine() {
        return Vec::new();
    }
    let (_, whens) = take_times(sight.tokens, sight.today);
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
    let speaks = sight.has_any(words!(
        "speak speaking fluent fluently language languages bilingual tongue conversational conversation \
        speaker proficient converse native talk chat"
    )) || sight.phrase(&["get", "by"])
        || sight.phrase(&["hold", "my", "own"])
        || sight.phrase(&["picked", "up"]) && !sight.has(&["dinner", "lunch", "takeaway"])
        || sight.words.windows(3).any(|window| {
            // *My French is good* matches, but neither *my French press* nor *my German is still panic*.
            window[0] == "my"
                && lexicon::is_language(window[1])
                && words!("is has was got , and skills 's").contains(window[2])
        }) && !sight.has(&["still", "bad", "terrible", "awful", "rusty", "panic", "nonexistent"]);
    let learns = sight.has_any(words!(
        "learn learning learnt lesson lessons class classes course app practice practise practising \
        practicing grammar vocabulary vocab duolingo streak tutor homework studying study taught teaching \
        verbs flashcards beginner textbook pronunciation exam teach master dictionary"
    ));
    if !(speaks || learns)
        || !sight.is_mine()
        || !(sight.says_me() || learns && sight.is_terse())
        || sight.has(&["never", "no", "translate"])
        || sight.phrase(&["not", "speak"])
        || sight.phrase(&["thought", "about"])
    {
        return Vec::new();
    }
    let spoken = sight.words.iter().enumerate().filter(|(at, _)| !is_only_followed(sight, *at));
    let found = spoken.filter(|(at, word)| {
        lexicon::is_language(word)
            && !(learns
                && sight.before(*at, 1) == "in"
                && !words!("course class classes lesson lessons test exam beginner")
                    .contains(sight.before(*at, 2)))
            && !matches!(sight.word(at + 1), "food" | "wine" | "restaurant" | "friend" | "film")
            && lexicon::relation(sight.word(at + 1)).is_none()
            && !lexicon::is_occupation(&[sight.word(at + 1)])
    });
    found
        .map(|(_, word)| {
            let name = capital(word);
            let slot = Slot::of(Kind::Language, *word);
            let says = if learns { format!("is learning {name}") } else { format!("speaks {name}") };
            Told::new(Draft::new(FactCategory::Personal, slot, name, says).sure(0.75))
        })
        .collect()
}

/// Returns true for a language that is only understood: *I understand Hindi, but don't ask me to talk in it*.
fn is_only_followed(sight: &Sight<'_>, at: usize) -> bool {
    let clause = sight.clause(at);
    clause.iter().any(|word| matches!(*word, "understand" | "understands" | "follow"))
        && !clause.iter().any(|word| matches!(*word, "speak" | "fluent" | "fluently"))
}

static ALLERGIC: Words = LazyLock::new(|| {
    "allergic allergy allergies anaphylactic anaphylaxis epipen intolerant hives antihistamine \
    antihistamines"
        .split_whitespace()
        .collect()
});

pub fn allergy(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    // For beekeepers, *hives* is not a symptom.
    let allergic = sight.has_any(&ALLERGIC) && !sight.has(&["bees", "beekeeper", "beekeeping"]);
    let others = sight.is_of_family
        || !sight.says_me() && !sight.is_terse() && !sight.phrase(&["my", "body"])
        || sight.phrase(&["not", "allergic"])
        || sight.phrase(&["no", "allergy"])
        || sight.phrase(&["no", "allergies"]);
    let thought = sight.has(&["maybe", "might", "perhaps", "should"]);
    if !allergic || others || thought || !sight.is_mine() {
        return Vec::new();
    }
    // Only words near the keyword count: *lactose intolerant, after a lifetime of cheese*.
    let spoken: Vec<usize> =
        (0..sight.words.len()).filter(|at| ALLERGIC.contains(sight.words[*at])).collect();
    // *Ivy has a nut allergy*: the person named at the start of the clause has the allergy.
    let is_theirs = |at: usize| {
        let clause = sight.clause_range(at);
        let head = sight.words[clause.clone()].iter().position(|word| word.chars().any(char::is_alphabetic));
        let named = head.is_some_and(|head| {
            let head = clause.start + head;
            let name = sight.names.iter().find(|name| name.range.start == head);
            name.is_some_and(|name| {
                matches!(name.sort, Sort::Unknown | Sort::Person | Sort::Pet)
                    && words!("has is was 's had gets got").contains(sight.word(name.range.end))
            })
        });
        named && !sight.words[clause].iter().any(|word| matches!(*word, "i" | "me" | "my" | "we" | "us"))
    };
    let spoken: Vec<usize> = spoken.into_iter().filter(|at| !is_theirs(*at)).collect();
    let near = |at: usize| {
        spoken.iter().any(|word| {
            let between = if at < *word { at..*word } else { *word..at };
            between.len() <= 9
                && !sight.words[between].iter().any(|word| matches!(*word, "." | "!" | "?" | ";"))
        })
    };
    let things = sight.words.iter().enumerate().filter(|(at, word)| {
        (lexicon::is_allergen(word)
            || lexicon::is_likeable(word) && lexicon::family(word) != Some("sport") && !word.ends_with("ing"))
            && near(*at)
            && match (sight.before(*at, 2), sight.before(*at, 1)) {
                ("anything" | "something" | "careful" | "food" | "dishes", "with") => true,
                (_, "not" | "with") | ("not", "to") => false,
                _ => true,
            }
    });
    things.map(|(_, word)| Told::new(rules::allergic(word).sure(0.75))).take(3).collect()
}
