//! Lists of words that the rules know by kind.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A set of words, built on first use.
pub type WordList = LazyLock<HashSet<&'static str>>;

/// Builds a set of words. It is not inlined: hundreds of lists call it, and inlining adds minutes of compile time.
#[inline(never)]
pub fn list(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Creates a set of words separated by spaces: `words!("tea coffee cocoa").contains(word)`.
macro_rules! words {
    ($list:literal) => {{
        static LIST: $crate::wordlists::WordList =
            std::sync::LazyLock::new(|| $crate::wordlists::list($list));
        &LIST
    }};
}

/// Relations between people.
pub static RELATIONS: WordList = LazyLock::new(|| {
    "sister brother mother father wife husband partner girlfriend boyfriend fiancé son daughter child \
    baby aunt uncle cousin niece nephew grandmother grandfather grandson granddaughter friend colleague \
    coworker boss manager neighbour roommate flatmate housemate teacher doctor dentist therapist \
    landlord landlady stepmother stepfather stepson stepdaughter stepbrother stepsister godmother \
    godfather godson goddaughter ex ex-wife ex-husband ex-girlfriend ex-boyfriend mother-in-law \
    father-in-law sister-in-law brother-in-law daughter-in-law son-in-law great-grandmother great-grandfather \
    spouse twin mentor trainer coach client parents kids children \
    grandparents sons daughters brothers sisters friends pal mate buddy classmate nanny babysitter \
    teammate kid in-laws physio accountant hairdresser barber lawyer vet tutor supervisor penpal \
    great-aunt half-sister half-brother"
        .split_whitespace()
        .collect()
});

/// Words that may stand in the position of a name but are none.
pub static NO_NAMES: WordList = LazyLock::new(|| {
    "good home work flat house place one two three four five six seven eight nine ten thirty forty fifty sometime today \
    life love bed it everything nothing car bus train foot school hospital busy new tired quiet sunny cold hot rainy noisy \
    sick late early ready free happy sad bad fine great ok okay stuck lost alone single same over right winter summer \
    spring all rain snow nobody somebody everybody anybody someone everyone anyone mind step stage phase gear jeans halls \
    private secret confidential important irrelevant unknown driveway mum mom mam dad mama nan gran grandma grandpa papa front back room kitchen office traffic meeting"
        .split_whitespace()
        .collect()
});

/// Products that people move to or live in, which are not places.
pub static PRODUCTS: WordList = LazyLock::new(|| {
    "linux ubuntu debian fedora arch windows macos mac android ios iphone chrome firefox safari edge gmail outlook teams \
    slack discord notion obsidian figma github gitlab jira python rust java kotlin javascript typescript swift postgres \
    mysql sqlite aws azure kubernetes docker vim emacs vscode excel word netflix spotify youtube whatsapp telegram signal \
    twitter mastodon bluesky instagram tiktok facebook reddit chatgpt claude gemini minecraft"
        .split_whitespace()
        .collect()
});

/// Names of medicines for long-term use.
pub static MEDICINES: WordList = LazyLock::new(|| {
    "sertraline fluoxetine citalopram escitalopram venlafaxine duloxetine bupropion mirtazapine amitriptyline lithium \
    quetiapine olanzapine lamotrigine metformin insulin ozempic semaglutide levothyroxine thyroxine statins atorvastatin \
    simvastatin ramipril lisinopril amlodipine bisoprolol metoprolol propranolol losartan warfarin eliquis apixaban \
    xarelto clopidogrel omeprazole lansoprazole pantoprazole cetirizine loratadine methotrexate prednisone prednisolone \
    humira ritalin concerta adderall vyvanse elvanse sumatriptan topiramate gabapentin pregabalin trazodone zopiclone \
    antidepressants beta-blockers ssris hrt"
        .split_whitespace()
        .collect()
});

/// Faiths, as people call themselves.
pub static FAITHS: WordList = LazyLock::new(|| {
    "catholic muslim jewish christian buddhist hindu sikh protestant atheist agnostic lutheran baptist methodist quaker \
    mormon orthodox anglican presbyterian pagan evangelical coptic jain amish mennonite"
        .split_whitespace()
        .collect()
});

/// The last words in names of streets and buildings.
pub static STREETS: WordList = LazyLock::new(|| {
    "street avenue road lane drive boulevard square park beach bridge station airport hospital church school college \
    university hall tower island lake river hill valley county"
        .split_whitespace()
        .collect()
});

/// Nationalities, most of which are also languages.
pub static NATIONALITIES: WordList = LazyLock::new(|| {
    "german french british english scottish welsh irish american canadian australian italian spanish \
    portuguese dutch belgian swiss austrian polish czech danish swedish norwegian finnish icelandic \
    russian ukrainian greek turkish hungarian romanian bulgarian serbian croatian indian pakistani \
    chinese japanese korean thai vietnamese filipino indonesian malaysian egyptian moroccan nigerian \
    kenyan ghanaian south-african ethiopian iranian iraqi israeli lebanese syrian mexican brazilian \
    argentinian argentine chilean colombian peruvian cuban kiwi aussie taiwanese estonian latvian \
    lithuanian slovak slovenian persian bangladeshi algerian tunisian venezuelan"
        .split_whitespace()
        .collect()
});

/// Occupations, by their last word.
pub static OCCUPATIONS: WordList = LazyLock::new(|| {
    "nurse doctor engineer teacher lawyer chef cook baker pilot artist writer author journalist designer \
    developer dev programmer coder manager consultant accountant architect plumber electrician carpenter \
    mechanic farmer gardener barista waiter waitress bartender driver builder scientist researcher \
    professor lecturer librarian translator interpreter editor photographer musician actor actress \
    dancer singer paramedic firefighter firewoman fireman policeman policewoman cop soldier vet \
    veterinarian dentist pharmacist physiotherapist physio therapist psychologist psychiatrist surgeon \
    midwife cleaner cashier clerk secretary receptionist recruiter salesperson salesman saleswoman sales \
    banker broker analyst economist statistician mathematician physicist chemist biologist geologist \
    historian curator tailor hairdresser barber butcher florist postman postwoman courier tester admin \
    administrator technician welder roofer painter plasterer intern trainee apprentice freelancer \
    contractor entrepreneur founder ceo cto cfo director head lead supervisor coordinator assistant \
    officer agent judge nanny tutor coach trainer instructor guide guard sommelier beekeeper shepherd \
    fisherman sailor captain conductor tram principal headteacher dean blogger streamer youtuber \
    copywriter planner strategist specialist representative rep operator optician radiographer dietitian \
    nutritionist stylist illustrator animator partner owner producer priest pastor monk nun social \
    caretaker janitor carer caregiver ranger counsellor counselor executive foreman sculptor potter \
    blacksmith astronomer archaeologist zookeeper attendant seamstress miner trucker hygienist paralegal solicitor \
    barrister surveyor joiner bricklayer scaffolder machinist bookkeeper bouncer steward stewardess lifeguard \
    childminder osteopath chiropractor podiatrist optometrist anaesthetist paediatrician radiologist cardiologist \
    detective vicar rabbi imam actuary auditor realtor landscaper fishmonger brewer jeweller upholsterer tiler \
    locksmith signalman"
        .split_whitespace()
        .collect()
});

/// Makes and models of cars.
pub static VEHICLES: WordList = LazyLock::new(|| {
    "car tesla golf volkswagen vw bmw audi mercedes toyota honda ford fiat renault peugeot citroen \
    citroën volvo mazda nissan hyundai kia skoda škoda seat opel vauxhall porsche subaru jeep mini polo \
    prius corolla civic focus fiesta clio punto panda passat leaf zoe yaris corsa van truck pickup suv \
    dacia lexus chevrolet chevy jaguar twingo cooper octavia fabia ioniq land-rover"
        .split_whitespace()
        .collect()
});

const DRINKS: &str = "tea coffee espresso latte cappuccino matcha beer wine cider water juice cola coke lemonade milk \
    cocoa whisky whiskey gin rum smoothie smoothies kombucha chai rooibos soda prosecco champagne decaf \
    vodka oolong earl americano mate";

const FOODS: &str = "pizza pasta sushi ramen curry burger burgers tacos taco lasagne lasagna risotto chocolate cheese \
    bread cake ice-cream icecream mushrooms mushroom olives olive coriander cilantro broccoli spinach \
    fish meat steak chicken tofu falafel hummus salad soup pancakes croissants dumplings pho kimchi \
    liquorice licorice marzipan peanuts nuts oysters shrimp avocado bananas mango mangoes apples \
    pineapple aubergine eggplant tomatoes onions garlic anchovies seafood noodles paella biryani pierogi \
    fries chips cheesecake tiramisu beetroot celery lentils porridge cheddar gnocchi spaghetti burritos \
    brussels raisins moussaka";

const SPORTS: &str = "football soccer tennis basketball swimming running cycling climbing bouldering yoga pilates hiking \
    skiing snowboarding golf rugby cricket volleyball badminton boxing judo karate rowing surfing \
    jogging squash hockey handball padel fencing archery triathlon";

const MUSIC: &str = "jazz rock techno classical metal hip-hop rap folk pop country blues reggae opera punk indie k-pop \
    soul bach mozart";

const COLOURS: &str = "red blue green yellow orange purple black white pink grey gray brown turquoise teal burgundy navy \
    violet indigo lilac emerald magenta";

/// The families of likeable things.
pub static FAMILIES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut families = HashMap::new();
    for (family, words) in
        [("drink", DRINKS), ("food", FOODS), ("sport", SPORTS), ("music", MUSIC), ("colour", COLOURS)]
    {
        for word in words.split_whitespace() {
            families.entry(word).or_insert(family);
        }
    }
    families
});
