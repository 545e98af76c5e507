//! Words that the rules know, by kind.

pub use super::likeable::{describes_likeable, is_likeable};
pub use super::well_known::{is_ambiguous, is_city, is_company, is_given_name};
use super::wordlists::{FAMILIES, NATIONALITIES, OCCUPATIONS, RELATIONS, VEHICLES};

pub fn animal(word: &str) -> Option<&'static str> {
    Some(match word {
        "dog" | "dogs" | "puppy" | "pup" | "puppies" | "labrador" | "poodle" | "beagle" | "terrier"
        | "retriever" | "dachshund" | "husky" | "corgi" | "bulldog" | "collie" | "spaniel" | "whippet"
        | "greyhound" | "mutt" | "shepherd" | "pug" | "chihuahua" | "dalmatian" | "labradoodle"
        | "cockapoo" | "schnauzer" | "hound" | "pooch" => "dog",
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

/// Returns the canonical word for a person's relation to another.
pub fn relation(word: &str) -> Option<&'static str> {
    Some(match word {
        "neighbor" => "neighbour",
        "pal" | "mate" | "buddy" => "friend",
        "coworker" => "colleague",
        "spouse" => "partner",
        "kid" => "child",
        "kids" => "children",
        "manager" | "supervisor" => "boss",
        _ => return RELATIONS.get(word).copied(),
    })
}

/// Returns true for words that qualify a relation or an animal.
pub fn is_which(word: &str) -> bool {
    words!(
        "last very older younger little big elder eldest oldest youngest dear own new old other middle late \
        beloved lovely first second third only baby current childhood good close work former next-door \
        upstairs downstairs pet family poor sweet darling tiny black white ginger grey gray brown golden \
        german french english rescue cute twin small great dutch jack russell border adorable tabby \
        siamese two-year-old year-old fluffy crazy lazy stray male female another three-legged british \
        maine coon house silly grumpy orange red wee teenage grown-up adult"
    )
    .contains(word)
        || word.ends_with("-year-old")
}

/// Returns true for words that change a relation: a *birth mother* is not the person called mother.
pub fn is_by_birth(word: &str) -> bool {
    words!("birth biological adoptive foster host").contains(word)
}

pub fn is_diet(word: &str) -> bool {
    words!(
        "vegan vegetarian veggie pescatarian pescetarian flexitarian keto carnivore omnivore gluten-free \
        paleo plant-based kosher halal teetotal sober dairy-free low-carb meat-free sugar-free teetotaller \
        omnivorous meat-eater"
    )
    .contains(word)
}

pub fn is_nationality(word: &str) -> bool {
    NATIONALITIES.contains(word)
}

pub fn is_language(word: &str) -> bool {
    is_nationality(word)
            && !words!(
                "british american canadian australian belgian swiss austrian indian egyptian moroccan nigerian kenyan \
                ghanaian south-african ethiopian iranian iraqi israeli lebanese syrian mexican brazilian argentinian \
                argentine chilean colombian peruvian cuban kiwi aussie taiwanese bangladeshi algerian tunisian venezuelan \
                pakistani"
            )
            .contains(word)
        || words!(
            "mandarin cantonese arabic hebrew hindi urdu farsi latin swahili catalan basque gaelic \
            esperanto bengali tamil afrikaans yiddish tagalog python rust sign"
        )
        .contains(word)
}

/// Returns true for occupations, recognised by name or by typical endings.
pub fn is_occupation(words: &[&str]) -> bool {
    let head = words
        .iter()
        .take_while(|word| {
            !words!("at for in with of by on , and who from so but because which until").contains(**word)
        })
        .last()
        .copied()
        .unwrap_or("");
    OCCUPATIONS.contains(head)
}

pub fn is_vehicle(words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| VEHICLES.contains(word) || matches!(word.strip_prefix("model"), Some("3" | "y" | "s")))
}

/// Returns true if the name of a car is also an everyday word.
pub fn is_ambiguous_make(word: &str) -> bool {
    words!("golf seat mini polo focus leaf zoe panda punto civic jaguar fiesta cooper").contains(word)
}

/// Returns the canonical word for a thing that people own one of.
pub fn thing(word: &str) -> Option<&'static str> {
    Some(match word {
        "car" | "van" | "truck" | "ride" | "wheels" | "vehicle" | "whip" | "motor" => "car",
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

/// The typical course of an illness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllnessCourse {
    /// It lasts about this many days.
    Days(i64),
    Stays,
}

/// Returns the course of the first illness among the words.
pub fn illness(words: &[&str]) -> Option<IllnessCourse> {
    for word in words {
        let days =
            match *word {
                "cold" | "fever" | "headache" | "hangover" | "cough" | "sniffles" | "migraine"
                | "stomachache" | "toothache" | "backache" => IllnessCourse::Days(7),
                "flu" | "covid" | "infection" | "bronchitis" | "tonsillitis" | "bug" | "sprain"
                | "sunburn" => IllnessCourse::Days(14),
                "pneumonia" | "concussion" | "shingles" | "mono" => IllnessCourse::Days(60),
                "asthma" | "diabetes" | "adhd" | "add" | "autism" | "arthritis" | "epilepsy"
                | "depression" | "anxiety" | "migraines" | "hypertension" | "anaemia" | "anemia"
                | "eczema" | "psoriasis" | "endometriosis" | "ibs" | "celiac" | "coeliac" | "crohn"
                | "insomnia" | "tinnitus" | "dyslexia" | "cancer" | "hypothyroidism" | "asthmatic"
                | "diabetic" | "dyslexic" | "autistic" | "epileptic" | "allergies" | "pcos" | "ptsd"
                | "ocd" | "bipolar" | "scoliosis" | "apnea" | "apnoea" | "lupus" | "ms" | "stammer"
                | "stutter" | "heterochromia" | "vertigo" | "gout" | "glaucoma" | "vitiligo" | "rosacea"
                | "sciatica" | "fibromyalgia" | "narcolepsy" | "synaesthesia" | "synesthesia"
                | "aphantasia" | "dyspraxia" | "dyscalculia" | "osteoporosis" | "angina" | "cataracts"
                | "lymphoedema" | "haemophilia" | "pacemaker" => IllnessCourse::Stays,
                _ => continue,
            };
        return Some(days);
    }
    None
}

/// Returns the family of the first word in a text that has one.
pub fn family_of(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    if text.contains("hot chocolate") {
        return Some("drink");
    }
    let families = || text.split(|c: char| !c.is_alphanumeric() && c != '-').filter_map(family);
    // Green tea is a drink, not a colour.
    families().find(|family| *family != "colour").or_else(|| families().next())
}

/// Returns the family that a thing to like, eat or drink belongs to.
pub fn family(word: &str) -> Option<&'static str> {
    FAMILIES.get(word).copied()
}

pub fn is_weekday(word: &str) -> bool {
    words!("monday tuesday wednesday thursday friday saturday sunday christmas easter").contains(word)
}

/// Returns true for interjections.
pub fn is_interjection(word: &str) -> bool {
    words!(
        "oh ah um hmm haha damn gosh yay hooray phew whoa man dude guys folks hey hi hello ok okay btw fyi \
        update well yes no yeah wow ugh sorry goodbye bye farewell anyway psa right wait so ps"
    )
    .contains(word)
}

/// Returns true for words that are capitalised at the start of a sentence and are not names.
pub fn is_opening(word: &str) -> bool {
    is_interjection(word)
        || words!(
            "question note plot reminder confession status heads fun guess big news honestly apparently \
            finally sadly luckily today yesterday tomorrow tonight remember best new old first last \
            breaking work home same long short turns good great bad funny people life nothing everything \
            something someone everyone nobody actually besides therefore small quick little birthday \
            allergic favourite boss name job"
        )
        .contains(word)
        || ["ing", "ly", "body", "thing"].iter().any(|end| word.len() > 4 && word.ends_with(end))
        || family(word).is_some()
        || is_likeable(word)
        || animal(word).is_some()
        || is_diet(word)
}

/// Returns true if a word is part of a car's name, and not just a word for a car.
pub fn is_make(word: &str) -> bool {
    VEHICLES.contains(word)
        && !words!("car van truck pickup suv seat focus mini-van leaf polo").contains(word)
        || word == "model-3"
}

/// Returns true for allergens, including those that are not foods.
pub fn is_allergen(word: &str) -> bool {
    words!(
        "pollen dust mites latex penicillin bees wasps shellfish soy soya gluten wheat dairy lactose sesame \
        peanut walnut almond hazelnut kiwis strawberry egg cats dogs horses mould mold nickel aspirin \
        ibuprofen mustard lupin molluscs crustaceans nut"
    )
    .contains(word)
}

/// Returns true for function words, which are no part of a value at its beginning.
pub fn is_function_word(word: &str) -> bool {
    words!(
        "and or but who which that in on at to from with for by of not never always also just still now can \
        will would could should must may might really usually often sometimes only both all finally \
        already actually there here is too currently recently the a an because since does did as him her \
        it me name again she he they about back out over up down away"
    )
    .contains(word)
}
