//! Wordings as friends tell each other the news on the phone.

use super::questions::{Ask, questions};
use super::tellings::Told;

pub fn diverse_tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &[
            "My name happens to be {new}",
            "Everybody around here calls me {new}",
            "I go by the name {new}",
            "This is {new} talking",
        ],
        Told::Home => &[
            "We've got our home in {new}",
            "My apartment building in {new} has a broken lift again",
            "I live just outside the centre of {new}",
            "I'm currently staying in my own flat in {new}",
            "The city where I live, {new}, is lovely in spring",
        ],
        Told::HomeLong => {
            &["I've lived in {new} my whole adult life", "It's been five years that I've lived in {new}"]
        }
        Told::Moved => &[
            "Guess what, we finally left {old}; our new home is {new}",
            "I'm writing from my new apartment in {new}, {old} feels far away",
            "Since the beginning of the month I've been living in {new}",
            "The big move is behind us: from {old} to {new}",
            "I gave up the house in {old} and rented something in {new}",
            "I've traded the noise of {old} for quiet {new}",
            "My company relocated me to {new}, so I live here now",
            "We couldn't afford {old} any longer and moved to {new}",
            "Moving day was yesterday, I'm now officially living in {new}",
            "I've come back to {new} for good, {old} wasn't for me",
        ],
        Told::Employer => &[
            "I've been employed at {new} for quite a while",
            "My workplace is {new}",
            "I go to work at {new} every day",
            "I'm with {new}, in the marketing department",
            "I draw my salary from {new}",
        ],
        Told::JobChanged => &[
            "I've handed in my notice at {old} and will never look back, I'm at {new} now",
            "I've finally escaped {old}, {new} is my employer now",
            "Great news, I got the job at {new} and started on Monday",
            "I've been poached by {new}, so no more {old}",
            "My time at {old} has come to an end, I work for {new} these days",
            "I changed from {old} to {new} this week",
            "I was made redundant at {old}, luckily {new} took me on",
            "I'm two weeks into my new job at {new}",
            "Starting this week I work for {new} rather than {old}",
        ],
        Told::Title => &[
            "I'm a {new} these days",
            "I work full time as a {new}",
            "I do the job of a {new}",
            "My role at work is {new}",
        ],
        Told::Promoted => &[
            "I climbed the ladder and became {new}",
            "I got bumped up to {new}",
            "I've stepped into the role of {new}",
            "My boss has promoted me, I'm {new} now",
        ],
        Told::Pet => &[
            "We've brought home a {kind} and called her {new}",
            "I have to walk {new}, our {kind}",
            "Our {kind} answers to the name of {new}",
            "I bought a {kind}. I call him {new}",
            "My {kind}, {new}, turned three today",
        ],
        Told::PetRenamed => &[
            "The name {old} is no more, our {kind} is called {new} now",
            "I've decided {new} suits my {kind} better than {old}",
            "Our {kind} has a different name now: {new}",
            "Instead of {old} we now call the {kind} {new}",
            "My {kind} isn't {old} any longer, she's {new}",
        ],
        Told::Likes => &[
            "I get really excited about {new}",
            "I've loved {new} ever since I was little",
            "There's hardly anything I like more than {new}",
            "I'm a great admirer of {new}",
            "{new} always cheers me up",
        ],
        Told::Dislikes => &[
            "I've got no love for {new}",
            "I wouldn't touch {new} with a barge pole",
            "Honestly, {new} puts me off",
            "I find {new} rather boring",
            "I can't say I like {new}",
        ],
        Told::TurnedAgainst => &[
            "I'm not as keen on {new} as I used to be, I've gone off it",
            "I have had enough of {new}",
            "I don't fancy {new} anymore",
            "My passion for {new} has cooled",
            "I've completely lost my appetite for {new}",
        ],
        Told::TurnedTowards => &[
            "I have to admit {new} is rather good, I like it now",
            "I didn't use to like {new}, but now I can't get enough of it",
            "I've acquired a taste for {new}",
            "Who knew, I'm really enjoying {new} lately",
            "I've made my peace with {new}, I even like it",
        ],
        Told::Favourite => &[
            "As far as {of} goes, {new} is my favourite",
            "{new} has always been my favourite {of}",
            "I'd pick {new} as my favourite {of}",
            "No question, my favourite {of} is {new}",
        ],
        Told::FavouriteChanged => &[
            "{old} has lost its place, my favourite {of} is now {new}",
            "My favourite {of}? It used to be {old}, now it's {new}",
            "Lately {new} has been my favourite {of}",
            "I've gone from {old} to {new} as my favourite {of}",
        ],
        Told::Diet => {
            &["I don't touch meat, I'm {new}", "I live on a {new} diet", "Yes, I'm one of those {new} people"]
        }
        Told::DietChanged => &[
            "I've given up being {old}, I'm {new} now",
            "I've become fully {new}",
            "My new diet is {new}",
            "It's been a month since I went {new}",
        ],
        Told::MeatAgain => &["I've gone back to meat", "Being {old} didn't work out, I'm eating meat again"],
        Told::Friend => &[
            "My friend {who} has been living in {new} for a while",
            "I've got a friend in {new}, {who}",
            "My best mate {who} lives in {new}",
        ],
        Told::FriendMoved => &[
            "{who} has packed up and gone to live in {new}",
            "{who} doesn't live in {old} anymore but in {new}",
            "{who}'s left {old}, he's got a flat in {new} now",
            "{who} just moved house, he's in {new} now",
        ],
        Told::FriendWorks => &[
            "{who} has been hired by {new}",
            "{who} has got a new job, at {new}",
            "{who} earns his living at {new}",
        ],
        Told::Car => &[
            "I get to work in my {new}",
            "My car happens to be a {new}",
            "I bought a {new} years ago and still drive it",
        ],
        Told::CarChanged => &[
            "I've finally replaced the {old}, I drive a {new} now",
            "The {old} broke down for the last time, I've got a {new} now",
            "I exchanged my {old} for a {new}",
            "My new set of wheels is a {new}",
        ],
        Told::Birthday => &["My birthday comes around on {new}", "I'm a {new} baby, that's my birthday"],
        Told::Allergy => &["I'm highly allergic to {new}", "{new} trigger my allergy"],
        Told::Language => {
            &["I have a good command of {new}, I speak it daily", "I grew up with {new} and still speak it"]
        }
        Told::Partner => &[
            "I've been in a relationship with {new} for a year",
            "My fiancé is called {new}",
            "I'm happily married to {new}",
            "My boyfriend {new} and I cooked together",
        ],
        Told::DrinkSwitched => &[
            "I've gone off {old}, I drink {new} now",
            "I've cut out {old} and have {new} instead",
            "My {old} habit is over, it's {new} now",
            "I've moved over from {old} to {new}",
        ],
        Told::LivedThen => &["Ages ago I lived in {new}", "I had a place in {new} back in my student years"],
    }
}

pub fn diverse_questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &[
            "Where is my home now?",
            "Tell me where I'm living at the moment.",
            "What's the city I'm living in?",
            "Which city is my flat in?",
            "Where am I residing currently?",
        ],
        Ask::HomeThen => &[
            "Where was I based {when}?",
            "What was my home town {when}?",
            "In {when}, sorry, {when}, where did I live?",
        ],
        Ask::HomeBefore => &[
            "What city did I live in prior to moving to {old}?",
            "Where was home before {old}?",
            "Before I moved to {old}, where did I live?",
        ],
        Ask::Employer => &[
            "What company am I with now?",
            "Who's my employer these days?",
            "Where do I go to work?",
            "Which company do I currently work at?",
        ],
        Ask::EmployerThen => &["Where was I on the payroll {when}?", "Which firm was I working for {when}?"],
        Ask::EmployerBefore => {
            &["Who employed me prior to {old}?", "Where did I work before I went to {old}?"]
        }
        Ask::Title => &["What's my role?", "What do I work as these days?", "What's my current job?"],
        Ask::Pet => &[
            "What name does my {kind} answer to?",
            "What's the {kind} called?",
            "Can you remember my {kind}'s name?",
        ],
        Ask::PetBefore => {
            &["What did my {kind} answer to before?", "What was my {kind}'s name before it was changed?"]
        }
        Ask::Opinion => &[
            "Am I keen on {old} these days?",
            "Do I hate {old}?",
            "What's my attitude towards {old}?",
            "Would {old} make me happy?",
        ],
        Ask::Favourite => &["Which {of} is my favourite these days?", "What's the {of} I love most?"],
        Ask::FavouriteBefore => {
            &["What was my favourite {of} before I changed it?", "Which {of} did I use to like best?"]
        }
        Ask::Diet => &["Which diet am I on?", "Am I still vegetarian?", "What do I eat, diet-wise?"],
        Ask::FriendHome => &["Where has {who} moved to?", "Which city is {who} in now?"],
        Ask::FriendHomeBefore => {
            &["Where did {who} use to live before {old}?", "What city was {who} living in before?"]
        }
        Ask::FriendEmployer => {
            &["Who does {who} work for these days?", "What's the company {who} works for?"]
        }
        Ask::Car => &["What car have I got?", "What do I drive these days?"],
        Ask::CarBefore => &["What car was I driving before the {old}?", "Which car did I have previously?"],
        Ask::Birthday => &["When exactly is my birthday?", "When was I born, which day?"],
        Ask::Allergy => &["What am I allergic to again?", "Which foods set off my allergy?"],
        Ask::Language => &["Which languages can I speak?", "What languages do I have?"],
        Ask::Partner => &["Who's my other half?", "Who am I in love with?"],
        Ask::Name => &["What's my own name?", "By what name do you know me?"],
        Ask::Drink => &["What do I drink now instead?", "What is it I like to drink now?"],
        Ask::Unknown => questions(ask),
    }
}
