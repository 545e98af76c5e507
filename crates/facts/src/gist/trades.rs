//! Occupations, recognised by their name and a word of working next to it.

use std::sync::LazyLock;

use protocol::FactCategory;

use super::Told;
use super::sight::Sight;
use crate::lexicon;
use crate::names::Names;
use crate::rules::{Draft, says};
use crate::slot::{Kind, Slot};
use crate::subject::is_function;
use crate::verbs;
use crate::wordlists::Words;

static WORKING: Words = LazyLock::new(|| {
    "job promotion promoted title role position card pay pays paid profession career living trained \
    appointed bumped occupation trade badge contract qualified upgraded climbed stepped named work \
    working employed hired promote nameplate linkedin desk boss raise ladder money practise practice \
    earn earning capacity qualifications employer colleagues patients office shift shifts door headaches \
    college"
        .split_whitespace()
        .collect()
});

/// Words directly before an occupation.
const BEING: &[&str] = &["as", "being", "become", "became", "am", "be", "me", "new", "officially"];

pub fn job(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let mine = sight.says_me() || sight.is_terse() || sight.has(&["promoted", "promotion"]);
    let working = sight.has_any(&WORKING)
        || sight.phrase(&["made", "me"])
        || sight.phrase(&["i", "am"])
        || sight.phrase(&["been", "a"])
        || sight.phrase(&["been", "an"])
        || sight.phrase(&["guess", "who"])
        || sight.has(BEING);
    // *They offered me manager and I said no*, *I study to be a vet*
    let refused =
        [&["study", "to", "be"], &["studying", "to", "be"], &["training", "to", "be"], &["want", "to", "be"]]
            .into_iter()
            .any(|phrase| sight.phrase(phrase))
            || sight.phrase(&["said", "no"])
            || sight.phrase(&["turned", "it", "down"]);
    if !mine || refused || !working || sight.is_of_family || !sight.is_mine() {
        return Vec::new();
    }
    let heads: Vec<usize> = sight
        .words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            lexicon::is_occupation(&[word]) && !lexicon::is_occupation(&[sight.word(at + 1)])
        })
        .map(|(at, _)| at)
        .collect();
    let [head] = heads.as_slice() else { return Vec::new() };
    if matches!(sight.words[*head], "owner" | "partner" | "social" | "sales" | "guide" | "captain") {
        return Vec::new();
    }
    let start = (0..*head)
        .rev()
        .take(2)
        .take_while(|at| {
            let word = sight.words[*at];
            !is_function(word)
                && (verbs::lemma(word).is_none() || matches!(word, "lead" | "head"))
                && !words!(
                    "a an the my our as new me : , am i to of job role now promotion ! . ? is position title \
                    it officially proud"
                )
                .contains(word)
        })
        .last()
        .unwrap_or(*head);
    // *I'm no nurse*, *I need an electrician*
    let clause = sight.clause(*head);
    let until = clause.iter().position(|word| *word == sight.words[*head]).unwrap_or(clause.len());
    let denied = clause[..until].iter().any(|word| {
        words!(
            "not never need called hate no saw see met pretended pretend want wanted would learning \
            training studying worst best said"
        )
        .contains(*word)
    });
    // *We've a new priest*
    let is_ours = sight.phrase(&["we", "have", "a", "new"]) || sight.phrase(&["we", "got", "a", "new"]);
    let denied = denied || is_ours;
    let article = usize::from(matches!(sight.before(start, 1), "a" | "an" | "the"));
    let owner = sight.before(start - article, 1);
    // *I'm seeing a therapist*, *I paid a plumber*: dealing with a professional does not mean being one.
    let does = verbs::lemma(owner).is_some() && !BEING.contains(&owner);
    let is_being = BEING.contains(&owner) || !does && BEING.contains(&sight.before(start - article, 2));
    let does = does && article == 1 && sight.before(start, 1) != "the";
    // *The nurse was kind* is about another person, unless it names a position: *I got the head nurse position*.
    let another = sight.before(start, 1) == "the"
        && !is_being
        && !matches!(sight.word(head + 1), "position" | "role" | "job" | "post" | "gig");
    if denied
        || does
        || another
        || words!("my our his her with by from for at").contains(owner)
        || sight.word(head + 1) == "'s"
        || !(is_being || sight.has_any(&WORKING))
    {
        return Vec::new();
    }
    let title = sight.words[start..=*head].join(" ");
    let article = says::article(&title);
    let draft = Draft::new(
        FactCategory::Personal,
        Slot::new(Kind::Job),
        title.clone(),
        format!("works as {article} {title}"),
    )
    .important(0.75)
    .sure(0.65);
    vec![if sight.is_change { Told::changed(draft) } else { Told::new(draft) }]
}
