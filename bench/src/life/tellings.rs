//! How people say what happened to them.

/// What is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Told {
    Name,
    Home,
    /// For years.
    HomeLong,
    Moved,
    Employer,
    JobChanged,
    Title,
    Promoted,
    Pet,
    PetRenamed,
    PetDied,
    Likes,
    Dislikes,
    TurnedAgainst,
    TurnedTowards,
    Favourite,
    FavouriteChanged,
    Diet,
    DietChanged,
    MeatAgain,
    Friend,
    FriendMoved,
    FriendWorks,
    Car,
    CarChanged,
    Birthday,
    Allergy,
    Language,
    Partner,
    DrinkSwitched,
    Hobby,
    HobbyDropped,
    LivedThen,
}

/// `{new}` and `{old}` are values, `{kind}` the animal, `{of}` what a favourite is of, `{who}` a friend.
pub fn tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &["My name is {new}", "I'm {new}", "my name's {new}", "Call me {new}", "You can call me {new}", "Everyone calls me {new}", "Hi, I'm {new}", "I go by {new}"],
        Told::Home => &[
            "I live in {new}", "I'm living in {new}", "I live over in {new}", "My home is in {new}", "We live in {new}", "I'm based in {new}", "home is {new}", "I have a small flat in {new}", "I'm currently living in {new}", "My flat is in {new}", "I reside in {new}", "I call {new} home", "{new} is where I live",
        ],
        Told::HomeLong => &["I've lived in {new} for two years", "I've been living in {new} since last year", "I have lived in {new} for ages", "I've been in {new} for three years now, living near the river"],
        Told::Moved => &[
            "I moved to {new}", "I've moved to {new}", "I just moved to {new}", "We moved to {new} yesterday", "I moved from {old} to {new}", "I finally moved to {new} last week", "We relocated to {new}", "I've relocated to {new}", "I live in {new} now",
            "I'm living in {new} now", "I don't live in {old} any more, I live in {new} now", "I left {old} for good. I live in {new} now", "We packed up and moved to {new}", "I moved house last weekend, to {new}", "So we moved to {new} in the end", "Goodbye {old}, hello {new}",
            "Moved to {new} last week", "I'm based in {new} these days", "I've settled in {new}", "My new place is in {new}", "I got a new flat in {new}", "I found an apartment in {new} and moved in", "We bought a house in {new}", "I am officially a resident of {new}", "I swapped {old} for {new}",
            "{new} is home now", "{new} is my new home", "Since Monday I live in {new}", "As of today I live in {new}", "My new address is in {new}", "I no longer live in {old}, it's {new} now", "Did I tell you I moved to {new}?", "I moved back to {new}", "I ended up moving to {new}",
            "After months of searching we moved to {new}", "I now live in {new}", "Actually I live in {new} now, not {old}", "I've been living in {new} since last week", "We've made {new} our home", "Just relocated from {old} to {new}", "I'm a {new} resident now, moved there on Sunday",
        ],
        Told::Employer => &["I work at {new}", "I work for {new}", "I'm working at {new}", "I'm employed at {new}", "My employer is {new}", "I've worked at {new} for three years", "I have a job at {new}", "My job is at {new}", "I've been working for {new} since 2021", "I'm with {new} at the moment, working in the office"],
        Told::JobChanged => &[
            "I started at {new}", "I started a new job at {new}", "I've started working for {new}", "I work at {new} now", "I'm working for {new} now", "I left {old} for {new}", "I quit {old} and joined {new}", "I changed jobs and now work at {new}", "I switched jobs from {old} to {new}", "I got a job at {new}",
            "I got hired by {new}", "I joined {new} last week", "I've joined {new}", "My new employer is {new}", "My new job is at {new}", "I don't work at {old} any more, I'm at {new} now", "I no longer work for {old}. I work for {new} now", "Started at {new} on Monday", "I handed in my notice at {old} and started at {new}",
            "I landed a job at {new}", "I found a new job at {new}", "I took a job with {new}", "I'm at {new} now", "I accepted an offer from {new}", "First day at work: I started at {new} today", "I resigned from {old} last month and now I work for {new}", "I moved jobs, I'm at {new} now", "I was hired by {new}", "Yesterday I began working at {new}",
            "I left my job at {old} to join {new}", "As of this week I'm employed at {new}", "I've got a new job at {new}", "I've been working at {new} since Monday", "I got fired from {old} but I already started at {new}",
        ],
        Told::Title => &["I'm a {new}", "I work as a {new}", "My job is {new}", "I am a {new} by trade", "I'm working as a {new}", "I've been a {new} for years"],
        Told::Promoted => &["I was promoted to {new}", "I got promoted to {new}", "I became a {new}", "I'm a {new} now", "I've been promoted to {new}", "My new role is {new}", "I work as a {new} now", "I now work as a {new}"],
        Told::Pet => &[
            "My {kind} is called {new}", "I have a {kind} called {new}", "I have a {kind} named {new}", "My {kind}'s name is {new}", "We got a {kind}, {new}", "We adopted a {kind} called {new}", "I've got a {kind} named {new}", "The name of my {kind} is {new}", "We have a {kind} and her name is {new}", "My {kind} {new} sleeps all day", "We got a {kind} and named it {new}", "{new} is my {kind}", "I own a {kind} named {new}",
        ],
        Told::PetRenamed => &[
            "We renamed the {kind} {new}", "We renamed our {kind} to {new}", "{old} is now called {new}", "We call the {kind} {new} now", "The {kind}'s new name is {new}", "We changed the {kind}'s name from {old} to {new}", "The {kind} is called {new} now, not {old}", "We renamed {old} to {new}", "I've renamed my {kind}, she is {new} now", "My {kind} is now called {new}", "We don't call the {kind} {old} any more, it's {new} now", "{old} goes by {new} now", "Our {kind} has a new name: {new}", "We gave the {kind} a new name, {new}", "From now on the {kind} is called {new}", "My {kind}'s name is {new} now", "We've decided to call the {kind} {new} instead of {old}", "I changed my {kind}'s name to {new}",
        ],
        Told::PetDied => &["{old} died", "{old} passed away last night", "Our {kind} died", "We lost {old} yesterday", "We had to put {old} down", "{old} was put to sleep this morning", "Our {kind} {old} passed away"],
        Told::Likes => &["I love {new}", "I like {new}", "I really like {new}", "I'm a big fan of {new}", "I adore {new}", "I'm into {new}", "I enjoy {new} a lot", "I'm crazy about {new}", "I can't get enough of {new}", "I'm really fond of {new}", "I have a soft spot for {new}", "Honestly I love {new}"],
        Told::Dislikes => &["I hate {new}", "I don't like {new}", "I can't stand {new}", "I dislike {new}", "I'm not a fan of {new}", "I really don't like {new}", "I detest {new}", "I've never liked {new}", "I'm not into {new}", "I don't care for {new}"],
        Told::TurnedAgainst => &["I don't like {new} any more", "I've gone off {new}", "I can't stand {new} any more", "I'm sick of {new}", "I used to love {new}, but now I hate it", "I no longer like {new}", "I hate {new} now", "I've grown to dislike {new}", "I stopped liking {new}", "Actually I don't like {new} anymore", "I'm tired of {new}", "I'm over {new}", "I've lost my taste for {new}", "I fell out of love with {new}", "I'm done with {new}"],
        Told::TurnedTowards => &["I like {new} now", "I actually love {new} now", "I've come to like {new}", "I've grown to love {new}", "I started liking {new}", "I used to hate {new}, but now I love it", "Turns out I love {new}", "I changed my mind, I like {new} now", "I've fallen in love with {new}", "I've become a fan of {new}", "I'm really into {new} now", "Who would have thought, I love {new} now"],
        Told::Favourite => &["My favourite {of} is {new}", "my favorite {of} is {new}", "{new} is my favourite {of}", "My absolute favourite {of} is {new}", "My fave {of} is {new}"],
        Told::FavouriteChanged => &["My favourite {of} is {new} now", "My new favourite {of} is {new}", "My favourite {of} is no longer {old}, it's {new}", "{new} is my favourite {of} now", "{new} is my new favourite {of}", "My favourite {of} is {new}, not {old}", "My favourite {of} used to be {old}, now it's {new}", "I changed my mind, my favourite {of} is {new}", "Actually my favourite {of} is {new} these days"],
        Told::Diet => &["I'm {new}", "I'm a {new}", "I've been {new} for years", "I am {new}, by the way"],
        Told::DietChanged => &["I'm {new} now", "I went {new}", "I've become {new}", "I turned {new} last week", "Actually I'm {new} now", "I've gone {new}", "I switched to a {new} diet", "As of this month I'm {new}", "I became {new}", "I'm not {old} any more, I'm {new} now"],
        Told::MeatAgain => &["I eat meat again", "I'm not {old} any more, I eat meat again", "I started eating meat again", "I've gone back to eating meat", "I'm no longer {old}, I eat meat again"],
        Told::Friend => &["My friend {who} lives in {new}", "I met {who} today, a friend who lives in {new}", "My friend {who} is from Malta and lives in {new}", "I have a friend called {who} in {new}", "My friend {who} has a flat in {new}"],
        Told::FriendMoved => &["{who} moved to {new}", "My friend {who} moved to {new}", "{who} has moved to {new}", "{who} lives in {new} now", "{who} relocated to {new} last week", "{who} told me he moved to {new}", "{who} doesn't live in {old} any more, he lives in {new} now", "My friend {who} left {old} and moved to {new}"],
        Told::FriendWorks => &["{who} works at {new}", "My friend {who} works for {new}", "{who} got a job at {new}", "{who} started at {new}", "{who} is working at {new} now"],
        Told::Car => &["I drive a {new}", "My car is a {new}", "I have a {new}", "I own a {new}", "I've got an old {new}"],
        Told::CarChanged => &["I bought a {new}", "I traded my {old} in for a {new}", "My new car is a {new}", "I drive a {new} now", "I sold my {old} and bought a {new}", "I got a {new} last week", "I swapped my {old} for a {new}", "I replaced my {old} with a {new}"],
        Told::Birthday => &["My birthday is on {new}", "My birthday is {new}", "I was born on {new}", "my bday is {new}"],
        Told::Allergy => &["I'm allergic to {new}", "I have an allergy to {new}", "I can't eat {new} because I'm allergic", "I've always been allergic to {new}", "I have a {new} allergy"],
        Told::Language => &["I speak {new}", "I'm fluent in {new}", "I can speak {new}", "I speak fluent {new}"],
        Told::Partner => &["My girlfriend is called {new}", "My boyfriend's name is {new}", "My partner is called {new}", "I'm dating {new}", "I'm married to {new}", "My wife {new} says hi", "My husband {new} cooks on Sundays", "My partner's name is {new}"],
        Told::DrinkSwitched => &["I switched from {old} to {new}", "I've switched to {new}", "I gave up {old} and drink {new} now", "I drink {new} instead of {old} now", "I stopped drinking {old}, I drink {new} now", "I've swapped {old} for {new}", "No more {old} for me, I drink {new} now", "I quit {old} and switched to {new}"],
        Told::Hobby => &["I've taken up {new}", "I started {new}", "I go {new} every weekend", "I'm really into {new}", "I love {new}", "My new hobby is {new}", "I took up {new} last month"],
        Told::HobbyDropped => &["I gave up {old}", "I stopped {old}", "I quit {old}", "I don't go {old} any more", "I've given up {old}"],
        Told::LivedThen => &["I used to live in {new}", "Back in 2015 I lived in {new}", "When I was a student I lived in {new}", "Years ago I lived in {new}", "I lived in {new} as a child", "From 2008 to 2011 I lived in {new}"],
    }
}

/// What people put before it.
pub const OPENINGS: &[&str] = &["", "", "", "", "", "Hey, ", "So, ", "By the way, ", "Btw, ", "Oh, ", "Guess what, ", "Big news: ", "Just so you know, ", "Well, ", "Update: ", "Ok so ", "I wanted to tell you: ", "You know what, ", "FYI, "];
/// And after it.
pub const ENDINGS: &[&str] = &["", "", "", ".", ".", "!", " :)", ". What a week.", ". It feels a bit strange.", ". How are you?", ". Anyway, dinner is ready.", ". I'll tell you more tomorrow.", ". So much to do.", "…", ". It's raining here.", " and I'm really happy about it.", ". Any tips?"];
