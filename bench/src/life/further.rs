//! Still more of how people tell and ask.

use super::questions::Ask;
use super::tellings::Told;

pub fn further_tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &[
            "{new} here",
            "I was named {new} by my parents",
            "You may call me {new}",
            "Friends call me {new}",
            "My first name is {new}",
        ],
        Told::Home => &[
            "I've got my flat in {new}",
            "My place is in {new}",
            "Right now I live in {new}",
            "We have a house in {new}",
            "I'm at home in {new}",
            "I live downtown in {new}",
        ],
        Told::HomeLong => {
            &["For the last few years I've lived in {new}", "I've had a flat in {new} for five years"]
        }
        Told::Moved => &[
            "Well, that's it, I've left {old} and I live in {new}",
            "We're in {new} now, the move went well",
            "My new flat in {new} is lovely",
            "Hello from {new}! We moved here on Friday",
            "I couldn't stay in {old}, so I moved to {new}",
            "We finally made the move to {new}",
            "Change of address: I live in {new} now",
            "I transferred to {new} and live there now",
            "I've just finished moving to {new}",
            "We have relocated our whole life to {new}",
            "I'm living my best life in {new} now",
            "My partner got a job in {new} so we moved there",
            "No longer in {old}! I now live in {new}",
            "After {old} we've now settled in {new}",
            "I took the plunge and moved to {new}",
        ],
        Told::Employer => &[
            "I've got a job with {new}",
            "I'm part of the team at {new}",
            "I spend my days working for {new}",
            "I'm on staff at {new}",
            "My current employer is {new}",
        ],
        Told::JobChanged => &[
            "I've switched employers and work for {new} now",
            "As of Monday I'm working at {new}",
            "I couldn't take {old} any longer, so now I work at {new}",
            "I left {old} last month and started at {new} this week",
            "I am now with {new}",
            "My new company is {new}",
            "I've signed on with {new}",
            "New gig: I work at {new} now",
            "I got an offer from {new} and took it, I work there now",
            "Bye {old}, I work for {new} now",
            "I've been hired at {new}",
            "I just started my new job at {new}",
            "My career took a turn: I joined {new}",
        ],
        Told::Title => &[
            "I'm employed as a {new}",
            "In my day job I'm a {new}",
            "I've been working as a {new} for a while",
            "I am a trained {new}",
        ],
        Told::Promoted => &[
            "I've moved up to {new}",
            "I was just made {new}",
            "My boss promoted me to {new}",
            "I've stepped up to {new}",
            "My job title is now {new}",
            "I'm {new} now",
        ],
        Told::Pet => &[
            "We're the proud owners of a {kind} called {new}",
            "My {kind} goes by the name of {new}",
            "There is also my {kind}, {new}",
            "I recently got a {kind}. Her name is {new}",
            "Our {kind} is named {new}",
            "{new}, my {kind}, is asleep next to me",
        ],
        Told::PetRenamed => &[
            "{old} is called {new} these days",
            "We've changed {old}'s name to {new}",
            "New name for the {kind}: we call it {new} now",
            "The {kind} is now named {new}",
            "We settled on {new} as the {kind}'s new name",
            "I call my {kind} {new} now instead of {old}",
            "My {kind} used to be called {old}, now she's {new}",
            "{old} has been renamed to {new}",
        ],
        Told::Likes => &[
            "I absolutely adore {new}",
            "I could eat {new} every day, I love it",
            "I'm mad about {new}",
            "I'm obsessed with {new}",
            "{new} is one of my great loves, I adore {new}",
            "I'm quite partial to {new}",
        ],
        Told::Dislikes => &[
            "I despise {new}",
            "I'm really not keen on {new}",
            "I have never been a fan of {new}",
            "I strongly dislike {new}",
            "{new} is not for me",
            "I try to avoid {new}",
        ],
        Told::TurnedAgainst => &[
            "I've had it with {new}",
            "I've fallen out of love with {new}",
            "I really can't stand {new} these days",
            "I'm no longer a fan of {new}",
            "I no longer enjoy {new}",
            "{new} doesn't do it for me any more, I dislike it now",
            "I'm so done with {new}",
        ],
        Told::TurnedTowards => &[
            "I've started to enjoy {new}",
            "I've changed my mind about {new}, I love it now",
            "These days I really like {new}",
            "I've learned to love {new}",
            "I've become really fond of {new}",
            "I'm hooked on {new} now",
        ],
        Told::Favourite => &[
            "I'd say {new} is my favourite {of}",
            "My number one favourite {of} is {new}",
            "My favourite {of} has always been {new}",
            "As for my favourite {of}, it's {new}",
        ],
        Told::FavouriteChanged => &[
            "My favourite {of} these days is {new}",
            "I've changed my favourite {of} to {new}",
            "My favourite {of} isn't {old} any more, it's {new}",
            "My current favourite {of} is {new}",
            "I now have a new favourite {of}, {new}",
        ],
        Told::Diet => &[
            "I follow a {new} diet",
            "I happen to be {new}",
            "I'm a committed {new}",
            "I keep to a {new} diet",
        ],
        Told::DietChanged => &[
            "I've switched to being {new}",
            "I'm trying something new: I'm {new} now",
            "I have decided to become {new}",
            "Since last week I'm {new}",
            "I converted to a {new} diet",
        ],
        Told::MeatAgain => &[
            "I'm back to eating meat",
            "I've started eating meat again",
            "I'm not {old} any longer, I eat meat again",
        ],
        Told::Friend => &[
            "My good friend {who} lives over in {new}",
            "My friend {who} is based in {new}",
            "I visited my friend {who}, he lives in {new}",
            "I know a guy called {who}, my friend {who} lives in {new}",
        ],
        Told::FriendMoved => &[
            "{who} is now living in {new}",
            "{who} has settled in {new}",
            "My friend {who} has relocated to {new}",
            "{who} just moved from {old} to {new}",
            "{who} left {old} for {new}",
        ],
        Told::FriendWorks => &[
            "{who} has started working at {new}",
            "{who} found a job at {new}",
            "{who} is with {new} now",
            "My friend {who} has joined {new}",
        ],
        Told::Car => &[
            "I'm driving a {new}",
            "Our family car is a {new}",
            "I've got a {new} parked outside, that's my car",
            "I own an old {new}",
        ],
        Told::CarChanged => &[
            "I've just bought a {new}",
            "I'm driving a {new} now",
            "My {old} broke down for good, so I bought a {new}",
            "I sold the {old} and got a {new}",
            "We traded in the {old} for a {new}",
        ],
        Told::Birthday => &[
            "I have my birthday on {new}",
            "My birthday's on {new}",
            "I turn a year older on {new}, that's my birthday",
        ],
        Told::Allergy => &[
            "I am severely allergic to {new}",
            "I must not eat {new}, I'm allergic",
            "I've developed an allergy to {new}",
            "I suffer from a {new} allergy",
        ],
        Told::Language => {
            &["I'm able to speak {new}", "I know {new}", "I speak {new} quite well", "I also speak {new}"]
        }
        Told::Partner => &[
            "{new} is my partner",
            "I live with my partner {new}",
            "My partner, {new}, is a great cook",
            "I'm in a relationship with {new}",
        ],
        Told::DrinkSwitched => &[
            "I only drink {new} now, no more {old}",
            "I've replaced {old} with {new}",
            "I've stopped drinking {old} and started drinking {new}",
            "I traded {old} for {new}",
            "I've moved on from {old}, it's {new} for me now",
            "My morning {old} has become a morning {new}, I drink {new} now",
        ],
        Told::LivedThen => &[],
    }
}

pub fn further_questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &[
            "Which town do I live in?",
            "What's my place of residence?",
            "Where do I make my home these days?",
            "Where can people find me living now?",
            "Do you have any idea where I live?",
            "What place do I call home now?",
        ],
        Ask::HomeThen => &[
            "In what city was I living {when}?",
            "Where did I have my home {when}?",
            "What place did I live in {when}?",
            "Do you recall where I was living {when}?",
        ],
        Ask::HomeBefore => &[
            "Where was I before {old}?",
            "Which city did I leave for {old}?",
            "Where did I live prior to {old}?",
            "What was my previous city before {old}?",
        ],
        Ask::Employer => &[
            "What's the company I work at?",
            "What's my current workplace?",
            "Tell me who I work for.",
            "Which employer do I have now?",
            "For which company do I work at the moment?",
        ],
        Ask::EmployerThen => &[
            "At which company was I {when}?",
            "Who was I working for {when}?",
            "What was my workplace {when}?",
        ],
        Ask::EmployerBefore => &[
            "What company was I with before {old}?",
            "Where was I employed before {old}?",
            "Which employer did I leave for {old}?",
        ],
        Ask::Title => &[
            "What's my position?",
            "As what do I work?",
            "What job do I have?",
            "What is it that I do for work?",
        ],
        Ask::Pet => &[
            "My {kind}, what's its name?",
            "What did I name my {kind}?",
            "Do I have a {kind}, and what is it called?",
            "By what name does my {kind} go?",
        ],
        Ask::PetBefore => &[
            "What name did my {kind} have earlier?",
            "How was my {kind} called before?",
            "What did we call the {kind} before {old}?",
        ],
        Ask::Opinion => &[
            "Do I love or hate {old}?",
            "Am I keen on {old}?",
            "What are my feelings about {old}?",
            "Would you say I like {old}?",
        ],
        Ask::Favourite => &[
            "What would you say is my favourite {of}?",
            "Tell me my favourite {of}.",
            "What's my current favourite {of}?",
        ],
        Ask::FavouriteBefore => &[
            "What was my favourite {of} in the past?",
            "What was my favourite {of} previously?",
            "Which {of} used to be my favourite?",
        ],
        Ask::Diet => &[
            "What sort of diet am I on?",
            "How would you describe my diet?",
            "Am I a vegetarian, a vegan or something else?",
        ],
        Ask::FriendHome => &[
            "What's the city {who} lives in?",
            "Do you know where {who} is living now?",
            "Where can I find {who} these days, where does he live?",
        ],
        Ask::FriendHomeBefore => &["Where did {who} live previously?", "What city did {who} live in before?"],
        Ask::FriendEmployer => &["What's {who}'s employer?", "Where has {who} got a job?"],
        Ask::Car => &["What sort of car do I drive?", "Tell me what car I drive.", "Which car is mine?"],
        Ask::CarBefore => &["What was the car I had before?", "What car did I drive previously?"],
        Ask::Birthday => &["When's my birthday again?", "What day is my birthday?"],
        Ask::Allergy => {
            &["What foods am I allergic to?", "Are there foods I can't have because of an allergy?"]
        }
        Ask::Language => &["Which foreign languages do I know?", "What languages am I fluent in?"],
        Ask::Partner => {
            &["What's my significant other called, my partner?", "Tell me the name of my partner."]
        }
        Ask::Name => &["Do you remember what I'm called?", "What's my first name?"],
        Ask::Drink => &["What do I drink nowadays?", "Which drink do I have these days?"],
        Ask::Unknown => &[],
    }
}
