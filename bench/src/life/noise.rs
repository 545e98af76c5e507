//! What people say beside facts, and what looks like one and is none. `{city}`, `{company}`, `{name}`, `{food}` and
//! `{kind}` are filled with what is nobody's.

pub const NOISE: &[&str] = &[
    "What's the weather like?", "Good morning!", "Can you set a timer for ten minutes?", "I slept badly.", "I'm tired today.", "Work was exhausting.", "Thanks, that helped a lot.", "I had a great day.", "What should I cook tonight?", "Tell me a joke.", "I have a headache from all these meetings.",
    "Do I live in {city}?", "Should I move to {city}?", "Would you rather live in {city} or in {city}?", "What's it like to live in {city}?", "How much is rent in {city}?", "Do you know anybody who works at {company}?", "Is {company} a good employer?", "Would {name} be a good name for a {kind}?", "Do I like {food}?",
    "If I lived in {city}, I would cycle every day.", "If I worked at {company}, I'd be rich.", "I wish I lived in {city}.", "I wish I had a {kind} called {name}.", "Imagine I moved to {city}.", "I might move to {city} one day.", "Maybe I should apply at {company}.", "I could never work at {company}.", "I'm thinking about moving to {city}.", "I almost took a job at {company} once.", "Perhaps I'll become a baker.", "Suppose I quit my job and move to {city}.",
    "I live on the moon, haha", "I'm moving to Mars lol", "My {kind} is called Sir Barksalot the Third. Just kidding!", "I work at the circus 😂", "I'm the king of {city}, jk", "I hate {food} so much haha",
    "She wrote \"I live in {city} and work at {company}\"", "The song goes \"I moved to {city} and lost my heart\"", "> I live in {city} now\n> and my {kind} is called {name}", "He said \"my {kind} is called {name}\" and everyone laughed.", "The ad says: \"I switched to {company} and never looked back\"", "Translate into French: I live in {city} and my {kind} is called {name}.", "```\nI live in {city}\n```", "Proofread this please: I work at {company} and I love {food}.",
    "My colleague just moved to {city}.", "My neighbour works at {company}.", "My boss has a {kind} called {name}.", "My cousin is vegan now.", "My aunt lives in {city}.", "My neighbour's {kind} is called {name}.", "A guy at the gym works for {company}.", "My colleague hates {food}.", "My boss says I should move to {city}.", "My cousin's favourite colour is beige.", "My uncle drives a tractor.",
    "In my dream I lived in {city}.", "I dreamt that I worked at {company}.", "In the book I'm reading, the hero lives in {city} and has a {kind} called {name}.", "Let's pretend I'm a pirate from {city}.", "I watched a film about {city} yesterday.", "I read an article about {company}.", "{city} is a beautiful city.", "The train to {city} was late again.", "{company} was in the news today.",
    "Someone asked me if I live in {city}.", "People always think I'm from {city}.", "You said I live in {city}, that is wrong.", "I love it when it rains.", "I hate waiting.", "I like your idea.", "I went to the supermarket.", "I cleaned the kitchen.", "I called my mother.", "Let me know if you have an idea.", "How do you say \"I live in {city}\" in Spanish?",
];
pub const CITIES: &[&str] = &["Atlantis", "Timbuktu", "Ulaanbaatar", "Reykjavik", "Honolulu", "Anchorage", "Kathmandu", "Lima"];
pub const COMPANIES: &[&str] = &["Initech", "Hooli", "Globex", "Umbrella", "Cyberdyne", "Wonka"];
pub const NAMES: &[&str] = &["Fluffball", "Godzilla", "Zorro", "Wolfgang", "Hercules"];
pub const FOODS: &[&str] = &["haggis", "durian", "tripe", "natto"];
pub const KINDS: &[&str] = &["dog", "cat", "parrot"];
