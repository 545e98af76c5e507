//! Wordings apart from those of the usual diary, to see how far the patterns carry.

use super::questions::{Ask, questions};
use super::tellings::{Told, tellings};

pub fn other_tellings(told: Told) -> &'static [&'static str] {
    match told {
        Told::Name => &[
            "Nice to meet you, I'm {new}",
            "Please call me {new}",
            "I'm called {new}",
            "My parents named me {new}",
            "It's {new}, by the way, that's my name",
        ],
        Told::Home => &[
            "I'm located in {new}",
            "I currently reside in {new}",
            "We're based in {new}",
            "I've made {new} my home",
            "At the moment my home is {new}",
            "I live right in {new}",
        ],
        Told::HomeLong => {
            &["I've been based in {new} for a couple of years", "We've lived in {new} for a long time"]
        }
        Told::Moved => &[
            "Guess who just moved to {new}",
            "We upped and left {old}, we live in {new} now",
            "I have moved house, I'm in {new} now",
            "It happened: we've moved to {new}",
            "I'm now based in {new}",
            "Our family has moved to {new}",
            "I've relocated permanently to {new}",
            "I found a lovely flat in {new} and moved in last week",
            "I gave up my flat in {old} and moved to {new}",
            "I said goodbye to {old} and moved to {new}",
            "By now I live in {new}",
            "Since the weekend my home is {new}",
        ],
        Told::Employer => &[
            "I'm currently working for {new}",
            "I work over at {new}",
            "These days I'm employed by {new}",
            "I hold a position at {new}",
            "I'm an employee of {new}",
        ],
        Told::JobChanged => &[
            "I've left {old} behind and joined {new}",
            "Now I work for {new}",
            "I started my new position at {new}",
            "Last week I switched from {old} to a job at {new}",
            "I have a new employer, {new}",
            "I've found work at {new}",
            "I just joined the team at {new}",
            "I went from {old} to {new} and work there now",
            "I no longer work at {old}, I've moved to {new}",
            "I'm proud to say that I work for {new} now",
        ],
        Told::Title => &[
            "I have a job as a {new}",
            "My occupation is {new}",
            "I've been employed as a {new} for years",
            "Professionally I'm a {new}",
        ],
        Told::Promoted => &[
            "I got a promotion, I'm {new} now",
            "I've become {new}",
            "As of this week I'm {new}",
            "I have been appointed {new}",
            "I'm the new {new}",
        ],
        Told::Pet => &[
            "I've a {kind} called {new}",
            "We named our {kind} {new}",
            "I adopted {new}, a {kind}",
            "My {kind} has the name {new}",
            "The {kind} I have is called {new}",
            "I live with my {kind} {new}",
        ],
        Told::PetRenamed => &[
            "The {kind} got a new name, {new}",
            "We now call our {kind} {new}",
            "Our {kind} {old} is called {new} now",
            "I decided to rename my {kind} to {new}",
            "From today my {kind} goes by {new}",
            "{old} is {new} from now on, we changed the {kind}'s name",
            "We didn't like the name {old}, so the {kind} is now {new}",
        ],
        Told::Likes => &[
            "I do love {new}",
            "I have always loved {new}",
            "I can't resist {new}",
            "I'm fond of {new}",
            "Give me {new} any day, I love it",
            "I get a lot of joy out of {new}, I love it",
        ],
        Told::Dislikes => &[
            "I do not like {new} at all",
            "I've a strong dislike for {new}, I hate it",
            "I really hate {new}",
            "I don't enjoy {new}",
            "I've always disliked {new}",
            "I never cared for {new}",
        ],
        Told::TurnedAgainst => &[
            "I've stopped enjoying {new}",
            "I don't love {new} like I used to, I dislike it now",
            "I'm really sick of {new} now",
            "I've turned against {new}, I hate it",
            "My love for {new} is over, I can't stand it now",
            "I have come to hate {new}",
        ],
        Told::TurnedTowards => &[
            "I've discovered that I like {new}",
            "I have grown fond of {new}",
            "I've really come to love {new}",
            "To my surprise I like {new} now",
            "I gave {new} another chance and now I love it",
            "I've warmed up to {new}",
        ],
        Told::Favourite => &[
            "The {of} I like best is {new}, it's my favourite {of}",
            "{new} is by far my favourite {of}",
            "My favourite {of} is definitely {new}",
            "My favourite {of} would have to be {new}, I mean my favourite {of} is {new}",
        ],
        Told::FavouriteChanged => &[
            "My favourite {of} is now {new}",
            "I've switched my favourite {of} from {old} to {new}",
            "My favourite {of} used to be {old} but now it is {new}",
            "As of late my favourite {of} is {new}",
            "{old} was my favourite {of}, now it's {new}",
        ],
        Told::Diet => {
            &["I don't eat meat, I'm {new}", "I've been a {new} since school", "I consider myself {new}"]
        }
        Told::DietChanged => &[
            "I've started a {new} diet",
            "I've decided to live {new} now",
            "My diet has changed, I'm {new} now",
            "I'm officially {new} now",
            "I turned into a {new}",
        ],
        Told::MeatAgain => &[
            "I eat meat again these days",
            "I've returned to eating meat",
            "I gave up on being {old} and eat meat again",
        ],
        Told::Friend => &[
            "I was on the phone with my friend {who} who lives in {new}",
            "My friend {who} resides in {new}",
            "My old friend {who} is living in {new}",
        ],
        Told::FriendMoved => &[
            "{who} relocated from {old} to {new}",
            "{who} decided to leave {old} and now lives in {new}",
            "My friend {who} now lives in {new}",
            "{who} bought a house in {new} and moved there",
        ],
        Told::FriendWorks => {
            &["{who} now works for {new}", "{who} was hired by {new}", "{who} works over at {new}"]
        }
        Told::Car => &["My current car is a {new}", "I drive around in a {new}", "We have a {new}"],
        Told::CarChanged => &[
            "I've swapped the {old} for a {new}",
            "I have a {new} now",
            "We sold our {old} and drive a {new} now",
            "I've bought a new car, a {new}",
            "My car is now a {new}",
        ],
        Told::Birthday => &[
            "My birthday is always on {new}",
            "I'll celebrate my birthday on {new}",
            "I was born on {new}, a long time ago",
        ],
        Told::Allergy => &[
            "I react badly to {new}, I'm allergic to them",
            "My only allergy is {new}",
            "I'm terribly allergic to {new}",
        ],
        Told::Language => &[
            "I'm a fluent speaker of {new}",
            "I speak {new} fluently",
            "I can hold a conversation in {new}, I speak {new}",
        ],
        Told::Partner => &[
            "My better half, my partner {new}, is on a trip",
            "My partner {new} sends regards",
            "I've been dating {new} for a year",
        ],
        Told::DrinkSwitched => &[
            "I've changed from {old} to {new}",
            "I now drink {new} rather than {old}",
            "I've been drinking {new} instead of {old} lately",
            "I dropped {old} and drink {new} now",
            "I drink {new} these days, not {old}",
        ],
        Told::LivedThen => tellings(told),
    }
}

pub fn other_questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &[
            "What's the name of the city I live in?",
            "Which city is home for me?",
            "Where do I currently live?",
            "Where's my flat?",
            "Do you remember which town I live in?",
        ],
        Ask::HomeThen => &[
            "Where was home for me {when}?",
            "Which city did I live in {when}?",
            "Where did I reside {when}?",
            "Can you tell me where I lived {when}?",
        ],
        Ask::HomeBefore => &[
            "Where did I live right before {old}?",
            "From which city did I move to {old}?",
            "Where was my home before {old}?",
            "Where did I live before I went to {old}?",
        ],
        Ask::Employer => &[
            "What company am I employed at?",
            "Where do I have a job?",
            "Who do I currently work for?",
            "Whom do I work for?",
            "Which company am I working at now?",
        ],
        Ask::EmployerThen => &[
            "Which company was I working at {when}?",
            "Where did I have a job {when}?",
            "Whom did I work for {when}?",
        ],
        Ask::EmployerBefore => &[
            "Where did I work just before {old}?",
            "Which company did I leave to join {old}?",
            "Who was I working for before {old}?",
        ],
        Ask::Title => &[
            "What do I do professionally?",
            "What's my current job title?",
            "In what role do I work?",
            "What work do I do?",
        ],
        Ask::Pet => &[
            "Which name does my {kind} have now?",
            "What is my {kind} named?",
            "Do you know what my {kind} is called?",
            "What's my {kind}'s name these days?",
        ],
        Ask::PetBefore => &[
            "What was my {kind} named before?",
            "What was my {kind}'s earlier name?",
            "What was the former name of my {kind}?",
        ],
        Ask::Opinion => &[
            "Is {old} something I enjoy?",
            "What do I feel about {old}?",
            "Do I currently like {old}?",
            "Am I someone who likes {old}?",
        ],
        Ask::Favourite => &[
            "What is currently my favourite {of}?",
            "Which {of} do I prefer most?",
            "Do you remember my favourite {of}?",
        ],
        Ask::FavouriteBefore => {
            &["What had been my favourite {of} before?", "What was my earlier favourite {of}?"]
        }
        Ask::Diet => {
            &["Do I have a special diet?", "What about meat, do I eat it?", "Which diet do I follow?"]
        }
        Ask::FriendHome => &[
            "Which city does {who} live in?",
            "Where's {who} living now?",
            "Where does {who} live these days?",
        ],
        Ask::FriendHomeBefore => {
            &["Where was {who} living previously?", "Where did {who} live before moving to {old}?"]
        }
        Ask::FriendEmployer => &["What company does {who} work for?", "Who is {who} working for?"],
        Ask::Car => &["What's the car I drive?", "What car do I own?", "Which car am I driving these days?"],
        Ask::CarBefore => &["What car did I own before?", "Which car did I drive before the {old}?"],
        Ask::Birthday => &["What's the date of my birthday?", "Do you remember when my birthday is?"],
        Ask::Allergy => &["To what am I allergic?", "Do you know my allergies?"],
        Ask::Language => &["What languages do I know?", "What else do I speak, which languages?"],
        Ask::Partner => &["What is my partner's name?", "Do you know who my partner is?"],
        Ask::Name => &["Can you tell me my name?", "What do people call me?"],
        Ask::Drink => &["What do I drink at the moment?", "What is my drink now?"],
        Ask::Unknown => questions(ask),
    }
}
