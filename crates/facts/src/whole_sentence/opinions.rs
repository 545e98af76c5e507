//! Determines whether the user likes a thing, from the words around it.

use std::ops::Range;
use std::sync::LazyLock;

use text::terms;

use super::feeling::{self, feeling};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use super::thing_patterns::{ThingPatterns, anything, matches_of, thing_patterns};
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::names::KnownNames;
use crate::rules;
use crate::slot::SlotKind;
use crate::verbs;

/// The maximum number of words of a sentence that is about the thing in it, and of one that need not mention the user.
const LONGEST: usize = 26;
const SHORT: usize = 10;

pub fn opinion(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() || view.is_of_family {
        return Vec::new();
    }
    // *Everybody but me likes football*, *I barely like cheese*
    let others = ["but me", "except me", "except for me", "apart from me"]
        .iter()
        .any(|phrase| view.phrase(&phrase.split(' ').collect::<Vec<_>>()));
    if others || view.has(&["barely", "scarcely"]) {
        return Vec::new();
    }
    let Some(range) = thing(view, names) else { return Vec::new() };
    // Eating something today or wanting to try it does not mean liking it.
    let clause = view.clause(range.start);
    let once = clause.iter().any(|word| {
        words!("tonight dinner lunch yesterday today ate cooked should might maybe").contains(*word)
    }) || clause.windows(3).any(|window| {
        window[0] == "would"
            && matches!(window[1], "love" | "like")
            && matches!(window[2], "to" | "some" | "a")
    });
    if once && !view.has(&["thought", "count"]) {
        return Vec::new();
    }
    let text = view.words[range.clone()].join(" ");
    let known = names.current_value("", SlotKind::Taste, &rules::topic(&text));
    // *It tasted like cardboard* does not express a liking.
    let compares = view.words.windows(2).any(|pair| {
        pair[1] == "like"
            && words!("tasted tastes taste looks looked sounds sounded smells felt feels").contains(pair[0])
    });
    let is_end = |word: &&str| matches!(*word, "." | "!" | "?");
    let from = view.words[..range.start].iter().rposition(is_end).map_or(0, |at| at + 1);
    let to = view.words[range.end..].iter().position(is_end).map_or(view.words.len(), |at| range.end + at);
    // A thing mentioned in a long story, or in another person's, is not its subject.
    let aside = view.words.len() > LONGEST || !view.has(&["i", "me", "we", "us"]) && view.words.len() > SHORT;
    // A feeling in another sentence is about this thing only if that sentence refers to it.
    let rest = || view.words[..from].iter().chain(&view.words[to..]);
    let speaks_on = to - from <= 4
        || rest().any(|word| matches!(*word, "it" | "them" | "they" | "that" | "this"))
        || ["thought", "idea", "mention"]
            .iter()
            .any(|noun| view.phrase(&["the", "very", noun]) || view.phrase(&["the", "mere", noun]));
    let apart = rest().any(|word| word.starts_with(char::is_alphabetic)) && !speaks_on;
    if known.is_none() && (compares || aside || apart) {
        return Vec::new();
    }
    let Some(likes) = feeling(view, &range) else {
        // Something changed but it is unclear what: having no value is better than keeping an outdated one.
        return match known.as_deref() {
            Some(known) if turns_away(view) && view.says_me() && view.names.is_empty() => {
                vec![SentenceDraft::new(rules::taste(&text, known == "likes").ended().sure(0.55))]
            }
            _ => Vec::new(),
        };
    };
    let held = if likes { "likes" } else { "dislikes" };
    let draft = rules::taste(&text, likes).sure(0.65);
    vec![match known.as_deref() {
        Some(known) if known == held => return Vec::new(),
        Some(_) => SentenceDraft::changed(draft),
        None => SentenceDraft::new(draft),
    }]
}

/// Returns true if the words tell of leaving something behind.
fn turns_away(view: &SentenceView<'_>) -> bool {
    view.has_any(words!(
        "changed anymore longer switched swapped traded replaced goodbye bye farewell left quit dropped gone stopped \
        ditched abandoned faded over done history formerly previously once"
    )) || ["used to", "any more", "no more", "given up", "gave up"]
        .iter()
        .any(|phrase| view.phrase(&phrase.split(' ').collect::<Vec<_>>()))
}

/// Returns true if the word before a thing makes it another thing: *hot dogs* are not dogs, and *blue cheese* is not
/// all cheese.
fn is_kind(before: &str) -> bool {
    before.len() > 2
        && before.chars().all(char::is_alphabetic)
        && !before.ends_with("ly")
        && !is_function_word(before)
        && !terms(before).is_empty()
        && verbs::lemma(before).is_none()
        && !words!(
            "good great fresh real proper own much many more most less least every any some such new old morning \
            daily usual beloved dear lovely damn bloody than like unlike without against towards into before after \
            between besides despite except during until while whenever once even either neither nor yet lately \
            sometimes anymore nowadays today again these those this that your his her our their my always never"
        )
        .contains(before)
}

/// Returns the thing that the sentence is about: one with a known taste, otherwise the first likeable thing.
fn thing(view: &SentenceView<'_>, names: &KnownNames) -> Option<Range<usize>> {
    let known = |length: usize| {
        view.words.windows(length).position(|window| {
            let ends = [window[0], window[window.len() - 1]];
            !ends.iter().any(|word| word.len() < 3 || terms(word).is_empty())
                && names.current_value("", SlotKind::Taste, &rules::topic(&window.join(" "))).is_some()
        })
    };
    if let Some((at, length)) = [3, 2, 1].into_iter().find_map(|length| known(length).map(|at| (at, length)))
    {
        let one = matches!(view.before(at, 1), "the" | "this" | "that" | "some" | "your")
            && view.has(&["was", "were", "last", "today"]);
        return (!one && !is_kind(view.before(at, 1))).then_some(at..at + length);
    }
    let Some(at) = view.words.iter().position(|word| lexicon::is_likeable(word)) else {
        return by_place(view);
    };
    let two = lexicon::is_likeable(view.word(at + 1));
    let end = at + 1 + usize::from(two);
    // *Honey buns* are not honey.
    let next = view.word(end);
    let another = next.len() > 3
        && next.ends_with('s')
        && next.chars().all(char::is_alphabetic)
        && verbs::lemma(next).is_none()
        && !is_function_word(next)
        && !words!("always sometimes these days mornings evenings tastes perhaps besides nowadays thanks")
            .contains(next);
    if another {
        return None;
    }
    let start = at - usize::from(at > 0 && lexicon::describes_likeable(view.words[at - 1]));
    // *The pizza was great* is about a single pizza.
    let is_one = |word: &str| words!("the this that some a your his her my").contains(word);
    if is_one(view.before(start, 1)) || is_one(view.before(start, 2)) && view.has(&["had", "was", "were"]) {
        return None;
    }
    Some(start..end)
}

/// Phrases that introduce a subject: *when it comes to pottery*, *I used to love pottery*.
static PLACES: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "i always|never|once|ever|have_always|have_never|have_ever like|liked|love|loved|enjoy|enjoyed|adore|adored|hate|hated|dislike|disliked|loathe|loathed|detest|detested|could_stand ~
        i used_to|can_not|could_not|could_never|do_not|did_not|would_not|did_not_use_to|- like|love|enjoy|adore|hate|dislike|loathe|detest|stand|bear|avoid ~
        of|for|from|stopped|started|than|always hating|loving|liking|disliking|avoiding|enjoying ~
        wrong|excuses to hate|dislike|love|avoid|hate_on ~
        a|big|not_a|no|proper|real|real_fan|devoted|massive|huge fan|enthusiast|lover|admirer of ~
        mad|crazy|wild|nuts|passionate|mind|wrong|words|said|back|moaning about ~
        i was about ~ ?
        am_into|really_into|so_into|been_into|was_into|got_into|not_into|super_into|always_into|keen_on|fond_of|partial_to|hooked_on|addicted_to|done_with|through_with|sick_of|tired_of|bored_of|bored_with ~
        when it comes to ~
        to_do with ~
        used_to run|run_away|hide from ~
        up|peace|overdid_it|overdoing_it|affair|enough_to_put_up|away_from_me_with with ~
        a_face|my_nose|nose|faces at ~
        make_fun|made_fun|the_mention|mere_mention|thought|people_get_out|people_see_in|enjoyment_out|at_all_out|way_from|opposite of|in ~
        appeal of|in ~
        my_life|live|do without ~
        anything|live_off_nothing but ~
        as_much_as|better_than|more_than ~
        suggest|recommend|leave_out|can_not_face ~
        no to ~
        excuses to avoid ~",
    )
});

/// Returns a thing of any kind by its position: *a passion for pottery*, *pottery has never appealed to me*.
fn by_place(view: &SentenceView<'_>) -> Option<Range<usize>> {
    if !view.says_me() || !view.names.is_empty() {
        return None;
    }
    let after = view.words.windows(2).position(|pair| {
        feeling::is_feeling_noun(pair[0])
            && matches!(pair[1], "for" | "of" | "to" | "towards" | "about" | "in" | "with")
    });
    let after = after.and_then(|at| anything(view, at + 2));
    let led = || matches_of(&PLACES, view, anything).into_iter().next().map(|matched| matched.thing);
    after.or_else(led).or_else(|| {
        let thing = anything(view, 0).filter(|thing| thing.len() <= 2)?;
        let says = view.word(thing.end);
        let leads = words!("has have is are brings makes bring make does do gives used , ? and")
            .contains(says)
            && view.has(&["me"]);
        leads.then_some(thing)
    })
}
