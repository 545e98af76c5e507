//! Tastes, favourites and allergies recognised by phrasing, whatever the thing is: *nothing makes me happier than
//! pottery*, *soy, which I'm allergic to*.

use std::ops::Range;
use std::sync::LazyLock;

use protocol::FactCategory;
use text::terms;

use super::favourites::is_anothers;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use super::thing_patterns::{ThingMatch, ThingPatterns, anything, matches_of, thing_patterns};
use crate::name_text::{name_length, text_of};
use crate::names::KnownNames;
use crate::rules::{self, FactDraft};
use crate::slot::{FactSlot, SlotKind};

static LIKED: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "nothing makes me happier than ~
        nothing cheers_me_up|calms_me|relaxes_me|lifts_my_mood|gets_me_going like|more_than|better_than|quite_like ~
        nothing gives|brings me more|greater|as_much joy|pleasure|happiness than|as ~
        there is nothing|little|not_much i like|love|enjoy better|more|as_much than|as ~
        i like|love|enjoy nothing better|more than ~
        few things that|- cheer_me_up|make_me_happy|make_me_as_happy|i_enjoy|i_love|i_like|please_me as_much_as|more_than|like|as_reliably_as|quite_as_much_as|as ~
        win_me_over|won_me_over|bribe_me|tempt_me|lure_me|make_me_happy with ~
        i get a|such_a kick|thrill|buzz out_of|from ~
        i get|take|derive a_lot_of|great|much|so_much|- joy|pleasure|enjoyment|delight|satisfaction out_of|from|in ~
        how much i like|love|enjoy|adore ~
        ~ , which i like|love|enjoy|adore|cherish|have_always_loved|have_always_liked|have_come_to_love
        ~ , which i am very|- fond_of|keen_on|mad_about|crazy_about|partial_to|hooked_on|nuts_about
        ~ , which i can_not_get_enough_of|can_not_resist|can_never_resist|could_not_live_without
        ~ , which i used_to|once|never dislike|hate|loathe|avoid|detest|disliked|hated|avoided|liked|could_stand|stood so_much|at_all|before|and|but|, and|but|- now|- like|love|enjoy|adore
        ~ , something i love|like|enjoy|adore
        ~ , a passion|weakness|love of mine
        ~ , my guilty|great|one|only|secret|- pleasure|passion|weakness|love
        ~ is|are my guilty|one|great|biggest|secret|- weakness|passion|pleasure|indulgence
        my guilty|one|great|biggest|secret|- pleasure|passion|weakness|indulgence is|are|:|would_have_to_be|has_to_be|would_be ~
        guilty pleasure . mine is|are|would_have_to_be|has_to_be|would_be ~
        i can_not|could_not|can_never|could_never|never|will_never say no to ~
        i never|rarely|seldom turn down ~
        i have|have_got a soft|- spot|weakness|thing|passion|fondness|love|liking for ~
        i live for ~
        i am such|- a sucker for ~
        made|make me like|love|enjoy|appreciate ~
        the world needs|could_do_with more ~
        with ~ i am happy|content
        thank goodness|god|heavens for|there_is ~
        we both love|like|enjoy|adore ~
        i can not|never get|have enough ~
        i have|- come|came round|around to the_idea_of|the_joys_of|- ~
        i have|am|- warmed|warming to|up_to ~
        i have|- learned|learnt|grown|come|came|began|started|begun to like|love|enjoy|appreciate|adore ~
        i have|would|- ended_up|end_up liking|loving|enjoying ~
        i of all people would end_up liking|loving|enjoying ~
        i have|- started|begun|began liking|loving|enjoying ~
        i have|- discovered|found|developed|acquired|rediscovered a|my|- love|passion|taste|liking|fondness for|of ~
        i have|- become|became|turned_into a|quite_a fan|lover|convert|enthusiast|admirer of|to ~
        i have|- fallen|fell in_love_with|for ~
        cured|cured_me of my dislike|hatred|loathing|aversion|fear of|for|to ~
        my dislike|hatred|loathing|aversion|distaste of|for|to ~ has|have turned|grown|changed|melted|vanished|gone|faded|disappeared|evaporated
        i have|- stopped|quit hating|disliking|avoiding|loathing ~
        i no longer hate|dislike|avoid|loathe ~
        from hating|avoiding|disliking|loathing|detesting ~ to loving|liking|enjoying|adoring|craving
        i finally get|understand|see what is|people|everyone so|- great|special|good|see|sees about|in ~
        i finally get|understand|see the appeal|joy|charm|point|fuss of|in|about ~
        got me hooked_on|into ~",
    )
});

static DISLIKED: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "i can_not|could_never|can_never|do_not|never see|understand|understood|get|got what people|anyone|everyone|everybody|others|they see|sees|find|finds so|- great|special|good|- in|about ~
        i can_not|could_never|can_never|do_not|never see|understand|understood|get|got the fuss|appeal|point|hype|attraction|charm about|around|of|in ~
        i can_not|do_not|never understand|understood|get|got why people|anyone|everyone|everybody like|likes|love|loves|enjoy|enjoys|eat|eats ~
        ~ and i will never be_friends|get_along|get_on|see_eye
        ~ and i do_not|have_never|never get_along|got_along|get_on|got_on|mix
        ~ and i are not|no_longer|never friends|on_good_terms|going_to
        one|the thing|food i hate|loathe|detest|despise|dislike|can_not_stand|can_not_bear|can_not_abide|can_not_take most|more_than_anything|- is|,_it_is|,_i_would_say|,_that_is|,_it_would_be ~
        nothing puts_me_off|annoys_me|bores_me|irritates_me|disgusts_me|turns_me_off like|more_than|as_much_as|quite_like ~
        i hate|loathe|detest|dislike nothing|few_things more|as_much than|as ~
        there is nothing i hate|dislike|loathe|detest more than ~
        ~ , which i can_not|could_not|could_never|never_could|can_never stand|bear|abide|stomach|tolerate|,|and|so|.|!
        ~ , which i hate|loathe|detest|despise|dislike
        ~ , which i do_not|have_never like|liked|enjoy|enjoyed|care_for|cared_for
        ~ , which i find boring|awful|gross|disgusting|revolting|horrible|dull|tedious|unbearable|vile|overrated
        ~ , which i have|am gone_off|gone_right_off|sick_of|tired_of|fed_up_with|had_enough_of|had_my_fill_of
        ~ , which bores|disgusts|annoys|irritates|repels me
        ~ , something i hate|loathe|detest|dislike|despise|can_not_stand|can_not_bear|can_not_abide
        you|they can|may keep your|their|the ~
        spare me the|your ~
        keep ~ far_,|far|well|- away|far_away from me
        i have|have_got no|little|zero liking|love|time|patience|appetite|affection|use for ~
        i have one|a firm|real|great|- aversion|dislike|hatred|phobia in_life|- , it is ~
        cross|take|strike|scratch|remove ~ off|from the|my list of things i like|enjoy|love
        i can not face|look_at ~ any|anymore more|longer|.|,|and
        i have|had an|a|- aversion|hatred|dislike|loathing|distaste to|of|for ~
        i run|would_run a mile from|at ~
        i steer|stay|keep well|far|- clear|away of|from ~
        i would go a_long_way|out_of_my_way|to_any_length|to_any_lengths|to_great_lengths to avoid ~
        i avoid ~ like the plague
        i draw the line at ~
        i have|- gone|went off|cold_on ~
        i have|am|- fallen|fell|falling out of love with ~
        i have|am|- lost|losing my|all|any|- interest|taste|appetite|enthusiasm|love|passion|liking for|in|of ~
        i have|- stopped|quit|ceased liking|loving|enjoying|to_like|to_love|to_enjoy ~
        i have|am|- grown|got|gotten|become|- tired|sick|weary|bored of|with ~
        i have|- grown|come|came|began|started|begun|learned|learnt to dislike|hate|loathe|detest|despise ~
        i get nothing|little out_of|from ~
        i have had my_fill_of|enough_of|it_with ~
        i have|- turned against ~
        i no longer like|enjoy|love|care_for|adore|see_the_appeal_of|see_the_point_of ~
        from loving|liking|enjoying|adoring ~ to hating|loathing|disliking|detesting|despising|avoiding
        my love|passion|enthusiasm|fondness|liking|appetite|taste|enjoyment for|of ~ has|have|is died|faded|gone|vanished|disappeared|cooled|evaporated|waned|dwindled|over|dead|history
        my love|passion|enthusiasm|fondness|liking|appetite|taste|enjoyment for|of ~ died|faded|went|vanished|disappeared|cooled|evaporated|waned
        my old|former|great|early|- love|enthusiasm|passion|fondness|liking|appetite for|of ~ has turned|changed|grown into|to
        the charm|appeal|magic|attraction|joy of ~ has worn_off|gone|faded|vanished",
    )
});

/// Phrasings that state an allergy or intolerance themselves.
static HARMFUL: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "~ , which i am allergic|intolerant to
        ~ , to which i am allergic
        ~ , which i have|have_got|suffer_from an allergy|intolerance to
        ~ , which i react|have_a_reaction to|badly_to
        allergic to ~ like|as me|myself|i_am
        like me is|are|who_is|who_are allergic to ~
        am i allergic to anything ? yes|well|sure|of_course ,|. to|- ~
        my allergy|intolerance to ~
        no allergies . well|except|okay|ok ,|- one|except|apart_from ,|:|- ~
        no allergies except|apart_from|but|besides|other_than for|- ~",
    )
});

/// Phrasings that state an allergy only if the message mentions one elsewhere.
static REACTS: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "my body|skin|stomach|system|throat can_not|does_not|can_no_longer|cannot handle|cope_with|tolerate|take|deal_with ~
        i|me can_not|does_not|do_not|can_no_longer handle|cope_with|tolerate|deal_with ~
        i came|come into contact with ~
        contact with ~ and i
        ~ and i do_not|never|can_not mix|get_along|get_on
        anything that has to do with ~
        i_react|i_get_a_reaction|i_have_a_reaction|my_reaction to ~
        keep ~ away from me
        ~ and my body are|do",
    )
});

static BEST: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "~ , which is|has_become|became|has_always_been my new|absolute|all-time|- favourite|fave|fav @
        ~ , my new|absolute|all-time|- favourite|fave|fav @
        i like|love|prefer ~ better|more than|to|over any|every|all other|the_other @
        i like|love|prefer ~ to|over any|every|all other|the_other @
        no other @ comes close to|near_to|near ~
        no @ comes close to ~
        the @ dearest|closest to my heart is ~
        the @ i like|love|enjoy best|most|the_most|most_of_all|best_of_all these_days|now|nowadays|- is ~
        favourite|fave|fav @ i now|- prefer ~ to|over %
        choice of @ , nothing will ever|- beat|top|beats ~
        favourite|fave|fav @ . mine is|has_to_be|would_be|would_have_to_be ~
        a favourite|fave|fav @ , mine is ~
        favourite|fave|fav @ and mine is ~
        i_would_call|i_call|i_would_now_call|naming|calling|declaring ~ as|- my new|- favourite|fave|fav @
        i prefer ~ to|over % as my favourite|fave|fav @
        with ~ as my new|- favourite|fave|fav @
        ~ has overtaken|beaten|replaced|dethroned|knocked|pushed|surpassed|supplanted % as|off|as_my|to_become my|the|as_my new|number_one|- favourite|top @
        ~ has overtaken|beaten|replaced|dethroned|surpassed|supplanted % as the @ i love|like|enjoy best|most
        favourite|fave|fav @ was|used_to_be % ,|. but|and|- lately|now|recently|these_days ~ has taken|won|stolen|claimed the|over|its crown|title|top_spot|place|throne
        favourite|fave|fav @ was|used_to_be % ,|. but|and|- lately|now|recently|these_days ~ has taken over
        favourite|fave|fav @ : formerly|once|was|used_to_be|previously % , now|today|these_days|currently ~
        ~ overtook|dethroned|beat|replaced|knocked % as|off my|the new|all-time|- favourite|fave|fav @
        favourite|fave|fav @ ? yeah|well|- ,|- these_days|now|today|by_now i_say|it_is|i_would_say|i_go_for|all_about ~
        favourite|fave|fav @ these_days ? all_about|it_is|- ~
        ~ is my number one|-one @
        my number one @ is ~
        my favourite|fave|fav @ is % . wait|sorry|- ,|- not_any_longer|not_any_more|not_anymore|no_longer|scratch_that|correction|no ,|- now_it_is|it_is_now|make_that|it_is ~
        my favourite|fave|fav @ is % . wait|sorry|- ,|- now_it_is|make_that ~
        the best @ for me was|used_to_be % ,|. but|and|- now|today|these_days i_say|i_prefer|it_is ~
        replaced % with ~ as my favourite|fave|fav @
        my new|- favourite|fave|fav @ is suddenly|these_days|nowadays|now|by_now|hands_down|- ~
        my favourite|fave|fav @ : out with % , in with ~",
    )
});

pub fn taste(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() {
        return Vec::new();
    }
    let mut said: Vec<(ThingMatch, bool)> = Vec::new();
    for (patterns, likes) in [(&*LIKED, true), (&*DISLIKED, false)] {
        said.extend(matches_of(patterns, view, anything).into_iter().map(|matched| (matched, likes)));
    }
    // The last statement counts.
    said.sort_by_key(|(matched, _)| matched.end);
    let mut found: Vec<(String, SentenceDraft)> = Vec::new();
    for (matched, likes) in said {
        let thing = view.words[matched.thing].join(" ");
        let topic = rules::topic(&thing);
        let held = if likes { "likes" } else { "dislikes" };
        let draft = rules::taste(&thing, likes).sure(0.75);
        let told = match names.current_value("", SlotKind::Taste, &topic) {
            Some(known) if known != held => SentenceDraft::changed(draft),
            _ => SentenceDraft::new(draft),
        };
        found.retain(|(other, _)| *other != topic);
        found.push((topic, told));
    }
    found.into_iter().map(|(_, told)| told).collect()
}

pub fn harmful(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() {
        return Vec::new();
    }
    let named = view
        .words
        .iter()
        .any(|word| words!("allergy allergic allergies hives anaphylaxis epipen").contains(*word));
    let reacts = if named { matches_of(&REACTS, view, anything) } else { Vec::new() };
    let matched = matches_of(&HARMFUL, view, anything).into_iter().chain(reacts).next();
    matched
        .map(|matched| SentenceDraft::new(rules::allergic(&view.words[matched.thing].join(" ")).sure(0.8)))
        .into_iter()
        .collect()
}

pub fn best(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() {
        return Vec::new();
    }
    let is_mine = |matched: &ThingMatch| {
        let mut words = matched.start..matched.end;
        let at = words.find(|at| matches!(view.word(*at), "favourite" | "fave" | "fav"));
        !at.is_some_and(|at| is_anothers(view, at))
            || view.words[matched.start..matched.end].contains(&"mine")
    };
    let Some(matched) = matches_of(&BEST, view, named).into_iter().rfind(is_mine) else { return Vec::new() };
    let of = view.word(matched.kind.start);
    let topic = terms(of).join(" ");
    let value = value(view, &matched.thing);
    let draft = FactDraft::new(
        FactCategory::Preference,
        FactSlot::of(SlotKind::Favourite, topic.clone()),
        value.clone(),
        format!("favourite {of} is {value}"),
    )
    .important(0.6)
    .sure(0.75);
    let old = (!matched.other.is_empty()).then(|| self::value(view, &matched.other));
    let held = names.current_value("", SlotKind::Favourite, &topic);
    vec![if old.is_some() || held.is_some_and(|held| held != value) {
        SentenceDraft::changed(draft.replacing(old))
    } else {
        SentenceDraft::new(draft)
    }]
}

/// Matches a possible favourite: a name, or any thing.
fn named(view: &SentenceView<'_>, at: usize) -> Option<Range<usize>> {
    let name = view.names.iter().find(|name| name.range.start == at).map(|name| name.range.clone());
    let title = || {
        let length = name_length(view.tokens.get(at..).unwrap_or_default());
        (length > 0 && !view.word(at).is_empty()).then_some(at..at + length)
    };
    name.or_else(|| anything(view, at)).or_else(title)
}

fn value(view: &SentenceView<'_>, thing: &Range<usize>) -> String {
    let name = view.names.iter().find(|name| name.range == *thing);
    match name {
        Some(name) => name.text.clone(),
        None if view.tokens[thing.start].is_capital && thing.start > 0 => {
            text_of(&view.tokens[thing.clone()])
        }
        None => view.words[thing.clone()].join(" "),
    }
}
