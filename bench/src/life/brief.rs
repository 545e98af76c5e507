//! Short wordings, as people type them between two stops.

use super::questions::Ask;
use super::tellings::Told;
use super::wordings::Wordings;

/// Kinds without words of their own are told as friends tell them.
pub fn brief_tellings(told: Told) -> Vec<&'static [&'static str]> {
    let own: &'static [&'static str] = match told {
        Told::Home => {
            &["living in {new} btw", "home base: {new}", "I'm over in {new}, nice flat", "{new} based"]
        }
        Told::Moved => &[
            "moved! {new} now",
            "out of {old}, into {new}",
            "new address, {new}",
            "{old} -> {new}, all boxes unpacked",
            "no longer {old} based, {new} it is",
            "settled into {new} nicely",
            "left {old} yesterday, sleeping in {new} from now on",
            "we live in {new} now fyi",
        ],
        Told::Employer => {
            &["working at {new} atm", "employer: {new}", "job's at {new}", "{new} employee here"]
        }
        Told::JobChanged => &[
            "new job! {new}",
            "{old} out, {new} in, new job",
            "switched to {new}, done with {old}",
            "started at {new}, left {old}",
            "hired by {new}!",
            "working for {new} now, not {old}",
            "quit {old}, now at {new}",
        ],
        Told::Title => &["job: {new}", "working as a {new}", "I'm a {new}"],
        Told::Promoted => &["promoted! {new} now", "new role: {new}", "now {new} at work"],
        Told::Pet => &["got a {kind}, {new}", "my {kind} = {new}", "{new} the {kind} is my baby"],
        Told::PetRenamed => &[
            "renamed the {kind}: {new}",
            "{kind} is {new} now, was {old}",
            "{old} the {kind} is now {new}",
            "calling the {kind} {new} now",
        ],
        Told::Likes => &["love {new}", "{new} = love", "{new} fan", "huge fan of {new}"],
        Told::Dislikes => &["hate {new}", "not a fan of {new}", "{new}, yuck", "can't stand {new}"],
        Told::TurnedAgainst => {
            &["over {new} now", "done with {new}", "{new}? not anymore", "gone off {new} tbh"]
        }
        Told::TurnedTowards => {
            &["liking {new} now", "ok {new} is good actually", "into {new} now", "{new} grew on me"]
        }
        Told::Favourite => &["fav {of}: {new}", "favourite {of} = {new}", "my fav {of} is {new}"],
        Told::FavouriteChanged => {
            &["new fav {of}: {new}", "fav {of} is {new} now", "fav {of} changed to {new}"]
        }
        Told::DietChanged => &["gone {new}", "{new} now, not {old}", "switched to {new}"],
        Told::FriendMoved => {
            &["{who} moved to {new}", "{who}'s in {new} now, not {old}", "{who} left {old} for {new}"]
        }
        Told::CarChanged => &["new car: {new}", "sold the {old}, got a {new}", "driving a {new} now"],
        Told::DrinkSwitched => {
            &["off {old}, on {new} now", "{new} instead of {old} now", "no more {old}, {new} now"]
        }
        _ => return Wordings::Diverse.tellings(told),
    };
    vec![own]
}

pub fn brief_questions(ask: Ask) -> Vec<&'static [&'static str]> {
    let own: &'static [&'static str] = match ask {
        Ask::Home => &["my city now?", "where do I live again?", "current home?"],
        Ask::HomeThen => &["where'd I live {when}?", "home {when}?"],
        Ask::HomeBefore => &["where before {old}?", "my city before {old}?"],
        Ask::Employer => &["my employer now?", "where do I work again?", "current company?"],
        Ask::EmployerThen => &["where'd I work {when}?", "employer {when}?"],
        Ask::EmployerBefore => &["employer before {old}?", "where'd I work before {old}?"],
        Ask::Title => &["my job title?", "what's my job again?"],
        Ask::Pet => &["{kind}'s name?", "my {kind}'s name now?"],
        Ask::PetBefore => &["{kind}'s old name?", "my {kind}'s name before {old}?"],
        Ask::Opinion => &["do I like {old}?", "{old}, do I like it?", "me and {old}?"],
        Ask::Favourite => &["my fav {of}?", "fav {of} now?"],
        Ask::FavouriteBefore => &["my old fav {of}?", "previous fav {of}?"],
        Ask::Diet => &["my diet?", "do I eat meat?"],
        Ask::FriendHome => &["where's {who} living?", "{who}'s city?"],
        Ask::Car => &["my car?", "what do I drive again?"],
        Ask::CarBefore => &["my old car?", "car before the {old}?"],
        Ask::Drink => &["my drink now?", "what do I drink?"],
        _ => return Wordings::Diverse.questions(ask),
    };
    vec![own]
}
