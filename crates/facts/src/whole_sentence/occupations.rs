//! Occupations, recognised by their name and a word of working next to it.

use std::sync::LazyLock;

use protocol::FactCategory;

use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::names::KnownNames;
use crate::rules::{FactDraft, wordings};
use crate::slot::{FactSlot, SlotKind};
use crate::verbs;
use crate::wordlists::WordList;

static WORKING: WordList = LazyLock::new(|| {
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

pub fn job(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let mine = view.says_me() || view.is_terse() || view.has(&["promoted", "promotion"]);
    let working = view.has_any(&WORKING)
        || view.phrase(&["made", "me"])
        || view.phrase(&["i", "am"])
        || view.phrase(&["been", "a"])
        || view.phrase(&["been", "an"])
        || view.phrase(&["guess", "who"])
        || view.has(BEING);
    // *They offered me manager and I said no*, *I study to be a vet*
    let refused =
        [&["study", "to", "be"], &["studying", "to", "be"], &["training", "to", "be"], &["want", "to", "be"]]
            .into_iter()
            .any(|phrase| view.phrase(phrase))
            || view.phrase(&["said", "no"])
            || view.phrase(&["turned", "it", "down"]);
    if !mine || refused || !working || view.is_of_family || !view.is_mine() {
        return Vec::new();
    }
    let heads: Vec<usize> = view
        .words
        .iter()
        .enumerate()
        .filter(|(at, word)| lexicon::is_occupation(&[word]) && !lexicon::is_occupation(&[view.word(at + 1)]))
        .map(|(at, _)| at)
        .collect();
    let [head] = heads.as_slice() else { return Vec::new() };
    if matches!(view.words[*head], "owner" | "partner" | "social" | "sales" | "guide" | "captain") {
        return Vec::new();
    }
    let start = (0..*head)
        .rev()
        .take(2)
        .take_while(|at| {
            let word = view.words[*at];
            !is_function_word(word)
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
    let clause = view.clause(*head);
    let until = clause.iter().position(|word| *word == view.words[*head]).unwrap_or(clause.len());
    let denied = clause[..until].iter().any(|word| {
        words!(
            "not never need called hate no saw see met pretended pretend want wanted would learning \
            training studying worst best said"
        )
        .contains(*word)
    });
    // *We've a new priest*
    let is_ours = view.phrase(&["we", "have", "a", "new"]) || view.phrase(&["we", "got", "a", "new"]);
    let denied = denied || is_ours;
    let article = usize::from(matches!(view.before(start, 1), "a" | "an" | "the"));
    let owner = view.before(start - article, 1);
    // *I'm seeing a therapist*, *I paid a plumber*: dealing with a professional does not mean being one.
    let does = verbs::lemma(owner).is_some() && !BEING.contains(&owner);
    let is_being = BEING.contains(&owner) || !does && BEING.contains(&view.before(start - article, 2));
    let does = does && article == 1 && view.before(start, 1) != "the";
    // *The nurse was kind* is about another person, unless it names a position: *I got the head nurse position*.
    let another = view.before(start, 1) == "the"
        && !is_being
        && !matches!(view.word(head + 1), "position" | "role" | "job" | "post" | "gig");
    if denied
        || does
        || another
        || words!("my our his her with by from for at").contains(owner)
        || view.word(head + 1) == "'s"
        || !(is_being || view.has_any(&WORKING))
    {
        return Vec::new();
    }
    let title = view.words[start..=*head].join(" ");
    let article = wordings::article(&title);
    let draft = FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Job),
        title.clone(),
        format!("works as {article} {title}"),
    )
    .important(0.75)
    .sure(0.65);
    vec![if view.is_change { SentenceDraft::changed(draft) } else { SentenceDraft::new(draft) }]
}
