//! Determines whether words speak for or against a thing.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use text::terms;

use super::sentence_view::SentenceView;

/// Phrases that speak for a thing.
static FOR: LazyLock<Vec<String>> = LazyLock::new(|| {
    phrases(
        "love, loved it, into ~, liking, nothing i like more, anything i like more, like more than, love more than, the bomb, is life, is fire, of fire, slaps, bangs, bussin, is lit, is dope, taken to, took to, got me into, \
        a hit with me, like, enjoy, adore, great, amazing, brilliant, delicious, fantastic, wonderful, awesome, fan, \
        am into, really into, get into, got into, getting into, fond, keen, my thing, my jam, up for, yes please, \
        can not get enough, won me over, grown on, grew on, convert, converted, appeal, sucker, soft spot, thing for, \
        taste for, favourite, obsessed, addicted, hooked, craving, crave, can not resist, happy place, \
        right up my street, warmed, came round to, came around to, come round to, come around to, no longer avoid, big on, looking forward, \
        good after all, not bad, not so bad, not that bad, partial, mad about, crazy about, weakness, any day, \
        my cup of tea, delight, all about, sold on, tasty, yum, nothing beats, can not live without, thumbs up, \
        fallen for, fell for, passionate, joy, heaven, changed my mind, was wrong about, give me ~, won over, a hit with, count me in, \
        sign me up, live for, never say no, not say no, pleasure, good mood, makes my day, make my day, makes me happy, \
        cheers me up, floats my boat, rocks, the best, lovely, beautiful, divine, heavenly, perfect, superb, excellent, \
        marvellous, irresistible, fun, exciting, relaxing, addictive, in love, smitten, way to my heart, smile on my face, good mood like, joys of ~, enthusiast, buff, lover, \
        aficionado, fanatic, junkie, can not wait, gets me going, does it for me, hits the spot, appreciate, treasure, \
        cherish, dig, swear by, rave about, thrilled, my passion, here for, comfort food, learned to love, \
        learnt to love, is good, are good, pretty good, rather good, tastes good, worth it, underrated, bring on, \
        live off, zero to hero, asking for more, want more, yes from me, all for, bring it on, more please, hooray, spot on, melts my heart, calms me",
    )
});
/// Phrases that speak against a thing.
static AGAINST: LazyLock<Vec<String>> = LazyLock::new(|| {
    phrases(
        "hate, dislike, am over ~, am so over ~, am totally over ~, am completely over ~, am off ~, am right off ~, am totally off ~, \
        am completely off ~, barge pole, not touch, the ick, is mid, cancelled, like not, like no, never taken to, never took to, not taken to, is over, can not stand, can not bear, detest, loathe, despise, sick of, tired of, bored, boring, fed up, \
        had enough, done with, finished with, over it, went off, gone off, right off, no thanks, no thank you, \
        lost its charm, lost its appeal, lost interest, lost my taste, that is over, does nothing for, did nothing for, \
        do nothing for, gross, disgusting, awful, horrible, yuck, the worst, avoid, turns my stomach, makes me gag, \
        bores me, not any more, put off, puts me off, can not look at, no longer, any more, less i like, \
        not my cup, no interest, nope, never again, ruined, overrated, meh, drives me, not a fan, no fan, not into, \
        not big on, not my thing, not for me, not keen, could never, never liked, never got, never get, never been, \
        not care for, not like, not enjoy, not love, not fond, not do it for, not do anything for, not thrilled, \
        used to love, used to like, used to enjoy, used to adore, used to be into, off the menu, out of love, \
        not touch, not a big, stay away, keep away, steer clear, rather not, not the same, lost me, turned against, \
        no joy, no time for, no patience, outgrown, outgrew, through with, nose up, put me off, \
        had my fill, fill of, moved on from, no more, ugh, pass on, i pass, can not face, kills me, shudder, \
        do without, leaves me cold, left me cold, grown out of, fell out, falling out, gone sour, lost the taste, \
        cringe, away from me, can not be doing with, idea of hell, hell, unbearable, intolerable, terrible, dreadful, \
        tedious, dull, annoying, annoys me, irritates me, painful, nauseating, nauseous, revolting, vile, nasty, \
        torture, nightmare, count me out, is gone, are gone, worn off, wore off, tire of, weary of, overdosed, sucks, \
        stinks, rubbish, garbage, trash, crap, unpleasant, repulsive, run a mile, never understood, not understand, \
        not get the, not see the point, never been able to see the appeal, not able to see the appeal, not see the appeal, never saw the appeal, never seen the appeal, never got the appeal, never understood the appeal, not see anything to like, no appeal, no enjoyment, not made for each other, nothing but dislike, opposite of a fan, tiresome, sick to death, pointless, waste of time, turn off, icky, lost its, lost the love, chore, \
        a drag, bores, not what it was, makes me sick, makes me ill, can not deal, not a chance, no way, hard pass, \
        not happening, gives me the, allergic reaction to, cooled on, cooled off, burnt out, burned out, not great, \
        not good, not nice, not fun, not interested, anything but, rather starve, rather eat, never cared, not stomach, \
        can not stomach, not abide, can not abide, goodbye, bye, giving up on, gave up on, given up on, \
        nothing but trouble, hard to like, no from me, hard no, firm no, big no, not get along, do not get on, \
        not click, put up with, pay me, pull a face, make a face, makes me shudder, not see what, gone right off, love is gone, \
        nothing to do with, on my nerves, leave the room, get away from it, love affair with ~ is over, leave out, rather skip, give it a miss, keep me away, not a friend of, not my friend, against ~",
    )
});

/// The stems of single words that speak for a thing, and below of those against it.
static GOOD: LazyLock<HashSet<String>> = LazyLock::new(|| {
    stems(
        "love like enjoy adore fan fond fondness keen passion passionate enthusiast enthusiasm enthusiastic delight \
        delightful joy joyful pleasure appeal appealing appreciate appreciation favourite great amazing brilliant \
        delicious fantastic wonderful awesome lovely beautiful excellent superb perfect obsessed obsession addicted \
        hooked crave craving tasty yummy affection interest cherish treasure admire thrill enchant charm fascinating \
        fascination magic bliss appetite admirer irresistible pleasant satisfying relish savour devoted smitten liking marvellous \
        magnificent gorgeous enjoyable excitement",
    )
});
static BAD: LazyLock<HashSet<String>> = LazyLock::new(|| {
    stems(
        "hate hatred dislike detest loathe loathing despise abhor aversion disgust disgusting gross awful horrible \
        terrible dreadful unbearable boring bored tedious dull annoying irritating painful nauseating \
        revolting repulsive repulsion vile nasty torture nightmare misery miserable cringe rubbish garbage weary resent \
        dread horrid unpleasant distaste contempt overrated pointless yuck unappealing ghastly insufferable \
        antipathy",
    )
});

/// Splits a list into phrases with a space before and after each, as the search needs them.
fn phrases(list: &str) -> Vec<String> {
    list.split(',').map(|phrase| format!(" {} ", phrase.trim())).collect()
}

fn stems(words: &str) -> HashSet<String> {
    words.split_whitespace().flat_map(terms).collect()
}

/// Returns true for nouns of feeling: *a passion for*, *an aversion to*.
pub fn is_feeling_noun(word: &str) -> bool {
    words!(
        "passion fondness love fan enthusiasm appreciation liking weakness obsession taste interest \
        aversion hatred dislike distaste loathing contempt affection keen tired sick bored fond time spot \
        thing craving patience addicted hooked"
    )
    .contains(word)
}

/// Returns true for words that reverse a feeling.
fn reports_turn(word: &str) -> bool {
    words!(
        "not never no hardly lost losing faded fading fades waned waning gone over less stopped without \
        died disappeared vanished cooled evaporated wore worn dwindled barely zero little past ended dried"
    )
    .contains(word)
}

/// Returns true if the words speak for a thing and false if against it; the last statement counts.
pub fn feeling(view: &SentenceView<'_>, thing: &Range<usize>) -> Option<bool> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let next = |at: usize| view.word(at + 1);
    for (at, word) in view.words.iter().enumerate() {
        if thing.contains(&at) {
            if at == thing.start {
                parts.last_mut()?.push("~");
            }
        } else if words!("but , ; yet though until ? . ! - – —").contains(*word)
            || *word == "and" && matches!(next(at), "i" | "now" | "today" | "these" | "since" | "then")
        {
            parts.push(Vec::new());
        } else if word.chars().any(char::is_alphanumeric)
            && !is_simile(view, at)
            && !words!("really so just quite totally completely at all actually").contains(*word)
        {
            parts.last_mut()?.push(word);
        }
    }
    let mut felt: Option<bool> = None;
    // The feeling at the earlier time that the words speak of.
    let mut then: Option<bool> = None;
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let used = part.windows(2).any(|pair| pair == ["used", "to"]) || part.contains(&"once");
        let past = used
            || !is_now(part)
                && part.iter().any(|word| matches!(*word, "was" | "were" | "had" | "before" | "been"))
                && part.iter().any(|word| {
                    matches!(*word, "fan" | "loved" | "love" | "hater" | "before" | "once" | "obsessed")
                });
        // *… and my colleagues love to tease me*, *… which is funny*: the feeling is another person's or about
        // something else.
        let apart = |part: &[&str]| {
            let opens = part.iter().find(|word| !matches!(**word, "and" | "but" | "so" | "because"));
            let others = opens.is_some_and(|word| {
                words!("my our his her their the everyone everybody people they he she which").contains(*word)
            });
            others && !part.contains(&"i") && !part.contains(&"~")
                || opens == Some(&"which") && !part.contains(&"~")
        };
        if felt.is_some() && apart(part) {
            continue;
        }
        match said(part) {
            // A past feeling does not override a present one.
            Some(_) if (past || is_before(part)) && felt.is_some() => {}
            // *Before I liked it* does not tell the present feeling.
            Some(likes) if is_before(part) => then = Some(likes),
            // `I used to love it` implies that the feeling has changed.
            Some(likes) => {
                let turned = part.windows(3).any(|window| {
                    window[..2] == ["used", "to"] && matches!(window[2], "love" | "like" | "enjoy" | "adore")
                });
                let over = used && part.contains(&"used") && !turned && !is_now(part);
                then = Some(if turned { !likes } else { likes });
                felt = Some(if over { !likes } else { likes });
            }
            // `… but now I am`, `… not any more`
            None if then.is_some() && turns_round(part) => felt = then.map(|likes| !likes),
            None => {}
        }
    }
    felt
}

/// Returns true if *like* makes a comparison: *I swelled up like a balloon*.
fn is_simile(view: &SentenceView<'_>, at: usize) -> bool {
    view.words[at] == "like"
        && matches!(view.word(at + 1), "a" | "an" | "me" | "this")
        && !words!("i we do not to really always never would also still both all , nothing")
            .contains(view.before(at, 1))
}

/// Returns true for a part about the past: *after years of hatred*, *when I was young I did not like it*.
fn is_before(part: &[&str]) -> bool {
    let then = match part {
        ["after" | "having" | "despite", ..] => !part.contains(&"i"),
        ["before", ..]
        | ["when", "i", "was", ..]
        | ["as", "a", "child" | "kid" | "teenager" | "boy" | "girl" | "student", ..]
        | ["in", "my", "twenties" | "thirties" | "teens" | "youth", ..] => true,
        _ => false,
    };
    then && !is_now(part)
}

fn is_now(part: &[&str]) -> bool {
    part.contains(&"now") || part.contains(&"these")
}

/// Returns true for a part that only says that the feeling has reversed: *now I am*, *now it's not*, *not any more*.
fn turns_round(part: &[&str]) -> bool {
    let little = |word: &&str| {
        words!(
            "now it is 's not any more i do am that this these days no longer has changed things different \
            history of late lately opposite feel the"
        )
        .contains(*word)
    };
    part.iter().all(little)
        && part.iter().any(|word| {
            matches!(
                *word,
                "now" | "not" | "longer" | "changed" | "history" | "these" | "different" | "opposite"
            )
        })
}

/// Returns the feeling in one part of a sentence.
fn said(part: &[&str]) -> Option<bool> {
    // A thing that is no longer the favourite may still be liked.
    if part.contains(&"favourite")
        && part.iter().any(|word| matches!(*word, "not" | "longer" | "used" | "was"))
    {
        return None;
    }
    // *My mother tried for years to get me to like it*
    if part
        .windows(3)
        .any(|window| window[..2] == ["me", "to"] && matches!(window[2], "like" | "love" | "enjoy"))
        && part.iter().any(|word| words!("tried tries trying try wants wanted failed").contains(*word))
    {
        return None;
    }
    // *My dislike of it has turned into affection*: the earlier feeling does not count.
    let turned = part.windows(2).rposition(|pair| {
        matches!(pair, ["turned" | "grown" | "changed" | "developed", "into" | "to"] | ["way", "to"])
    });
    if let Some(at) = turned.filter(|at| at + 2 < part.len()) {
        return said(&part[at + 2..]).or_else(|| said(&part[..at]).map(|likes| !likes));
    }
    // *I was wrong to hate it*
    let regrets = part.windows(2).position(|pair| {
        matches!(pair, ["wrong" | "idiot" | "fool" | "stupid" | "silly" | "foolish", "to" | "for"])
    });
    if let Some(at) = regrets {
        return said(&part[at + 2..]).map(|likes| !likes);
    }
    let joined = format!(" {} ", part.join(" "));
    let last = |list: &[String]| {
        // The end and start of the last phrase in the part.
        list.iter()
            .filter_map(|phrase| joined.rfind(phrase.as_str()).map(|at| (at + phrase.len(), at)))
            .max_by_key(|(end, at)| (*end, std::cmp::Reverse(*at)))
    };
    let before = |at: usize, reach: usize, list: &[&str]| {
        joined[..at].split_whitespace().rev().take(reach).any(|word| list.contains(&word))
    };
    // *There's hardly anything I enjoy as much as jazz*
    let compares = joined.contains(" more than ~ ") || joined.contains(" as much as ~ ");
    if compares && [" like ", " love ", " enjoy "].iter().any(|feels| joined.contains(feels)) {
        return Some(true);
    }
    let likes = match (last(&FOR), last(&AGAINST)) {
        (None, None) => None,
        (Some((_, at)), None) => Some(!before(at, 3, &["not", "never", "no", "hardly"])),
        // *I never get tired of it*
        (None, Some((_, at))) => Some(before(at, 2, &["not", "never"])),
        (Some((good, at)), Some((bad, worse))) => Some(
            (good > bad || good == bad && at < worse) && !before(at, 3, &["not", "never", "no", "hardly"]),
        ),
    };
    let turned = part.iter().any(|word| reports_turn(word));
    match likes {
        Some(true)
            if turned
                && !joined.contains(" not ")
                && !joined.contains(" never ")
                && !joined.contains(" no ") =>
        {
            let fades =
                part.iter().any(|word| reports_turn(word) && !matches!(*word, "over" | "past" | "little"));
            Some(!fades)
        }
        Some(likes) => Some(likes),
        None => {
            let stems: Vec<String> = part.iter().flat_map(|word| terms(word)).collect();
            let good = stems.iter().any(|stem| GOOD.contains(stem));
            let bad = stems.iter().any(|stem| BAD.contains(stem));
            match (good, bad) {
                (true, false) => Some(!turned),
                (false, true) => Some(part.iter().any(|word| matches!(*word, "not" | "never" | "stopped"))),
                _ => None,
            }
        }
    }
}
