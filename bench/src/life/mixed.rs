//! Wordings of people who have little in common: the young, the old, those who learnt English late.

use super::questions::{Ask, questions};
use super::tellings::Told;

pub fn mixed_tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &[
            "yo it's {new}",
            "I am named {new}",
            "{new}, pleased to meet you",
            "my friends know me as {new}",
            "On my passport it says {new}, that is my name",
        ],
        Told::Home => &[
            "I am living since long time in {new}",
            "I stay in {new} with my family",
            "we've a wee house in {new}",
            "hiya from {new}, my home sweet home",
            "my crib is in {new}",
            "I inhabit a tiny flat in the centre of {new}",
        ],
        Told::HomeLong => &["{new} has been our home since the wedding", "I live already ten years in {new}"],
        Told::Moved => &[
            "we shifted from {old} to {new} last week",
            "bye bye {old}, I'm a resident of {new} now",
            "ngl moving from {old} to {new} was the best decision",
            "I do not live anymore in {old}, now I am in {new}",
            "me and the missus have upped and moved to {new}",
            "{old} is behind me, {new} is my home now",
            "Been in the new flat in {new} for a week, don't miss {old} one bit",
            "I have changed my city, from {old} to {new}",
            "the new apartment in {new} has a dishwasher, {old} never had that",
            "we've found our forever home in {new}",
            "just unpacked the last box at our place in {new}",
            "the family and I are now happily settled in {new}",
        ],
        Told::Employer => &[
            "I'm grinding at {new} five days a week",
            "I have my work in {new}",
            "the firm I work for is {new}",
            "I clock in at {new} every morning",
            "my company is {new}",
            "I'm an office worker at {new}",
        ],
        Told::JobChanged => &[
            "{old} is over for me, I'm working at {new} now",
            "I have now a new job by {new}",
            "yeeted myself out of {old} and got into {new}",
            "I got the job at {new}! Bye {old}",
            "I've changed my work from {old} to {new}",
            "After I left {old} I was taken on by {new}",
            "new lanyard, new me: {new} instead of {old}",
            "today I've signed up with {new}, {old} can keep my stapler",
            "I'm the newest hire at {new}",
            "I've retired from {old} and taken a little job at {new}",
        ],
        Told::Title => &[
            "I work like a {new}",
            "I'm working in my job as {new}",
            "by trade I'm a {new}",
            "my job title says {new}",
            "I've been a {new} all my life",
        ],
        Told::Promoted => &[
            "your girl is {new} now",
            "they have promoted me, I am now {new}",
            "I moved up the ladder and I'm {new} now",
            "I made {new} at last",
            "the company appointed me {new}",
        ],
        Told::Pet => &[
            "my {kind} has {new} as name",
            "I have one {kind}, the name is {new}",
            "meet my {kind}, {new}",
            "we keep a {kind} called {new}",
            "my fur baby is a {kind} named {new}",
            "our old {kind} {new} is lying on the rug",
        ],
        Told::PetRenamed => &[
            "I gave my {kind} another name, now it is {new}",
            "plot twist, the {kind} is called {new} now lol, no seriously, not {old}",
            "we don't say {old} to the {kind} anymore, we say {new}",
            "the {kind} got renamed to {new}",
            "my {kind} was {old}, is now {new}",
            "the grandchildren renamed the {kind}, so it's {new} now",
        ],
        Told::Likes => &[
            "{new} slaps, I love it",
            "I have much love for {new}",
            "I like very much {new}",
            "{new} is the bomb",
            "can't live without {new}",
            "I've always been partial to {new}",
            "{new} is life",
        ],
        Told::Dislikes => &[
            "{new} is trash",
            "I do not like {new}, sorry",
            "{new} gives me the ick",
            "I like not {new}",
            "I've never taken to {new}",
            "can't do {new}, no way",
        ],
        Told::TurnedAgainst => &[
            "I'm so over {new}",
            "{new} was my thing, now it's not",
            "before I liked {new}, now not anymore",
            "{new} gives me the ick now",
            "I used to be fond of {new}, these days I'd rather not",
            "I cannot hear or see {new} anymore",
        ],
        Told::TurnedTowards => &[
            "ok {new} is kinda fire now",
            "before I did not like {new}, now I like it",
            "I've taken to {new} in my old age",
            "I take back everything I said about {new}, I love it",
            "my grandson got me into {new}",
            "{new} is growing on me, I enjoy it",
        ],
        Told::Favourite => &[
            "my fave {of} has to be {new}",
            "from all, my favourite {of} is {new}",
            "{new} will always be my favourite {of}",
            "favourite {of}? That's {new}",
            "the {of} that I like the most is {new}",
        ],
        Told::FavouriteChanged => &[
            "my favourite {of} was {old}, but now is {new}",
            "{old} is out, {new} is in: my new favourite {of}",
            "ok new favourite {of} just dropped: {new}",
            "I must correct myself, my favourite {of} is {new} and not {old}",
            "not {old} anymore, {new} is my favourite {of}",
        ],
        Told::Diet => {
            &["I eat no animals, I am {new}", "{new} gang here, I'm {new}", "I've been {new} since my youth"]
        }
        Told::DietChanged => &[
            "I am become {new}",
            "I'm {new} as of today",
            "I switched teams, from {old} to {new}",
            "ditched {old}, went {new}",
            "my doctor has put me on a {new} diet",
        ],
        Told::MeatAgain => &[
            "I eat again meat",
            "not {old} anymore, I'm back on meat",
            "the {old} phase is done, I eat meat again",
        ],
        Told::Friend => &[
            "my mate {who} lives down in {new}",
            "my buddy {who} is living in {new}",
            "my friend {who} has his flat in {new}",
            "my dear friend {who} lives in {new} these days",
        ],
        Told::FriendMoved => &[
            "{who} ditched {old} and moved to {new}",
            "{who} has changed the city, he lives now in {new}",
            "{who} is gone from {old}, he lives in {new} now",
            "{who} upped sticks to {new}",
            "{who} has found a flat in {new} and left {old}",
        ],
        Told::FriendWorks => &[
            "{who} has work at {new}",
            "{who} works now for {new}",
            "{who} got himself a job at {new}",
            "{who} is an employee at {new}",
        ],
        Told::Car => &[
            "my whip is a {new}",
            "I am driving a {new} since years",
            "my motor is a {new}",
            "I've an old {new} on the drive",
        ],
        Told::CarChanged => &[
            "copped a {new}, the {old} is gone",
            "I have sold the {old} and I drive now a {new}",
            "swapped the {old} for a {new}",
            "we've said goodbye to the {old} and got ourselves a {new}",
            "the {old} is off to the scrapyard and I've a {new} now",
        ],
        Told::Birthday => &[
            "I have birthday on {new}",
            "my bday's {new} btw",
            "I was born on {new} in a snowstorm",
            "{new} is the day I was born",
        ],
        Told::Allergy => &[
            "I have allergy against {new}",
            "{new} are a no go, I'm allergic",
            "I can't have {new}, allergic",
            "I come out in spots if I eat {new}, I'm allergic to them",
        ],
        Told::Language => {
            &["I speak also {new}", "I'm fluent in {new} lol", "I still speak a fair bit of {new}"]
        }
        Told::Partner => &[
            "my bae {new} says hi, we're dating",
            "my man {new} is cooking, best boyfriend ever",
            "I am together with {new} since two years, my partner",
            "my dear wife {new} sends her love",
            "{new} is my girlfriend",
        ],
        Told::DrinkSwitched => &[
            "I drink no more {old}, now I drink {new}",
            "{old} is cancelled, {new} gang now",
            "the doctor took me off {old}, so I drink {new}",
            "swapped my {old} for {new}",
            "I changed {old} to {new}",
        ],
        Told::LivedThen => &[
            "when I was young I lived in {new}",
            "before many years I have lived in {new}",
            "we lived in {new} back in the nineties",
        ],
    }
}

pub fn mixed_questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &[
            "yo where do I live rn",
            "in which city I live now?",
            "where's my crib at?",
            "whereabouts do I live these days, dear?",
            "which city is mine now?",
            "where is my home at the moment?",
        ],
        Ask::HomeThen => &[
            "where I was living {when}?",
            "where did I stay {when}?",
            "what town did I live in {when}?",
            "where was I living {when}, do you know?",
        ],
        Ask::HomeBefore => &[
            "where I lived before {old}?",
            "where did I live before I came to {old}?",
            "which city before {old}?",
            "where was my flat before {old}?",
        ],
        Ask::Employer => &[
            "where do I work rn?",
            "in which company I work?",
            "what's the company that employs me now?",
            "who is it I work for these days?",
            "for who do I work now?",
        ],
        Ask::EmployerThen => &[
            "where I was working {when}?",
            "for who did I work {when}?",
            "what was my job {when}, at which company?",
        ],
        Ask::EmployerBefore => &[
            "where I worked before {old}?",
            "what company was it before {old}?",
            "who did I work for until {old}?",
        ],
        Ask::Title => &[
            "what is my work?",
            "what's my job title rn?",
            "what is it I do for a living, dear?",
            "as what am I working?",
        ],
        Ask::Pet => &[
            "what's my {kind}'s name rn?",
            "how is the name of my {kind}?",
            "what do I call my {kind} these days?",
            "my {kind} has which name?",
        ],
        Ask::PetBefore => &[
            "how was my {kind} called before {old}?",
            "what was my {kind}'s name back then?",
            "which name had my {kind} before?",
            "what was the old name of my {kind}?",
        ],
        Ask::Opinion => &[
            "do I like {old} or nah?",
            "like I {old}?",
            "do I fancy {old}?",
            "do I still love {old}?",
            "what's my feeling about {old}?",
        ],
        Ask::Favourite => &[
            "what's my fave {of} rn?",
            "which {of} like I the most?",
            "what is my most favourite {of}?",
            "and my favourite {of} would be?",
        ],
        Ask::FavouriteBefore => &[
            "what was my fave {of} before?",
            "which {of} was before my favourite?",
            "what was it, my favourite {of}, before?",
        ],
        Ask::Diet => &["am I veggie or what?", "do I eat the meat?", "what's my diet, dear?"],
        Ask::FriendHome => &[
            "where's {who} at these days, where does he live?",
            "in which city lives {who}?",
            "where does {who} stay now?",
        ],
        Ask::FriendHomeBefore => &["where lived {who} before?", "where did {who} live before he moved?"],
        Ask::FriendEmployer => {
            &["where works {who}?", "who's {who} working for rn?", "for which company does {who} work?"]
        }
        Ask::Car => {
            &["what whip do I drive?", "which car I have?", "what motor have I got now?", "what's my ride?"]
        }
        Ask::CarBefore => {
            &["what car had I before?", "what car did I have before this one?", "what was my old motor?"]
        }
        Ask::Birthday => &["when have I birthday?", "when's my bday?"],
        Ask::Allergy => &["against what am I allergic?", "what can't I eat, allergy wise?"],
        Ask::Language => &["what languages I speak?", "do I speak any other language?"],
        Ask::Partner => &["who's my bae?", "how is my partner called?", "who am I going out with?"],
        Ask::Name => &["what's my name lol", "how am I named?"],
        Ask::Drink => &["what do I drink rn?", "what I drink these days?", "what's my usual drink now?"],
        Ask::Unknown => questions(ask),
    }
}
