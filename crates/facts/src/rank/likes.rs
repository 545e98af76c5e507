//! Finds the tastes and habits that a question asks about.

use text::terms;

use super::wanted_slot::WantedSlot;
use crate::slot::SlotKind;

pub(super) fn tastes(low: &[&str], found: &mut Vec<WantedSlot>) {
    let has = |list: &[&str]| low.iter().any(|word| list.contains(word));
    let phrase = |phrase: &[&str]| low.windows(phrase.len()).any(|window| window == phrase);
    let likes = has(&[
        "like", "love", "enjoy", "likes", "loves", "enjoys", "fan", "into", "liked", "loved", "fond", "keen",
        "adore",
    ]);
    let hates = has(&["hate", "dislike", "hates", "dislikes", "detest", "loathe", "avoid", "disliked"])
        || phrase(&["not", "like"])
        || phrase(&["can", "not", "stand"])
        || phrase(&["not", "a", "fan"]);
    let opinion = phrase(&["feel", "about"])
        || phrase(&["think", "of"])
        || phrase(&["think", "about"])
        || phrase(&["opinion", "on"])
        || phrase(&["opinion", "of"])
        || phrase(&["stand", "on"])
        || phrase(&["take", "on"])
        || phrase(&["feelings", "about"]);
    let does = has(&[
        "drink", "eat", "play", "watch", "listen", "read", "smoke", "practise", "practice", "do", "wear",
        "exercise", "drinking", "eating", "playing", "smoking", "drank", "ate", "order", "cook", "train",
        "run",
    ]);
    let settled = found.iter().any(|wanted| {
        matches!(wanted.kind, SlotKind::Diet | SlotKind::Allergy | SlotKind::Goal | SlotKind::Habit)
            && wanted.weight >= 0.9
    });
    if (likes || hates || opinion) && !settled {
        // `is jazz something I like`
        if let (Some("is" | "are"), Some(at)) =
            (low.first().copied(), low.iter().position(|word| matches!(*word, "something" | "a" | "things")))
        {
            let topic = terms(&low[1..at].join(" ")).join(" ");
            if !topic.is_empty() && at > 1 {
                found.push(WantedSlot { kind: SlotKind::Taste, of: topic, weight: 1.0, value: "" });
                return;
            }
        }
        let after = low
            .iter()
            .rposition(|word| {
                words!(
                    "like love enjoy likes loves enjoys of into about on hate dislike hates dislikes stand \
                    fond liked loved adore detest loathe"
                )
                .contains(*word)
            })
            .map_or(low.len(), |at| at + 1);
        let object: Vec<&str> = low[after..]
            .iter()
            .copied()
            .filter(|word| {
                !words!(
                    "now these days most best to more any still at the moment currently today eating \
                    drinking doing eat drink"
                )
                .contains(*word)
            })
            .collect();
        let topic = terms(&object.join(" ")).join(" ");
        let value = if opinion || !hates && !topic.is_empty() {
            ""
        } else if hates {
            "dislikes"
        } else {
            "likes"
        };
        if topic.is_empty() {
            let of = ["food", "drink", "music", "sport", "colour"]
                .into_iter()
                .find(|family| low.iter().any(|word| word.trim_end_matches('s') == *family));
            let of = of
                .or_else(|| has(&["eat", "eating", "dish", "meal", "cuisine"]).then_some("food"))
                .or_else(|| has(&["drink", "drinking", "beverage"]).then_some("drink"));
            if value == "likes"
                && let Some(of) = of
            {
                found.push(WantedSlot {
                    kind: SlotKind::Favourite,
                    of: of.to_owned(),
                    weight: 0.95,
                    value: "",
                });
                found.push(WantedSlot {
                    kind: SlotKind::Property,
                    of: format!("preferred {of}"),
                    weight: 0.9,
                    value: "",
                });
            }
            found.push(WantedSlot {
                kind: SlotKind::Taste,
                of: of.map_or_else(String::new, |of| format!("~{of}")),
                weight: 0.85,
                value,
            });
        } else {
            found.push(WantedSlot { kind: SlotKind::Taste, of: topic, weight: 1.0, value: "" });
        }
        return;
    }
    let drink = low.windows(2).any(|pair| matches!(pair, ["my", "drink" | "beverage"]));
    if (does || drink) && found.is_empty() {
        let of = if drink || has(&["drink", "drinking", "drank"]) {
            "drink"
        } else if has(&["eat", "eating", "ate"]) {
            "food"
        } else {
            ""
        };
        if of.is_empty() {
            found.push(WantedSlot { kind: SlotKind::Habit, of: String::new(), weight: 0.2, value: "" });
            found.push(WantedSlot { kind: SlotKind::Skill, of: String::new(), weight: 0.2, value: "" });
        } else {
            found.push(WantedSlot {
                kind: SlotKind::Property,
                of: format!("preferred {of}"),
                weight: 1.0,
                value: "",
            });
            found.push(WantedSlot {
                kind: SlotKind::Habit,
                of: format!("~{}", if of == "food" { "eat" } else { of }),
                weight: 0.9,
                value: "",
            });
            found.push(WantedSlot { kind: SlotKind::Favourite, of: of.to_owned(), weight: 0.8, value: "" });
            found.push(WantedSlot {
                kind: SlotKind::Taste,
                of: format!("~{of}"),
                weight: 0.6,
                value: "likes",
            });
            if of == "food" {
                found.push(WantedSlot { kind: SlotKind::Diet, of: String::new(), weight: 1.0, value: "" });
            }
        }
    }
}
