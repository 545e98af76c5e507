//! Finds the slots that would answer a question.

use text::terms;

use super::likes::tastes;
use super::wanted_slot::WantedSlot;
use crate::lexicon;
use crate::names::split_subject;
use crate::slot::SlotKind;

/// Returns the slots that would answer the question, by its phrasing.
pub(super) fn wanted(low: &[&str], subject: &str) -> Vec<WantedSlot> {
    let has = |list: &[&str]| low.iter().any(|word| list.contains(word));
    let phrase = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let mut found: Vec<WantedSlot> = Vec::new();
    let mut want = |kind: SlotKind, of: &str, weight: f32| {
        found.push(WantedSlot { kind, of: of.to_owned(), weight, value: "" });
    };
    let named = has(&["name", "named", "called", "call", "who", "names", "calling", "goes", "answer"]);
    let animal = low
        .iter()
        .find_map(|word| lexicon::animal(word))
        .or_else(|| phrase(&["guinea", "pig"]).then_some("guinea pig"));
    let subject_is_relation =
        !subject.is_empty() && split_subject(subject).is_some_and(|(what, _)| !what.is_empty());
    if let Some(kind) = animal {
        let kind = if kind == "pet" { "" } else { kind };
        let other = has(&["old", "age", "breed", "eat", "birthday", "vet", "weigh"]) && !named;
        if !other {
            want(SlotKind::Pet, kind, 1.0);
            return found;
        }
    } else if has(&["animals", "animal"]) {
        want(SlotKind::Pet, "", 0.9);
    }
    let employs = has(&["employs", "employed", "employ", "pays", "hired"]);
    if subject_is_relation
        && !employs
        && (named
            && !has(&[
                "work", "live", "lives", "works", "working", "living", "dog", "cat", "job", "employer",
                "company", "home", "city", "firm",
            ])
            || phrase(&["who", "is"])
                && !has(&["working", "living", "for", "with", "employer", "firm", "company"])
            || phrase(&["who", "'s"]) && !has(&["employer", "company", "boss", "firm", "home", "city"]))
    {
        let what = split_subject(subject).map_or("", |(what, _)| what);
        found.push(WantedSlot { kind: SlotKind::Relative, of: what.to_owned(), weight: 1.0, value: "" });
        if matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé") {
            for what in ["partner", "girlfriend", "boyfriend", "wife", "husband", "fiancé"] {
                found.push(WantedSlot {
                    kind: SlotKind::Relative,
                    of: what.to_owned(),
                    weight: 0.95,
                    value: "",
                });
            }
        }
        return found;
    }
    let mut want = |kind: SlotKind, of: &str, weight: f32| {
        found.push(WantedSlot { kind, of: of.to_owned(), weight, value: "" });
    };
    if has(&["dating", "girlfriend", "boyfriend", "wife", "husband", "spouse", "partner"])
        && subject.is_empty()
        || phrase(&["married", "to"])
        || phrase(&["together", "with"])
        || phrase(&["who", "am", "i", "with"])
        || phrase(&["who", "am", "i", "seeing"])
    {
        for what in ["partner", "girlfriend", "boyfriend", "wife", "husband", "fiancé"] {
            want(SlotKind::Relative, what, 1.0);
        }
        want(SlotKind::Bond, "", 0.2);
    } else if has(&["relationship"]) && has(&["who", "whom", "person", "name"]) && subject.is_empty() {
        for what in ["partner", "girlfriend", "boyfriend", "wife", "husband", "fiancé"] {
            want(SlotKind::Relative, what, 1.0);
        }
    } else if has(&["married", "single", "relationship", "engaged", "divorced", "marital"]) {
        want(SlotKind::Bond, "", 1.0);
    }
    if let Some(at) = low.iter().position(|word| matches!(*word, "favourite" | "preferred")) {
        let of: Vec<&str> = low[at + 1..]
            .iter()
            .copied()
            .take_while(|word| {
                !words!(
                    "is was these now right at do did i of in for today currently again am 's to before \
                    would nowadays lately then used that my me"
                )
                .contains(*word)
            })
            .collect();
        let of = of.join(" ");
        let of = of.trim_start_matches("kind of ").trim_start_matches("type of ");
        let topic = terms(of).join(" ");
        if !topic.is_empty() {
            want(SlotKind::Favourite, &topic, 1.0);
            want(SlotKind::Property, &format!("preferred {of}"), 0.9);
            return found;
        }
        // `which colour was my favourite`
        if let Some(noun) = low
            .iter()
            .position(|word| matches!(*word, "which" | "what"))
            .and_then(|at| low.get(at + 1))
            .filter(|noun| !matches!(**noun, "is" | "was" | "are" | "do" | "did"))
        {
            want(SlotKind::Favourite, &terms(noun).join(" "), 1.0);
            return found;
        }
    }
    // `which film do I like best`
    if has(&["best", "most"])
        && has(&["like", "love", "enjoy", "prefer"])
        && let Some(at) = low
            .iter()
            .enumerate()
            .filter(|(_, word)| matches!(**word, "which" | "what" | "the"))
            .map(|(at, _)| at)
            .find(|at| {
                !matches!(
                    low.get(at + 1).copied(),
                    None | Some("do" | "does" | "did" | "i" | "is" | "'s" | "the" | "most" | "best")
                )
            })
    {
        let of: Vec<&str> = low[at + 1..]
            .iter()
            .copied()
            .take_while(|word| !matches!(*word, "do" | "does" | "did" | "i"))
            .filter(|word| !matches!(*word, "kind" | "type" | "sort" | "of"))
            .collect();
        let of = of.join(" ");
        want(SlotKind::Favourite, &terms(&of).join(" "), 1.0);
        return found;
    }
    if let Some(of) = property(low) {
        want(SlotKind::Property, &of, 1.0);
        return found;
    }
    home_and_work(low, !subject.is_empty(), &mut found);
    self_words(low, &mut found);
    tastes(low, &mut found);
    found
}

/// Returns a property that no other slot covers: *which blood type do I have*, *the number on my front door*.
fn property(low: &[&str]) -> Option<String> {
    let phrase = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let measures = low.windows(2).find(|pair| {
        matches!(pair, ["blood", "type" | "group"] | ["shoe" | "ring" | "hat" | "dress" | "collar", "size"])
            || matches!(
                pair,
                ["phone" | "passport" | "house" | "door" | "locker" | "account" | "insurance", "number"]
                    | ["locker" | "door" | "gate" | "alarm" | "pin", "code"]
            )
    });
    if phrase(&["number", "on", "my"]) {
        return Some("number".to_owned());
    }
    measures.map(|pair| terms(&pair.join(" ")).join(" "))
}

fn home_and_work(low: &[&str], of_somebody: bool, found: &mut Vec<WantedSlot>) {
    let has = |list: &[&str]| low.iter().any(|word| list.contains(word));
    let phrase = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let mut want = |kind: SlotKind, of: &str, weight: f32| {
        found.push(WantedSlot { kind, of: of.to_owned(), weight, value: "" });
    };
    let place = has(&[
        "where",
        "city",
        "town",
        "country",
        "place",
        "neighbourhood",
        "whereabouts",
        "which",
        "address",
        "village",
        "what",
        "location",
    ]);
    let work = has(&[
        "work",
        "working",
        "employer",
        "employed",
        "company",
        "job",
        "works",
        "worked",
        "office",
        "employ",
        "employs",
        "workplace",
        "earning",
        "firm",
        "paycheck",
        "salary",
        "payroll",
        "boss's",
        "employers",
        "jobs",
    ]);
    let travelling =
        has(&["trip", "travel", "travelling", "holiday", "vacation", "fly", "flying", "flight", "visit"]);
    // *How should you address me?*
    if phrase(&["address", "me"]) {
        return;
    }
    if phrase(&["live", "with"])
        || phrase(&["living", "with"])
        || phrase(&["lives", "with"])
        || phrase(&["share", "a", "flat"])
        || has(&["roommate", "flatmate", "housemates"])
    {
        want(SlotKind::Household, "", 1.0);
        return;
    }
    if phrase(&["grow", "up"])
        || phrase(&["grew", "up"])
        || phrase(&["come", "from"])
        || phrase(&["i", "from"])
        || phrase(&["from", "originally"])
        || has(&["hometown", "birthplace", "raised"])
        || has(&["where"])
            && has(&["born", "from"])
            && !has(&["move", "moved", "moving", "away", "leave", "before"])
        || phrase(&["comes", "from"])
        || low.last() == Some(&"from") && !has(&["move", "moved", "moving", "leave", "relocate", "relocated"])
    {
        want(SlotKind::Origin, "", 1.0);
        want(SlotKind::Nationality, "", 0.5);
        return;
    }
    if phrase(&["earn", "my"])
        || phrase(&["make", "my", "living"])
        || phrase(&["make", "a", "living"])
        || phrase(&["line", "of", "work"])
        || phrase(&["make", "money"])
    {
        want(SlotKind::Job, "", 1.0);
        want(SlotKind::Employer, "", 0.7);
        return;
    }
    if has(&["postcard", "parcel"]) {
        want(SlotKind::Home, "", 1.0);
        return;
    }
    if work && !phrase(&["work", "out"]) {
        let title = has(&["title", "profession", "occupation", "role", "position", "career", "capacity"])
            || phrase(&["what", "is", "my", "job"])
            || phrase(&["what", "my", "job"])
            || phrase(&["what", "was", "my", "job"])
            || phrase(&["as", "what"])
            || low.last() == Some(&"as")
            || phrase(&["work", "as"])
            || phrase(&["working", "as"])
            || phrase(&["for", "work"])
            || phrase(&["what", "kind", "of", "work"])
            || phrase(&["what", "work"])
            || phrase(&["what", "job"])
            || phrase(&["do", "at", "work"]);
        let title = title && !has(&["company", "firm"]);
        want(SlotKind::Employer, "", if title { 0.6 } else { 1.0 });
        // A job does not answer *Which company was I with?*
        if !has(&["company", "firm", "employer", "employed"]) {
            want(SlotKind::Job, "", if title { 1.0 } else { 0.7 });
        }
        return;
    }
    if has(&["profession", "occupation", "career", "role", "position"])
        || phrase(&["for", "a", "living"])
        || phrase(&["do", "for", "money"])
        || phrase(&["pay", "the", "bills"])
        || phrase(&["pays", "the", "bills"])
        || phrase(&["pays", "me"])
        || phrase(&["paying", "me"])
    {
        let whom = phrase(&["pays", "me"]) || phrase(&["paying", "me"]);
        want(SlotKind::Job, "", if whom { 0.6 } else { 1.0 });
        want(SlotKind::Employer, "", if whom { 1.0 } else { 0.6 });
        return;
    }
    if has(&["study", "studying", "studied", "university", "college", "degree", "major", "studies"]) {
        want(SlotKind::Study, "", 1.0);
        return;
    }
    let dwelling = has(&[
        "live",
        "living",
        "home",
        "based",
        "reside",
        "residing",
        "settled",
        "house",
        "flat",
        "apartment",
        "lives",
        "lived",
        "address",
        "moved",
        "move",
        "located",
        "dwelling",
        "resident",
        "residence",
        "settle",
        "staying",
        "stay",
        "base",
        "housed",
        "roots",
    ]);
    if place && dwelling && (!travelling || has(&["home", "live", "lives"]))
        || has(&["address", "residence"])
        || phrase(&["what", "city"])
        || phrase(&["which", "city"])
        || phrase(&["what", "town"])
        || phrase(&["which", "town"])
        || phrase(&["what", "country"])
        || phrase(&["which", "country"])
        || phrase(&["my", "home"])
        || phrase(&["am", "i", "living"])
        || phrase(&["do", "i", "live"])
        || phrase(&["did", "i", "live"])
        || phrase(&["my", "city"])
        || phrase(&["my", "current", "city"])
        || phrase(&["current", "home"])
        || phrase(&["current", "town"])
        || phrase(&["current", "address"])
        || phrase(&["home", "town"]) && !has(&["born"])
        || phrase(&["hang", "my", "hat"])
        || phrase(&["my", "house"])
        || phrase(&["my", "flat"])
        || phrase(&["my", "apartment"])
    {
        want(SlotKind::Home, "", 1.0);
        want(SlotKind::Whereabouts, "", 0.4);
        return;
    }
    if phrase(&["where", "was", "i"]) {
        want(SlotKind::Home, "", 1.0);
        want(SlotKind::Whereabouts, "", 0.5);
    }
    // *Where is Anna?*, but not *where is my umbrella?*
    if phrase(&["where", "am", "i"]) || phrase(&["where", "is"]) && low.len() <= 5 && of_somebody {
        want(SlotKind::Whereabouts, "", 1.0);
        want(SlotKind::Home, "", 0.8);
    }
    if travelling || has(&["appointment", "plans", "plan", "schedule"]) {
        want(SlotKind::Plan, "", 0.6);
    } else if has(&["meeting", "exam", "wedding", "party", "interview"]) {
        // A plan with its own name; a low weight, so that other appointments do not answer.
        want(SlotKind::Plan, "", 0.45);
    }
}

fn self_words(low: &[&str], found: &mut Vec<WantedSlot>) {
    let has = |list: &[&str]| low.iter().any(|word| list.contains(word));
    let phrase = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let mut want = |kind: SlotKind, of: &str, weight: f32| {
        found.push(WantedSlot { kind, of: of.to_owned(), weight, value: "" });
    };
    if matches!(low, ["what", "do" | "did" | "does", _, "do"])
        || phrase(&["do", "all", "day"])
        || has(&["professionally"])
        || phrase(&["what", "work", "do"])
    {
        want(SlotKind::Job, "", 1.0);
        want(SlotKind::Employer, "", 0.6);
    }
    if phrase(&["get", "up"]) || phrase(&["wake", "up"]) || phrase(&["got", "up"]) {
        want(SlotKind::Habit, "at get up", 1.0);
    }
    if phrase(&["to", "bed"]) || phrase(&["to", "sleep"]) {
        want(SlotKind::Habit, "at bed", 1.0);
    }
    if phrase(&["want", "to"])
        || phrase(&["hope", "to"])
        || phrase(&["plan", "to"])
        || phrase(&["saving", "for"])
        || phrase(&["training", "for"])
    {
        want(SlotKind::Goal, "", 1.0);
        want(SlotKind::Plan, "", 0.8);
    }
    if has(&["avoid"])
        || phrase(&["can", "not", "eat"])
        || phrase(&["not", "eat"])
        || phrase(&["must", "not"])
    {
        want(SlotKind::Allergy, "", 1.0);
        want(SlotKind::Diet, "", 0.8);
    }
    if phrase(&["how", "old"]) || has(&["age"]) {
        want(SlotKind::Age, "", 1.0);
        want(SlotKind::Birthday, "", 0.6);
    }
    if has(&["birthday"]) || has(&["when", "date", "year"]) && has(&["born"]) {
        want(SlotKind::Birthday, "", 1.0);
    }
    if phrase(&["my", "name"])
        || phrase(&["am", "i", "called"])
        || phrase(&["who", "am", "i"])
            && low.len() <= 4
            && !has(&["dating", "seeing", "with", "marrying", "married", "engaged"])
        || phrase(&["call", "me"])
        || phrase(&["address", "me"])
        || has(&["nickname"])
    {
        let nick = has(&["nickname", "call", "address", "go"]);
        want(SlotKind::Name, "", if nick { 0.7 } else { 1.0 });
        want(SlotKind::Nickname, "", if nick { 1.0 } else { 0.7 });
    }
    if has(&["allergic", "allergy", "allergies", "intolerant", "intolerance", "intolerances"]) {
        want(SlotKind::Allergy, "", 1.0);
    }
    if has(&["vegan", "vegetarian", "diet", "veggie", "pescatarian", "dietary", "meat"]) {
        want(SlotKind::Diet, "", 1.0);
        want(SlotKind::Allergy, "", 0.4);
    }
    if has(&["condition", "illness", "health", "sick", "diagnosed", "disease", "ill", "medical", "ailment"]) {
        want(SlotKind::Condition, "", 1.0);
        want(SlotKind::Allergy, "", 0.5);
    }
    if has(&["nationality", "citizen", "citizenship"]) {
        want(SlotKind::Nationality, "", 1.0);
        want(SlotKind::Origin, "", 0.5);
    }
    if has(&["languages", "language", "speak", "fluent"]) {
        want(SlotKind::Language, "", 1.0);
    }
    if has(&["learning", "learn"]) {
        want(SlotKind::Language, "", 0.9);
        want(SlotKind::Skill, "", 0.8);
    }
    if has(&["instrument", "instruments"]) {
        want(SlotKind::Skill, "", 0.8);
    }
    if has(&["goal", "goals", "dream", "dreams", "ambition", "ambitions", "aspire", "resolution"]) {
        want(SlotKind::Goal, "", 1.0);
    }
    if has(&["drive", "car", "vehicle", "driving", "drove"]) {
        want(SlotKind::Thing, "car", 1.0);
    } else if let Some(kind) = low.iter().find_map(|word| lexicon::thing(word)) {
        want(SlotKind::Thing, kind, 1.0);
    }
}
