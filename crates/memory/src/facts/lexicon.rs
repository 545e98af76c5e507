//! Words that the rules know by kind.

pub fn animal(word: &str) -> Option<&'static str> {
    Some(match word {
        "dog" | "dogs" | "puppy" | "pup" | "puppies" | "labrador" | "lab" | "poodle" | "beagle"
        | "terrier" | "retriever" | "dachshund" | "husky" | "corgi" | "bulldog" | "collie" | "spaniel"
        | "whippet" | "greyhound" | "mutt" | "shepherd" | "pug" | "chihuahua" | "dalmatian"
        | "labradoodle" | "cockapoo" | "schnauzer" | "hound" | "pooch" => "dog",
        "cat" | "cats" | "kitten" | "kittens" | "tabby" | "kitty" | "tomcat" | "siamese" | "persian"
        | "moggy" => "cat",
        "parrot" | "parakeet" | "cockatiel" | "macaw" => "parrot",
        "bird" | "budgie" | "canary" | "finch" | "birds" => "bird",
        "hamster" | "hamsters" => "hamster",
        "gerbil" => "gerbil",
        "rabbit" | "bunny" | "rabbits" | "bunnies" => "rabbit",
        "guinea-pig" | "guinea" => "guinea pig",
        "horse" | "pony" | "mare" | "horses" | "foal" => "horse",
        "fish" | "goldfish" | "betta" => "fish",
        "tortoise" | "turtle" => "tortoise",
        "snake" | "python" => "snake",
        "lizard" | "gecko" | "iguana" => "lizard",
        "ferret" => "ferret",
        "rat" | "mouse" => "rat",
        "hedgehog" => "hedgehog",
        "chicken" | "hen" | "hens" | "chickens" => "chicken",
        "goat" | "goats" => "goat",
        "donkey" => "donkey",
        "pet" | "pets" => "pet",
        _ => return None,
    })
}

/// A person by what they are to somebody, in one spelling.
pub fn relation(word: &str) -> Option<&'static str> {
    const ONES: &[&str] = &[
        "sister",
        "brother",
        "mother",
        "father",
        "wife",
        "husband",
        "partner",
        "girlfriend",
        "boyfriend",
        "fiancé",
        "son",
        "daughter",
        "child",
        "baby",
        "aunt",
        "uncle",
        "cousin",
        "niece",
        "nephew",
        "grandmother",
        "grandfather",
        "grandson",
        "granddaughter",
        "friend",
        "colleague",
        "coworker",
        "boss",
        "manager",
        "neighbour",
        "roommate",
        "flatmate",
        "housemate",
        "teacher",
        "doctor",
        "dentist",
        "therapist",
        "landlord",
        "landlady",
        "stepmother",
        "stepfather",
        "stepson",
        "stepdaughter",
        "stepbrother",
        "stepsister",
        "godmother",
        "godfather",
        "godson",
        "goddaughter",
        "ex",
        "ex-wife",
        "ex-husband",
        "ex-girlfriend",
        "ex-boyfriend",
        "mother-in-law",
        "father-in-law",
        "sister-in-law",
        "brother-in-law",
        "spouse",
        "twin",
        "mentor",
        "trainer",
        "coach",
        "client",
        "parents",
        "kids",
        "children",
        "grandparents",
        "sons",
        "daughters",
        "brothers",
        "sisters",
        "friends",
        "pal",
        "mate",
        "buddy",
        "classmate",
        "nanny",
        "babysitter",
        "teammate",
        "kid",
        "in-laws",
        "fiancé",
        "physio",
        "accountant",
        "hairdresser",
        "barber",
        "lawyer",
        "vet",
        "tutor",
        "supervisor",
        "penpal",
        "great-aunt",
        "half-sister",
        "half-brother",
    ];
    Some(match word {
        "neighbor" => "neighbour",
        "pal" | "mate" | "buddy" => "friend",
        "coworker" => "colleague",
        "spouse" => "partner",
        "kid" => "child",
        "kids" => "children",
        "manager" | "supervisor" => "boss",
        _ => return ONES.iter().find(|known| **known == word).copied(),
    })
}

/// Words before a relation or an animal that say which one.
pub fn is_which(word: &str) -> bool {
    matches!(
        word,
        "last"
            | "very"
            | "older"
            | "younger"
            | "little"
            | "big"
            | "elder"
            | "eldest"
            | "oldest"
            | "youngest"
            | "dear"
            | "own"
            | "new"
            | "old"
            | "other"
            | "middle"
            | "late"
            | "beloved"
            | "lovely"
            | "first"
            | "second"
            | "third"
            | "only"
            | "baby"
            | "current"
            | "childhood"
            | "good"
            | "close"
            | "work"
            | "former"
            | "next-door"
            | "upstairs"
            | "downstairs"
            | "pet"
            | "family"
            | "poor"
            | "sweet"
            | "darling"
            | "tiny"
            | "black"
            | "white"
            | "ginger"
            | "grey"
            | "gray"
            | "brown"
            | "golden"
            | "german"
            | "french"
            | "english"
            | "rescue"
            | "cute"
            | "twin"
            | "small"
            | "great"
            | "dutch"
            | "jack"
            | "russell"
            | "border"
            | "adorable"
            | "tabby"
            | "siamese"
            | "two-year-old"
            | "year-old"
            | "fluffy"
            | "crazy"
            | "lazy"
            | "stray"
            | "male"
            | "female"
            | "another"
            | "three-legged"
            | "british"
            | "maine"
            | "coon"
            | "house"
            | "silly"
            | "grumpy"
            | "orange"
            | "red"
            | "wee"
    )
}

pub fn is_diet(word: &str) -> bool {
    matches!(
        word,
        "vegan"
            | "vegetarian"
            | "veggie"
            | "pescatarian"
            | "pescetarian"
            | "flexitarian"
            | "keto"
            | "carnivore"
            | "omnivore"
            | "gluten-free"
            | "paleo"
            | "plant-based"
            | "kosher"
            | "halal"
            | "teetotal"
            | "sober"
            | "dairy-free"
            | "low-carb"
            | "meat-free"
            | "sugar-free"
            | "teetotaller"
            | "omnivorous"
            | "meat-eater"
    )
}

pub fn is_nationality(word: &str) -> bool {
    const ONES: &[&str] = &[
        "german",
        "french",
        "british",
        "english",
        "scottish",
        "welsh",
        "irish",
        "american",
        "canadian",
        "australian",
        "italian",
        "spanish",
        "portuguese",
        "dutch",
        "belgian",
        "swiss",
        "austrian",
        "polish",
        "czech",
        "danish",
        "swedish",
        "norwegian",
        "finnish",
        "icelandic",
        "russian",
        "ukrainian",
        "greek",
        "turkish",
        "hungarian",
        "romanian",
        "bulgarian",
        "serbian",
        "croatian",
        "indian",
        "pakistani",
        "chinese",
        "japanese",
        "korean",
        "thai",
        "vietnamese",
        "filipino",
        "indonesian",
        "malaysian",
        "egyptian",
        "moroccan",
        "nigerian",
        "kenyan",
        "ghanaian",
        "south-african",
        "ethiopian",
        "iranian",
        "iraqi",
        "israeli",
        "lebanese",
        "syrian",
        "mexican",
        "brazilian",
        "argentinian",
        "argentine",
        "chilean",
        "colombian",
        "peruvian",
        "cuban",
        "kiwi",
        "aussie",
        "taiwanese",
        "estonian",
        "latvian",
        "lithuanian",
        "slovak",
        "slovenian",
        "persian",
        "bangladeshi",
        "algerian",
        "tunisian",
        "venezuelan",
    ];
    ONES.contains(&word)
}

pub fn is_language(word: &str) -> bool {
    is_nationality(word)
        || matches!(
            word,
            "mandarin"
                | "cantonese"
                | "arabic"
                | "hebrew"
                | "hindi"
                | "urdu"
                | "farsi"
                | "latin"
                | "swahili"
                | "catalan"
                | "basque"
                | "gaelic"
                | "esperanto"
                | "bengali"
                | "tamil"
                | "afrikaans"
                | "yiddish"
                | "tagalog"
                | "python"
                | "rust"
                | "sign"
        )
}

/// Work that people say they are: by name, or by how such words end.
pub fn is_occupation(words: &[&str]) -> bool {
    const ONES: &[&str] = &[
        "nurse",
        "doctor",
        "engineer",
        "teacher",
        "lawyer",
        "chef",
        "cook",
        "baker",
        "pilot",
        "artist",
        "writer",
        "author",
        "journalist",
        "designer",
        "developer",
        "programmer",
        "coder",
        "manager",
        "consultant",
        "accountant",
        "architect",
        "plumber",
        "electrician",
        "carpenter",
        "mechanic",
        "farmer",
        "gardener",
        "barista",
        "waiter",
        "waitress",
        "bartender",
        "driver",
        "builder",
        "scientist",
        "researcher",
        "professor",
        "lecturer",
        "librarian",
        "translator",
        "interpreter",
        "editor",
        "photographer",
        "musician",
        "actor",
        "actress",
        "dancer",
        "singer",
        "paramedic",
        "firefighter",
        "firewoman",
        "fireman",
        "policeman",
        "policewoman",
        "cop",
        "soldier",
        "vet",
        "veterinarian",
        "dentist",
        "pharmacist",
        "physiotherapist",
        "physio",
        "therapist",
        "psychologist",
        "psychiatrist",
        "surgeon",
        "midwife",
        "cleaner",
        "cashier",
        "clerk",
        "secretary",
        "receptionist",
        "recruiter",
        "salesperson",
        "salesman",
        "saleswoman",
        "sales",
        "banker",
        "broker",
        "analyst",
        "economist",
        "statistician",
        "mathematician",
        "physicist",
        "chemist",
        "biologist",
        "geologist",
        "historian",
        "curator",
        "tailor",
        "hairdresser",
        "barber",
        "butcher",
        "florist",
        "postman",
        "postwoman",
        "courier",
        "tester",
        "admin",
        "administrator",
        "technician",
        "welder",
        "roofer",
        "painter",
        "plasterer",
        "intern",
        "trainee",
        "apprentice",
        "freelancer",
        "contractor",
        "entrepreneur",
        "founder",
        "ceo",
        "cto",
        "cfo",
        "director",
        "head",
        "lead",
        "supervisor",
        "coordinator",
        "assistant",
        "officer",
        "agent",
        "judge",
        "nanny",
        "tutor",
        "coach",
        "trainer",
        "instructor",
        "guide",
        "guard",
        "sommelier",
        "beekeeper",
        "shepherd",
        "fisherman",
        "sailor",
        "captain",
        "conductor",
        "tram",
        "principal",
        "headteacher",
        "dean",
        "blogger",
        "streamer",
        "youtuber",
        "copywriter",
        "planner",
        "strategist",
        "specialist",
        "representative",
        "rep",
        "operator",
        "optician",
        "radiographer",
        "dietitian",
        "nutritionist",
        "stylist",
        "illustrator",
        "animator",
        "partner",
        "owner",
        "producer",
        "priest",
        "pastor",
        "monk",
        "nun",
        "social",
        "caretaker",
        "janitor",
        "carer",
        "caregiver",
        "ranger",
        "counsellor",
        "counselor",
        "executive",
        "foreman",
        "sculptor",
        "potter",
        "blacksmith",
        "astronomer",
        "archaeologist",
        "zookeeper",
    ];
    let head = words
        .iter()
        .take_while(|word| {
            !matches!(
                **word,
                "at" | "for" | "in" | "with" | "of" | "by" | "on" | "," | "and" | "who" | "from"
            )
        })
        .last()
        .copied()
        .unwrap_or("");
    ONES.contains(&head)
}

pub fn is_vehicle(words: &[&str]) -> bool {
    const ONES: &[&str] = &[
        "car",
        "tesla",
        "golf",
        "volkswagen",
        "vw",
        "bmw",
        "audi",
        "mercedes",
        "toyota",
        "honda",
        "ford",
        "fiat",
        "renault",
        "peugeot",
        "citroen",
        "citroën",
        "volvo",
        "mazda",
        "nissan",
        "hyundai",
        "kia",
        "skoda",
        "škoda",
        "seat",
        "opel",
        "vauxhall",
        "porsche",
        "subaru",
        "jeep",
        "mini",
        "polo",
        "prius",
        "corolla",
        "civic",
        "focus",
        "fiesta",
        "clio",
        "punto",
        "panda",
        "passat",
        "leaf",
        "zoe",
        "yaris",
        "corsa",
        "van",
        "truck",
        "pickup",
        "suv",
        "dacia",
        "lexus",
        "chevrolet",
        "chevy",
        "jaguar",
        "twingo",
        "cooper",
        "octavia",
        "fabia",
        "ioniq",
        "land-rover",
    ];
    words
        .iter()
        .any(|word| ONES.contains(word) || matches!(word.strip_prefix("model"), Some("3" | "y" | "s")))
}

/// A thing that people say they have one of.
pub fn thing(word: &str) -> Option<&'static str> {
    Some(match word {
        "car" | "van" | "truck" | "ride" | "wheels" | "vehicle" => "car",
        "bike" | "bicycle" | "ebike" | "e-bike" => "bike",
        "motorbike" | "motorcycle" | "scooter" | "vespa" | "moped" => "motorbike",
        "phone" | "iphone" | "pixel" | "smartphone" | "fairphone" | "galaxy" => "phone",
        "laptop" | "macbook" | "thinkpad" => "laptop",
        "computer" | "pc" | "desktop" | "imac" => "computer",
        "tablet" | "ipad" | "kindle" => "tablet",
        "guitar" => "guitar",
        "piano" => "piano",
        "violin" => "violin",
        "camera" => "camera",
        "boat" | "sailboat" => "boat",
        "caravan" | "campervan" | "camper" => "camper",
        "playstation" | "xbox" | "console" => "console",
        "telescope" => "telescope",
        "garden" | "allotment" => "garden",
        "tattoo" | "tattoos" => "tattoo",
        _ => return None,
    })
}

/// How long an illness lasts, in days; none for what stays.
pub fn illness(words: &[&str]) -> Option<Option<i64>> {
    for word in words {
        let days = match *word {
            "cold" | "fever" | "headache" | "hangover" | "cough" | "sniffles" | "migraine"
            | "stomachache" | "toothache" | "backache" => Some(7),
            "flu" | "covid" | "infection" | "bronchitis" | "tonsillitis" | "bug" | "sprain" | "sunburn" => {
                Some(14)
            }
            "pneumonia" | "concussion" | "shingles" | "mono" => Some(60),
            "asthma" | "diabetes" | "adhd" | "add" | "autism" | "arthritis" | "epilepsy" | "depression"
            | "anxiety" | "migraines" | "hypertension" | "anaemia" | "anemia" | "eczema" | "psoriasis"
            | "endometriosis" | "ibs" | "celiac" | "coeliac" | "crohn" | "insomnia" | "tinnitus"
            | "dyslexia" | "cancer" | "hypothyroidism" | "asthmatic" | "diabetic" | "dyslexic"
            | "autistic" | "epileptic" | "allergies" | "pcos" | "ptsd" | "ocd" | "bipolar" | "scoliosis"
            | "apnea" | "apnoea" | "lupus" | "ms" => None,
            _ => continue,
        };
        return Some(days);
    }
    None
}

/// The family of the first word of a text that has one.
pub fn family_of(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    if text.contains("hot chocolate") {
        return Some("drink");
    }
    let families = || text.split(|c: char| !c.is_alphanumeric() && c != '-').filter_map(family);
    // Green tea is a drink.
    families().find(|family| *family != "colour").or_else(|| families().next())
}

/// What a thing that is liked, eaten or drunk belongs to.
pub fn family(word: &str) -> Option<&'static str> {
    const DRINKS: &[&str] = &[
        "tea",
        "coffee",
        "espresso",
        "latte",
        "cappuccino",
        "matcha",
        "beer",
        "wine",
        "cider",
        "water",
        "juice",
        "cola",
        "coke",
        "lemonade",
        "milk",
        "cocoa",
        "whisky",
        "whiskey",
        "gin",
        "rum",
        "smoothie",
        "smoothies",
        "kombucha",
        "chai",
        "rooibos",
        "soda",
        "prosecco",
        "champagne",
        "decaf",
        "vodka",
        "oolong",
        "earl",
        "americano",
        "mate",
    ];
    const FOODS: &[&str] = &[
        "pizza",
        "pasta",
        "sushi",
        "ramen",
        "curry",
        "burger",
        "burgers",
        "tacos",
        "taco",
        "lasagne",
        "lasagna",
        "risotto",
        "chocolate",
        "cheese",
        "bread",
        "cake",
        "ice-cream",
        "icecream",
        "mushrooms",
        "mushroom",
        "olives",
        "olive",
        "coriander",
        "cilantro",
        "broccoli",
        "spinach",
        "fish",
        "meat",
        "steak",
        "chicken",
        "tofu",
        "falafel",
        "hummus",
        "salad",
        "soup",
        "pancakes",
        "croissants",
        "dumplings",
        "pho",
        "kimchi",
        "liquorice",
        "licorice",
        "marzipan",
        "peanuts",
        "nuts",
        "oysters",
        "shrimp",
        "avocado",
        "bananas",
        "mango",
        "mangoes",
        "apples",
        "pineapple",
        "aubergine",
        "eggplant",
        "tomatoes",
        "onions",
        "garlic",
        "anchovies",
        "seafood",
        "noodles",
        "paella",
        "biryani",
        "pierogi",
        "fries",
        "chips",
        "cheesecake",
        "tiramisu",
        "beetroot",
        "celery",
        "lentils",
        "porridge",
        "cheddar",
        "gnocchi",
        "spaghetti",
        "burritos",
        "brussels",
        "raisins",
        "moussaka",
    ];
    const SPORTS: &[&str] = &[
        "football",
        "soccer",
        "tennis",
        "basketball",
        "swimming",
        "running",
        "cycling",
        "climbing",
        "bouldering",
        "yoga",
        "pilates",
        "hiking",
        "skiing",
        "snowboarding",
        "golf",
        "rugby",
        "cricket",
        "volleyball",
        "badminton",
        "boxing",
        "judo",
        "karate",
        "rowing",
        "surfing",
        "jogging",
        "squash",
        "hockey",
        "handball",
        "padel",
        "fencing",
        "archery",
        "triathlon",
    ];
    const MUSIC: &[&str] = &[
        "jazz",
        "rock",
        "techno",
        "classical",
        "metal",
        "hip-hop",
        "rap",
        "folk",
        "pop",
        "country",
        "blues",
        "reggae",
        "opera",
        "punk",
        "indie",
        "k-pop",
        "soul",
        "bach",
        "mozart",
    ];
    const COLOURS: &[&str] = &[
        "red",
        "blue",
        "green",
        "yellow",
        "orange",
        "purple",
        "black",
        "white",
        "pink",
        "grey",
        "gray",
        "brown",
        "turquoise",
        "teal",
        "burgundy",
        "navy",
        "violet",
        "indigo",
        "lilac",
        "emerald",
        "magenta",
    ];
    for (family, words) in
        [("drink", DRINKS), ("food", FOODS), ("sport", SPORTS), ("music", MUSIC), ("colour", COLOURS)]
    {
        if words.contains(&word) {
            return Some(family);
        }
    }
    None
}
