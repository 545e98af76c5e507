//! How people ask.

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ask {
    Home,
    HomeThen,
    HomeBefore,
    Employer,
    EmployerThen,
    EmployerBefore,
    Title,
    Pet,
    PetBefore,
    Opinion,
    Favourite,
    FavouriteBefore,
    Diet,
    FriendHome,
    FriendHomeBefore,
    FriendEmployer,
    Car,
    CarBefore,
    Birthday,
    Allergy,
    Language,
    Partner,
    Name,
    Drink,
    DrinkBefore,
    Unknown,
}

/// `{old}` is a value, `{when}` a month or so, `{kind}`, `{of}` and `{who}` as in what was told.
pub fn questions(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Home => &["Where do I live?", "where do i live now", "What city do I live in?", "Do you remember where I live?", "Which city am I living in these days?", "Where's my home?", "Where am I based?", "Can you tell me where I live at the moment?", "In which town do I currently live?", "Where am I living?", "what's my current city", "Where have I settled?"],
        Ask::HomeThen => &["Where did I live {when}?", "Where was I living {when}?", "What city did I live in {when}?", "where was my home {when}", "{when}, where did I live?", "Which city was I based in {when}?", "Do you know where I lived {when}?"],
        Ask::HomeBefore => &["Where did I live before {old}?", "Where was I living before I moved to {old}?", "Before {old}, where did I live?", "What city did I live in before {old}?", "Where did I move to {old} from?", "Where did I live before moving to {old}?"],
        Ask::Employer => &["Where do I work?", "Who do I work for?", "Where am I working these days?", "Which company do I work for?", "What's my employer called?", "Who is my employer?", "Where do I work now?", "what company am i at", "Do you remember where I work?", "Who employs me at the moment?"],
        Ask::EmployerThen => &["Where did I work {when}?", "Who did I work for {when}?", "Where was I working {when}?", "Which company did I work for {when}?", "Who was my employer {when}?", "{when}, where was I working?"],
        Ask::EmployerBefore => &["Where did I work before {old}?", "Who did I work for before {old}?", "Where did I work before I joined {old}?", "What was my job before {old}?", "Who was my employer before {old}?", "Before {old}, where did I work?"],
        Ask::Title => &["What's my job?", "What do I do for a living?", "What is my job title?", "What's my profession?", "What do I work as?", "What's my occupation?", "What is my current role?"],
        Ask::Pet => &["What's my {kind} called?", "What is my {kind}'s name?", "What's the name of my {kind}?", "whats my {kind}s name", "Do you remember my {kind}'s name?", "How is my {kind} called now?", "What do we call the {kind}?", "What's my {kind}'s current name?"],
        Ask::PetBefore => &["What was my {kind} called before?", "What was my {kind} called before we renamed it?", "What was my {kind}'s old name?", "What did my {kind} use to be called?", "What was the {kind}'s name before {old}?", "What was the previous name of my {kind}?", "What was my {kind} originally called?"],
        Ask::Opinion => &["Do I like {old}?", "How do I feel about {old}?", "What do I think of {old}?", "Do I still like {old}?", "Am I a fan of {old}?", "What's my opinion on {old}?"],
        Ask::Favourite => &["What's my favourite {of}?", "what is my favorite {of}", "Which {of} is my favourite?", "Do you know my favourite {of}?", "What is my favourite {of} these days?", "My favourite {of} is what again?"],
        Ask::FavouriteBefore => &["What was my favourite {of} before?", "What did my favourite {of} use to be?", "What was my previous favourite {of}?", "What was my old favourite {of}?", "What used to be my favourite {of}?"],
        Ask::Diet => &["What's my diet?", "Am I vegetarian or vegan?", "Do I eat meat?", "Do I follow a diet?", "Am I vegetarian?", "What kind of diet do I follow?"],
        Ask::FriendHome => &["Where does {who} live?", "Where does my friend {who} live now?", "What city is {who} in these days?", "Where is {who} living?", "Do you remember where {who} lives?"],
        Ask::FriendHomeBefore => &["Where did {who} live before?", "Where did {who} use to live?", "Where did {who} live before {old}?", "Where was {who} living before?"],
        Ask::FriendEmployer => &["Where does {who} work?", "Who does {who} work for?", "Which company does {who} work for?", "Where is {who} working?"],
        Ask::Car => &["What car do I drive?", "What do I drive?", "What's my car?", "Which car do I have?", "What kind of car do I own now?", "what car do i have these days"],
        Ask::CarBefore => &["What car did I have before?", "What was my previous car?", "What did I drive before the {old}?", "What was my old car?", "Which car did I use to drive?"],
        Ask::Birthday => &["When is my birthday?", "What's my birthday?", "When was I born?", "On what day is my birthday?", "Do you know my birthday?"],
        Ask::Allergy => &["What am I allergic to?", "Do I have any allergies?", "Which allergies do I have?", "Is there anything I'm allergic to?"],
        Ask::Language => &["What languages do I speak?", "Which languages do I speak?", "What language can I speak?"],
        Ask::Partner => &["What's my partner called?", "Who is my partner?", "What is the name of my partner?", "Who am I together with?"],
        Ask::Name => &["What's my name?", "Do you know my name?", "What am I called?", "What is my name again?"],
        Ask::Drink => &["What do I drink these days?", "What do I usually drink?", "What do I drink now?", "Which drink did I switch to?"],
        Ask::DrinkBefore => &["What did I use to drink?", "What did I drink before?", "What did I drink before {old}?"],
        Ask::Unknown => &["What's my blood type?", "What is my shoe size?", "What's my brother's name?", "Where did I go to university?", "What's my landlord called?", "What is my hamster's name?", "What's my favourite board game?", "What's your favourite colour?", "What is my wifi password?", "Where does my brother live?", "What is my grandmother called?", "When is my dentist appointment?", "What instrument do I play?", "What's my star sign?"],
    }
}
