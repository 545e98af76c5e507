//! More of how people tell and ask.

use super::questions::Ask;
use super::tellings::Told;

pub fn more_tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &[
            "The name's {new}",
            "People know me as {new}",
            "Just {new} is fine, that's my name",
            "Folks call me {new}",
        ],
        Told::Home => &[
            "These days you'll find me living in {new}",
            "I rent a place in {new}",
            "My apartment's in {new}",
            "I've got a house in {new}",
            "We're living in {new} at the moment",
            "I stay in {new}, have done for ages",
        ],
        Told::HomeLong => &["{new} has been my home for years", "I've been living over in {new} forever"],
        Told::Moved => &[
            "The move is done, we live in {new} now",
            "Finally settled into our new flat in {new}",
            "I've upped sticks and moved to {new}",
            "Signed the lease yesterday, I now live in {new}",
            "We're officially living in {new}",
            "I'm not in {old} anymore, moved to {new}",
            "New city! I moved over to {new}",
            "I packed my bags, left {old} and moved to {new}",
            "it's official: we moved to {new}",
            "My home is {new} these days",
            "After six months in {old} I've moved to {new}",
            "I've moved on from {old} and live in {new} now",
            "Turns out I'm living in {new} now",
            "I moved away from {old}, to {new}",
            "Last Saturday I moved to {new}",
            "moving trucks came and went, i live in {new} now",
        ],
        Told::Employer => &[
            "I earn my money at {new}",
            "{new} is where I work",
            "I'm on the payroll at {new}, I work there full time",
            "I've had a job at {new} since spring",
            "My work is at {new}",
        ],
        Told::JobChanged => &[
            "I've moved from {old} to a job at {new}",
            "Today was my first day working at {new}",
            "I signed with {new} and started yesterday",
            "I've said goodbye to {old} and started at {new}",
            "{new} hired me",
            "My last day at {old} was Friday, I work at {new} now",
            "I jumped ship from {old} and joined {new}",
            "{new} is my new employer",
            "I've taken a position at {new}",
            "Quit {old}. Joined {new}.",
            "They offered me a job at {new} and I took it, I work there now",
            "I'm employed by {new} now",
            "New job! I'm working at {new}",
            "Since last week I work for {new}",
        ],
        Told::Title => &[
            "By profession I'm a {new}",
            "I earn my living as a {new}",
            "I trained as a {new} and still work as a {new}",
            "My profession is {new}",
        ],
        Told::Promoted => &[
            "They made me {new}",
            "They promoted me to {new}",
            "I've been made {new}",
            "My title is {new} now",
            "I moved up, I'm a {new} now",
        ],
        Told::Pet => &[
            "This is my {kind}, {new}",
            "I share my flat with a {kind} named {new}",
            "We've welcomed a {kind} called {new}",
            "There's a new {kind} in the house, we call it {new}",
            "My little {kind} goes by {new}",
            "Our {kind}? She's called {new}",
        ],
        Told::PetRenamed => &[
            "{old} has a new name: {new}",
            "The {kind} answers to {new} now",
            "We've rechristened the {kind} {new}",
            "{old} didn't suit the {kind}, so we renamed it {new}",
            "Our {kind} is {new} now",
            "We gave {old} a different name, she's called {new} now",
            "It's {new} now, we renamed the {kind}",
            "The {kind} formerly known as {old} is now called {new}",
        ],
        Told::Likes => &[
            "{new} makes me happy, I love it",
            "I'm a real {new} lover",
            "I'm very keen on {new}",
            "Nothing beats {new}, I love {new}",
            "I'm hooked on {new}",
        ],
        Told::Dislikes => &[
            "{new} is gross, I hate it",
            "{new} isn't for me, I don't like it",
            "I loathe {new}",
            "I've always hated {new}",
            "I can't bear {new}",
        ],
        Told::TurnedAgainst => &[
            "{new} and I are done, I don't like it anymore",
            "I'm fed up with {new}",
            "I've had enough of {new}, can't stand it",
            "I'm bored of {new}",
            "I don't enjoy {new} any longer",
            "{new} used to be great, now I can't stand {new}",
        ],
        Told::TurnedTowards => &[
            "I never thought I'd say it but I love {new}",
            "{new} has grown on me, I like it now",
            "I've warmed to {new}, I really like it",
            "I'm a {new} person now",
            "I take it back, I like {new}",
        ],
        Told::Favourite => &[
            "When it comes to {of}, my favourite is {new}",
            "Of all, {new} is my favourite {of}",
            "My all-time favourite {of} is {new}",
            "If you ask me for my favourite {of}: it's {new}",
        ],
        Told::FavouriteChanged => &[
            "These days my favourite {of} is {new}",
            "Forget {old}, my favourite {of} is {new}",
            "My favourite {of} has changed to {new}",
            "I've got a new favourite {of}: {new}",
            "{new} has become my favourite {of}",
        ],
        Told::Diet => &["I live {new}", "I eat {new}", "I've always been {new}"],
        Told::DietChanged => &[
            "I decided to go {new}, so I'm {new} now",
            "New year, new me: I'm {new}",
            "I'm going {new} from now on",
            "From today I'm {new}",
            "I've turned {new}",
        ],
        Told::MeatAgain => &[
            "I'm eating meat again",
            "I gave up being {old}, I eat meat again",
            "I couldn't resist, I eat meat again",
        ],
        Told::Friend => &[
            "I caught up with my friend {who}, who lives in {new}",
            "{who} is a friend of mine, he lives in {new}",
            "My friend {who} has been living in {new} for years",
        ],
        Told::FriendMoved => &[
            "{who} has left {old} and lives in {new} now",
            "{who} just relocated to {new}",
            "My friend {who} is living in {new} now",
            "{who} packed up and moved to {new}",
        ],
        Told::FriendWorks => {
            &["{who} has a job at {new}", "{who} joined {new}", "My friend {who} is employed at {new}"]
        }
        Told::Car => &[
            "There's a {new} in my garage, I drive it every day",
            "I get around in a {new}, it's my car",
            "My car's a {new}",
        ],
        Told::CarChanged => &[
            "I've got a new car, a {new}",
            "My {old} is gone, I drive a {new} now",
            "I picked up a {new}, my new car",
            "I upgraded my {old} to a {new}",
            "I switched my {old} for a {new}",
        ],
        Told::Birthday => {
            &["I celebrate my birthday on {new}", "{new} is my birthday", "My birthday falls on {new}"]
        }
        Told::Allergy => &[
            "{new} give me a rash, I'm allergic to {new}",
            "I found out I'm allergic to {new}",
            "I've got a bad allergy to {new}",
        ],
        Told::Language => &[
            "I grew up speaking {new}",
            "{new} is my second language, I speak it fluently",
            "I've learned to speak {new}",
        ],
        Told::Partner => &[
            "I've been with my partner {new} for years",
            "My partner {new} and I went hiking",
            "The love of my life is my partner {new}",
        ],
        Told::DrinkSwitched => &[
            "I've ditched {old} for {new}",
            "I'm off {old} and drink {new} now",
            "These days I drink {new} rather than {old}",
            "I moved from {old} to {new} for my morning drink",
            "{old} is out, I only drink {new} now",
        ],
        Told::LivedThen => &[],
    }
}

pub fn more_questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &[
            "What town do I call home?",
            "Where would you send me a postcard to?",
            "Where do I reside?",
            "Remind me, where am I living right now?",
            "In what city is my flat?",
        ],
        Ask::HomeThen => &[
            "What was my home city {when}?",
            "Which town did I call home {when}?",
            "Where exactly was I living {when}?",
            "Where had I been living {when}?",
        ],
        Ask::HomeBefore => &[
            "What was my home prior to {old}?",
            "Where did I come from when I moved to {old}?",
            "What city came before {old} for me?",
            "Where had I lived before {old}?",
        ],
        Ask::Employer => &[
            "Who pays my salary?",
            "What's the name of the company I work for?",
            "At which firm am I employed?",
            "Where's my current job?",
            "Which firm am I with?",
        ],
        Ask::EmployerThen => &[
            "What company employed me {when}?",
            "Which employer did I have {when}?",
            "Where was my job {when}?",
        ],
        Ask::EmployerBefore => &[
            "Which company did I work for prior to {old}?",
            "Who employed me before {old}?",
            "What was my employer before I started at {old}?",
        ],
        Ask::Title => &[
            "What kind of work do I do?",
            "What am I by profession?",
            "How do I earn my living?",
            "What's my line of work?",
        ],
        Ask::Pet => &[
            "What name does my {kind} have?",
            "Who's my {kind}?",
            "What do I call my {kind}?",
            "Tell me my {kind}'s name.",
        ],
        Ask::PetBefore => &[
            "Under what name did I know my {kind} before?",
            "What name did the {kind} have before the change?",
            "What was my {kind} formerly called?",
        ],
        Ask::Opinion => &[
            "Would I enjoy {old}?",
            "What's my take on {old}?",
            "Do I enjoy {old}?",
            "Is {old} something I like?",
        ],
        Ask::Favourite => {
            &["What {of} do I like best?", "Name my favourite {of}.", "Which is my favourite {of}?"]
        }
        Ask::FavouriteBefore => {
            &["What was formerly my favourite {of}?", "Which {of} was my favourite earlier?"]
        }
        Ask::Diet => &[
            "How do I eat, vegan, vegetarian or otherwise?",
            "Any dietary preference I have?",
            "Is meat okay for me?",
        ],
        Ask::FriendHome => {
            &["In which city does {who} live?", "Where's {who} based?", "What's {who}'s home?"]
        }
        Ask::FriendHomeBefore => &["Where had {who} lived previously?", "Where did {who} live earlier?"],
        Ask::FriendEmployer => &["What company is {who} at?", "Who employs {who}?"],
        Ask::Car => &["Which vehicle do I drive?", "What make is my car?", "What am I driving?"],
        Ask::CarBefore => &["Which car did I own previously?", "What was I driving before?"],
        Ask::Birthday => &["What date is my birthday?", "When do I celebrate my birthday?"],
        Ask::Allergy => &["Which food allergy do I have?", "What allergies should a cook know about for me?"],
        Ask::Language => &["What languages can I speak?", "In which language am I fluent?"],
        Ask::Partner => &["Who's my partner?", "What's the name of the person I'm with, my partner?"],
        Ask::Name => &["How am I called?", "Tell me my name."],
        Ask::Drink => &["What's my drink these days?", "What is it that I drink now?"],
        Ask::Unknown => &[],
    }
}
