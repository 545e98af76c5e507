//! Homes and employers, recognised by words of home and work around a name.

use std::sync::LazyLock;

use jiff::ToSpan;
use protocol::FactCategory;

use super::Told;
use super::sight::{Name, Sight, Sort};
use crate::clause::take_times;
use crate::lexicon;
use crate::names::Names;
use crate::rules::Draft;
use crate::slot::{Kind, Slot};
use crate::time::{Sort as TimeSort, month};
use crate::verbs::{self, Form};
use crate::wordlists::Words;

static HOME: Words = LazyLock::new(|| {
    "crib digs gaff pad household live lives living reside resides home flat apartment house landlord landlady neighbour neighbours neighbor \
    neighbors neighbourhood neighborhood address lease moved move relocated relocate settled resident local based \
    unpacked unpacking unpack boxes removal movers tenant housewarming mortgage rent renting hometown living-room \
    kitchen balcony postcode residence roots keys studio townhouse cottage place upped transplant citizen bungalow \
    dwelling residence registration registered flatmates flatmate housemate housemates roommates roommate tenancy locals residents mover van doorstep \
    unloaded council hood sofa homeowner renovating decorating"
        .split_whitespace()
        .collect()
});

pub static WORK: Words = LazyLock::new(|| {
    "work department marketing redundant signed lanyard cv works working worked job employer boss manager office colleague colleagues coworker coworkers team company \
    firm commute shift shifts payroll hired hire offer started start starting joined joining contract poached badge \
    salary pays paid career position role desk staff bills wages paycheck paycheque employed employs employee \
    onboarding probation notice gig recruited headhunted snapped resigned quit hq headquarters factory warehouse \
    workplace payslip clock newest hires recruit found employers jobs workmates workmate shifts badge uniform \
    intranet canteen overtime wage income earn earning earns living nine-to-five ladder internship laptop induction \
    onboarded hr bosses payday pension mug meetings deadline deadlines trainee rota"
        .split_whitespace()
        .collect()
});

/// Things that people have where they live.
static DWELLING: Words = LazyLock::new(|| {
    "crib digs gaff pad household flat apartment house home place landlord landlady neighbour neighbours neighbors neighbourhood address postcode \
    balcony kitchen bed bedroom garden street lease boxes removal rent mortgage hometown city town studio life keys \
    roots family"
        .split_whitespace()
        .collect()
});

/// Words of travel: a place named with them is not a home.
static TRAVEL: Words = LazyLock::new(|| {
    "visit visiting visited trip holiday holidays vacation flight flying fly flew conference airport hotel train \
    tour concert layover match travel travelling traveling airbnb hostel film movie book news flights drove drive \
    walked cycled tickets ticket bus journey road weekend stayed servers won lost beat against honeymoon restaurant \
    lunch dinner yesterday station"
        .split_whitespace()
        .collect()
});

pub fn home(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    let current = names.held(&sight.subject, Kind::Home, "");
    let long = sight.phrase(&["have", "been", "since"])
        || sight.phrase(&["have", "lived", "in"])
        || sight.phrase(&["ended", "up", "in"]) && !sight.has(&["supposed", "honeymoon"])
        || sight.phrase(&["never", "left"])
        || sight.names.iter().any(|name| name.sort == Sort::Place && is_lasting(sight, name));
    let by_name = !sight.is_mine()
        && sight.names.iter().any(|name| {
            name.sort == Sort::Place
                && sight.before(name.range.start, 1) == "in"
                && (matches!(sight.before(name.range.start, 2), "over" | "down" | "up" | "out" | "back")
                    || lexicon::relation(sight.before(name.range.start, 2)).is_some())
        });
    // *Since May my bed is in Rome*: people live where their belongings are and where they spend their days.
    let lasting = sight.has(&["now", "nowadays", "since", "permanently"])
        || sight.phrase(&["these", "days"])
        || sight.phrase(&["from", "tonight"])
        || sight.phrase(&["from", "today"])
        || sight.phrase(&["as", "of"]);
    let stays = lasting
        && sight.is_mine()
        && sight.says_me()
        && !sight.has_any(&WORK)
        && sight.names.iter().any(|name| {
            name.sort == Sort::Place
                && sight.before(name.range.start, 1) == "in"
                && words!("am is are sleep wake life over up here down again")
                    .contains(sight.before(name.range.start, 2))
        });
    let moves = sight.has_any(words!("moved move moving relocated removal boxes lease live living"));
    // *I've got a friend living in Bristol*
    if sight.is_mine() && (sight.phrase(&["a", "friend"]) || sight.phrase(&["friend", "living"])) {
        return Vec::new();
    }
    // *We moved our office to Rome*: the object moved, not the people.
    let moves_a_thing = sight.words.windows(3).any(|window| {
        matches!(window[0], "moved" | "move" | "moving" | "relocated" | "transferred")
            && words!("our my the his her their a an this").contains(window[1])
            && !DWELLING.contains(window[2])
            && !words!("things stuff belongings furniture new whole entire move").contains(window[2])
    });
    if moves_a_thing {
        return Vec::new();
    }
    // *Berlin, where I used to live*
    if sight.phrase(&["used", "to", "live"]) && !sight.has(&["now", "these"]) {
        return Vec::new();
    }
    // *Rent in Dublin is higher than in Lyon* is a comparison.
    let compares = sight.words.iter().enumerate().any(|(at, word)| {
        *word == "than" && !(sight.before(at, 1) == "more" && is_amount(sight.word(at + 1)))
    });
    if compares && !sight.has(&["moved", "rather"]) {
        return Vec::new();
    }
    // *We moved on to Rome on day five*, *I was moved by that film*, *we were supposed to move*
    let unmoved = [
        ["moved", "on"],
        ["moved", "by"],
        ["supposed", "to"],
        ["been", "moved"],
        ["was", "moved"],
        ["helped", "my"],
    ];
    let parted = sight.phrase(&["moved", "away", "from", "there"]);
    if sight.is_mine() && (parted || unmoved.iter().any(|pair| sight.phrase(pair))) {
        return Vec::new();
    }
    // *We signed for the house* is before the handover, and *we share a studio* may only be for painting.
    let unsettled = sight.phrase(&["signed", "for"]) || sight.phrase(&["share", "a", "studio"]);
    if sight.is_mine() && (is_ahead(sight) || unsettled) {
        return Vec::new();
    }
    let week = sight.has(&["spent"]) && sight.has(&["week", "days", "night", "nights", "month", "afternoon"]);
    let moves = moves || sight.phrase(&["is", "home"]) || sight.phrase(&["home", "now"]);
    // *The train to Rome* is a journey; *my flat in Rome, where I hear every train* is not.
    let travels =
        sight.names.iter().filter(|name| matches!(name.sort, Sort::Place | Sort::Unknown)).any(|name| {
            let at = name.range.start;
            sight.clause(at).iter().any(|word| TRAVEL.contains(word)) && !sight.has_own_beside(at, &DWELLING)
        });
    if sight.is_mine() && (week || travels && !long && !(moves && sight.has(&["i", "we"]))) {
        return Vec::new();
    }
    let topic = sight.speaks_of(&HOME) || long || by_name || stays;
    // *Our company moved to Rome* does not tell where the user lives.
    let own = sight.has(&["i", "we", "me", "us"])
        || sight.has_own(&DWELLING)
        || !sight.is_mine()
        || !sight.has(&["our", "my"]);
    if !own {
        return Vec::new();
    }
    let of_work = sight.has_any(&WORK) && !sight.has(&["moved", "live", "living", "flat", "home", "house"]);
    let spoken_of = current
        .as_deref()
        .is_some_and(|current| sight.names.iter().any(|name| name.text.eq_ignore_ascii_case(current)));
    let of_work = of_work && !spoken_of;
    // `the city where I live, Elmstead, is lovely`, `the noise of Lyon for quiet Elmstead`
    let aside = |name: &Name| {
        let (start, end) = (name.range.start, name.range.end);
        topic
            && sight.before(start, 1) == ","
            && sight.word(end) == ","
            && sight.has(&["live", "city", "town"])
            || spoken_of && matches!(sight.before(start, 2), "for" | "to" | "in") && sight.is_mine()
    };
    let fits =
        |name: &Name| match name.sort {
            Sort::Place => true,
            Sort::Unknown if is_somebody(sight, name) => false,
            Sort::Unknown if aside(name) => true,
            Sort::Unknown => !sight.has(&["name", "named", "called", "call"])
                && !of_work
                && (topic || current.is_some())
                && (current.is_some() || is_near(sight, name))
                && name.range.start > 0
                && words!(
                    "in to into from of near for left leaving is called goodbye bye hello a made make call \
                    chose"
                )
                .contains(sight.before(name.range.start, 1))
                || topic
                    && !sight.words.iter().any(|word| lexicon::animal(word).is_some())
                    && name.range.start == 0
                    && (current.is_some() || matches!(sight.word(name.range.end), "is" | "has" | "'s")),
            _ => false,
        };
    let terse =
        sight.is_terse() && sight.has_any(words!("home address moved settled based boxes unpacked living"));
    // *Moved out of my mum's in Rotherham*
    let anothers = |name: &Name| {
        matches!(sight.before(name.range.start, 2), "'s" | "is")
            && sight.is_mine()
            && lexicon::relation(sight.before(name.range.start, 3)).is_some()
    };
    let fits = |name: &Name| {
        (fits(name) || terse && is_noted(sight, name) && !is_somebody(sight, name)) && !anothers(name)
    };
    let phrases = Phrases { kind: Kind::Home, now: "lives in", then: "lived in", gone: "no longer lives in" };
    settle(sight, current.as_deref(), (topic, terse), fits, &phrases)
}

/// Returns true if a move is still to come or a stay is limited: *keys on the 14th*, *Porto, September to June*.
fn is_ahead(sight: &Sight<'_>) -> bool {
    let is_here =
        sight.has_any(words!("moved live lives living lived settled relocated unpacked now since home"));
    let (_, whens) = take_times(sight.tokens, sight.today);
    // A weekday may be the last one as well as the next.
    let soon = sight.today.checked_add(6.days()).unwrap_or(sight.today);
    let comes = whens.iter().any(|(_, when)| when.sort == TimeSort::At && when.from > soon);
    let stays = sight.words.windows(3).any(|window| {
        month(window[0]).is_some() && matches!(window[1], "to" | "until" | "-") && month(window[2]).is_some()
    });
    (comes || stays) && !is_here
}

/// Returns true for words of an amount: *more than a decade*, *more than ten years*.
fn is_amount(word: &str) -> bool {
    matches!(word, "a" | "half") || crate::time::number(word).is_some()
}

/// Returns true if a word of home is near a name in its clause, unlike in *my house took four feet of water in
/// Katrina*, which names a storm.
fn is_near(sight: &Sight<'_>, name: &Name) -> bool {
    let near = name.range.start.saturating_sub(6)..(name.range.end + 6).min(sight.words.len());
    sight.words[near].iter().any(|word| HOME.contains(word))
}

/// Returns true if a place has a long duration or a first time next to it: *ten years in Rome*, *first week in Rome*.
fn is_lasting(sight: &Sight<'_>, name: &Name) -> bool {
    let clause = sight.clause(name.range.start);
    let place = matches!(sight.before(name.range.start, 1), "in" | "here" | "at");
    let long = clause
        .iter()
        .any(|word| words!("years ages decade decades forever months year yonks").contains(*word));
    // *I've been following a baker in Rome for years* tells where the baker is.
    let near = (2..=4).any(|back| {
        words!("years ages decade decades months year been lived living live here am are based settled home back stayed")
            .contains(sight.before(name.range.start, back))
    });
    let first = clause.windows(2).any(|pair| {
        pair[0] == "first" && matches!(pair[1], "week" | "night" | "day" | "month" | "morning" | "weekend")
    });
    let gone = sight.phrase(&["used", "to"])
        || clause.iter().any(|word| matches!(*word, "was" | "were" | "spent" | "ago"));
    place && (long && near || first && !sight.has_any(&TRAVEL)) && !gone
}

/// Words of business with a company that is not the employer.
static BUSINESS: Words = LazyLock::new(|| {
    "meeting client clients customer supplier sent emailed ordered delivered invoice refund released launched \
    announced shares stock parcel school phone app account subscription met called"
        .split_whitespace()
        .collect()
});

pub fn employer(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    let deals =
        sight.names.iter().filter(|name| matches!(name.sort, Sort::Company | Sort::Unknown)).any(|name| {
            let at = name.range.start;
            sight.clause(at).iter().any(|word| BUSINESS.contains(word)) && !sight.has_own_beside(at, &WORK)
        });
    // *I need a job at Google*, *I have a contract with Vodafone*
    let sought = (sight.phrase(&["not", "get"]) || sight.phrase(&["never", "got"]))
        && sight.has(&["job", "role", "position"])
        || sight.phrase(&["said", "no"])
        || sight.phrase(&["where", "i", "worked"])
        // *I switched from Lenovo to Dell for my laptop*
        || sight.has(&["switched", "changed"]) && sight.phrase(&["for", "my"])
        || sight.phrase(&["turned", "down"])
        || sight.phrase(&["turned", "it", "down"])
        || sight.has(&["need", "needs"]) && sight.has(&["job", "work", "role", "position"])
        || sight.phrase(&["a", "contract"]) && !sight.has(&["signed", "sign", "job"]);
    let once = !sight.is_mine() && sight.has(&["worked"]) && !sight.has(&["works", "now", "still"]);
    if deals || sought || once || sight.is_of_family {
        return Vec::new();
    }
    let current = names.held(&sight.subject, Kind::Employer, "");
    // *Boeing is cutting jobs* is news about the company.
    if sight.is_mine() && current.is_none() && !sight.says_me() && !sight.is_terse() {
        return Vec::new();
    }
    let by_name = sight.names.iter().any(|name| {
        name.sort == Sort::Company
            && matches!(
                (sight.before(name.range.start, 2), sight.before(name.range.start, 1)),
                ("am" | "are", "at" | "with")
                    | ("been", "at" | "with")
                    | ("day" | "week" | "month" | "shift" | "morning", "at" | "with")
            )
            && !sight.has(&["spent", "spend", "spending"])
    });
    let hours = sight.has(&["hours", "days"]) && sight.phrase(&["a", "week"]);
    // *My coworker Darnell*: neither the word nor the name tells where Darnell works.
    let of_work = |word: &&str| {
        WORK.contains(word)
            && (sight.is_mine() || lexicon::relation(word).is_none() && !word.starts_with("cowork"))
    };
    let topic = sight.speaks_of(&WORK) && sight.words.iter().any(of_work)
        || by_name
        || hours
        || sight.phrase(&["nine", "to", "five"]);
    let spoken_of = current
        .as_deref()
        .is_some_and(|current| sight.names.iter().any(|name| name.text.eq_ignore_ascii_case(current)));
    let home = names.held(&sight.subject, Kind::Home, "");
    let fits = |name: &Name| match name.sort {
        Sort::Company => {
            let before = sight.before(name.range.start, 1);
            // *My Tesla would not start*
            let car = lexicon::is_make(sight.word(name.range.start))
                && (matches!(before, "a" | "my" | "our")
                    || sight.has(&["car", "drive", "driving", "vehicle"]));
            if car && !spoken_of {
                return false;
            }
            // *A podcast on Spotify*, *I paid with PayPal*, *a Dell*: the user of a product does not work for its
            // maker.
            let used = matches!(before, "against" | "on" | "a" | "an" | "via" | "using" | "my")
                || before == "with" && sight.has(&["paid", "pay", "ordered", "bought"]);
            name.is_left || !used && (before != "of" || sight.before(name.range.start, 2) == "payroll")
        }
        Sort::Unknown if is_somebody(sight, name) => false,
        Sort::Vehicle
            if matches!(sight.before(name.range.start, 1), "a" | "my" | "our" | "the" | "," | ":") =>
        {
            false
        }
        Sort::Unknown | Sort::Vehicle => {
            let before = sight.before(name.range.start, 1);
            // *I've started a podcast with Jen*
            let among = before == "with"
                && !words!("job work working works worked signed contract role staff")
                    .iter()
                    .any(|word| sight.words.contains(word));
            let stands = !among && words!("at for with by from joined is left quit").contains(before)
                || before == "to" && (sight.is_change || spoken_of)
                || before == "a" && matches!(sight.word(name.range.end), "employee" | "worker" | "staffer")
                || before == "the"
                    && matches!(sight.word(name.range.end), "office" | "team" | "payroll" | "factory");
            let leads = name.range.start == 0
                || words!(", and that so but hi hello : now").contains(before)
                || lexicon::is_weekday(before)
                || verbs::lemma(sight.word(name.range.end)).is_some() && sight.has(&["me", "my"]);
            (topic || spoken_of)
                && (stands || leads)
                && home.as_deref() != Some(name.text.as_str())
                && (before != "in" && before != "to" || current.is_some())
        }
        Sort::Place => {
            // A city is no employer, apart from names such as `the Boston Consulting office`.
            false
        }
        _ => false,
    };
    let terse =
        sight.is_terse() && sight.has_any(words!("job employer employee hired working started quit work"));
    let fits = |name: &Name| fits(name) || terse && is_noted(sight, name) && !is_somebody(sight, name);
    let phrases =
        Phrases { kind: Kind::Employer, now: "works at", then: "worked at", gone: "no longer works at" };
    settle(sight, current.as_deref(), (topic, terse), fits, &phrases)
}

/// Returns true if a name is the subject of a note: *new job! Kestrel*, but not *started reading Dune*.
fn is_noted(sight: &Sight<'_>, name: &Name) -> bool {
    let before = sight.before(name.range.start, 1);
    name.sort == Sort::Unknown
        && !sight
            .words
            .iter()
            .any(|word| lexicon::animal(word).is_some() || lexicon::relation(word).is_some())
        && (matches!(
            before,
            "" | ":" | "," | "!" | "." | ">" | "→" | "=" | "in" | "into" | "at" | "for" | "by" | "now" | "a"
        ) || name.range.start == 0)
}

/// Returns true if a name belongs to a person or an animal, or is no name at all.
pub fn is_somebody(sight: &Sight<'_>, name: &Name) -> bool {
    let written = sight.tokens.get(name.range.start).is_some_and(|token| token.is_capital);
    let low = sight.word(name.range.start);
    let another = lexicon::is_given_name(low)
        || lexicon::is_language(low)
        || lexicon::is_likeable(low)
        || lexicon::is_allergen(low);
    // *My boss, Priscilla,*, *Abena's things*
    let beside = sight.before(name.range.start, 1) == ","
        && (lexicon::relation(sight.before(name.range.start, 2)).is_some()
            || lexicon::is_occupation(&[sight.before(name.range.start, 2)]));
    another
        || beside
        || sight.word(name.range.end) == "'s" && verbs::lemma(sight.word(name.range.end + 1)).is_none()
        || name.text.contains('&')
        || !written
        || sight.words.iter().any(|word| lexicon::animal(word).is_some())
}

/// Returns true if a name is said to be current in a sentence about the distant past.
fn is_today(sight: &Sight<'_>, name: &Name) -> bool {
    let clause = sight.clause(name.range.start);
    clause.contains(&"now") && !sight.phrase(&["ago", "now"]) || sight.phrase(&["these", "days"])
}

struct Phrases {
    kind: Kind,
    now: &'static str,
    then: &'static str,
    gone: &'static str,
}

/// Determines which of the matching names is current and which was left.
fn settle(
    sight: &Sight<'_>,
    current: Option<&str>,
    (topic, terse): (bool, bool),
    fits: impl Fn(&Name) -> bool,
    phrases: &Phrases,
) -> Vec<Told> {
    let mut fitting: Vec<&Name> = sight.names.iter().filter(|name| fits(name)).collect();
    // If a friend is named, only names in a clause with *I* or next to a *my* are the user's.
    if sight.is_mine() && sight.names_another {
        fitting.retain(|name| {
            let clause = sight.clause(name.range.start);
            let at = name.range.start;
            let own = clause.iter().any(|word| matches!(*word, "i" | "we"))
                || sight.has_own_beside(at, &WORK)
                || sight.has_own_beside(at, &DWELLING);
            own && !clause.iter().any(|word| lexicon::is_given_name(word))
        });
    }
    if !sight.is_mine() {
        fitting.retain(|name| sight.is_theirs(name.range.start));
    }
    // *Tom lost his job at Lego* only names what has ended.
    if !sight.is_mine() && current.is_none() && fitting.len() == 1 && sight.says_over() {
        return Vec::new();
    }
    // Known cities and companies take precedence over names that only may be one.
    let is_current = |name: &Name| current.is_some_and(|current| current.eq_ignore_ascii_case(&name.text));
    if fitting.iter().any(|name| name.sort != Sort::Unknown && !name.is_left && !is_current(name)) {
        fitting.retain(|name| name.sort != Sort::Unknown);
    }
    let mentions_current = fitting.iter().any(|name| is_current(name));
    let slot = Slot::new(phrases.kind);
    let make = |value: &str, says: &str| {
        Draft::new(FactCategory::Personal, slot.clone(), value, format!("{says} {value}"))
            .important(0.75)
            .of(&sight.subject)
    };
    let new: Vec<&&Name> = fitting.iter().filter(|name| !name.is_left && !is_current(name)).collect();
    let left =
        fitting.iter().find(|name| name.is_left).or_else(|| fitting.iter().find(|name| is_current(name)));
    // A name next to the current value needs a sign of change; any other needs words about the slot.
    let leaves = fitting.iter().any(|name| is_current(name) && name.is_left);
    let tells = topic || mentions_current && (sight.is_change || leaves);
    // Chat messages often omit the subject: *Moved to Rome*, *no more Lyon*.
    let opens = sight.words.iter().find(|word| word.chars().all(char::is_alphabetic)).is_some_and(|word| {
        verbs::lemma(word).is_some_and(|(_, form)| form != Form::Third)
            || matches!(*word, "finally" | "new" | "just" | "no")
    });
    let opens = opens && (sight.is_change || current.is_none());
    let names_home = sight.phrase(&["been", "home"])
        || sight.phrase(&["is", "home"])
        || sight.words.contains(&"resident") && !sight.has(&["the", "a"]);
    let spoken = sight.says_me() || !sight.is_mine() || leaves || terse || opens || names_home;
    if let [name] = new.as_slice()
        && tells
        && spoken
        && (!sight.is_long_ago || is_today(sight, name))
    {
        let draft = make(&name.text, phrases.now).sure(0.65);
        let changes = sight.is_change || left.is_some();
        if !changes {
            return vec![Told::new(draft)];
        }
        let mut found = vec![Told::changed(draft.replacing(left.map(|left| left.text.clone())))];
        if let Some(left) = left.filter(|left| !is_current(left) && left.text != name.text) {
            found.push(Told::new(make(&left.text, phrases.then).gave_way().sure(0.6)));
        }
        return found;
    }
    // The current value has ended and nothing else is clear: having no value is better than keeping the old one.
    if new.is_empty()
        && let Some(name) = fitting.iter().find(|name| is_current(name) && name.is_left)
        && (topic || sight.is_change)
        && !sight.is_long_ago
    {
        return vec![Told::new(make(&name.text, phrases.gone).ended().sure(0.6))];
    }
    Vec::new()
}
