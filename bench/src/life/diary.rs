//! The events of the year, their wording, and the questions afterwards.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::{Date, date};

use super::noise::{self, ENDINGS, OPENINGS};
use super::random::Random;
use super::wordings::{QuestionKind, TellingKind, Wordings};
use super::{Day, DiaryQuestion, Time};

const CITIES: &[&str] = &[
    "Lyon",
    "Berlin",
    "Porto",
    "Madrid",
    "Oslo",
    "Vienna",
    "Dublin",
    "Prague",
    "Leeds",
    "Hamburg",
    "Turin",
    "Ghent",
    "Bergen",
    "Boston",
    "Seattle",
    "Toronto",
    "Melbourne",
    "Kyoto",
    "Bristol",
    "Krakow",
    "New York",
    "San Diego",
    "The Hague",
    "Cape Town",
    "Graz",
    "Nice",
    "Bath",
    "Cork",
    "Riga",
    "Split",
];
const COMPANIES: &[&str] = &[
    "Renault",
    "Siemens",
    "Bosch",
    "Spotify",
    "Philips",
    "Lufthansa",
    "IKEA",
    "Adidas",
    "Airbus",
    "Novartis",
    "Ericsson",
    "Shell",
    "Unilever",
    "Nokia",
    "Zalando",
    "Deutsche Bahn",
    "General Electric",
    "Red Bull",
    "Lego",
    "Volvo",
    "BMW",
    "Tesco",
    "Oxfam",
    "Heineken",
];
const TITLES: &[&str] = &[
    "nurse",
    "teacher",
    "designer",
    "software engineer",
    "accountant",
    "project manager",
    "data analyst",
    "electrician",
    "translator",
    "chemist",
    "architect",
    "mechanic",
];
const PROMOTIONS: &[&str] = &[
    "team lead",
    "senior manager",
    "head nurse",
    "lead designer",
    "chief accountant",
    "regional director",
    "product manager",
    "principal engineer",
];
const PETS: &[&str] = &["dog", "cat", "rabbit", "parrot", "horse"];
const PET_NAMES: &[&str] = &[
    "Max", "Bello", "Rex", "Mia", "Nala", "Coco", "Pip", "Milo", "Simba", "Daisy", "Oscar", "Ziggy",
    "Pepper", "Biscuit", "Rusty", "Olive", "Peanut", "Shadow", "Willow", "Ruby",
];
const FRIENDS: &[&str] =
    &["Tom", "Paul", "Ben", "Felix", "Omar", "Lukas", "Henrik", "Diego", "Marco", "Yusuf"];
const PARTNERS: &[&str] = &["Julia", "Emma", "Sophie", "Clara", "Nadia", "Robin", "Alex", "Kim"];
const NAMES: &[&str] = &["Sam", "Chris", "Jamie", "Taylor", "Morgan", "Robin", "Dana", "Lee"];
const TASTES: &[&str] = &[
    "sushi",
    "olives",
    "mushrooms",
    "jazz",
    "techno",
    "horror films",
    "pizza",
    "coriander",
    "opera",
    "camping",
    "spicy food",
    "karaoke",
    "blue cheese",
    "marzipan",
    "board games",
    "liquorice",
    "country music",
    "aubergine",
    "swimming",
    "museums",
];
const FAVOURITES: &[(&str, &[&str])] = &[
    ("colour", &["green", "blue", "red", "yellow", "purple", "orange", "turquoise"]),
    ("food", &["ramen", "lasagne", "tacos", "risotto", "paella", "dumplings", "curry"]),
    ("film", &["Casablanca", "Alien", "Amelie", "Jaws", "Inception", "Vertigo"]),
    ("season", &["spring", "summer", "autumn", "winter"]),
    ("book", &["Dune", "Emma", "Ulysses", "Dracula", "Middlemarch"]),
    ("sport", &["tennis", "football", "rowing", "climbing", "badminton"]),
];
const CARS: &[&str] =
    &["Golf", "Tesla", "Fiat Panda", "Volvo", "Mini", "Toyota Yaris", "Skoda Octavia", "Renault Clio"];
const ALLERGIES: &[&str] = &["peanuts", "shellfish", "strawberries", "walnuts", "soy"];
const LANGUAGES: &[&str] = &["Dutch", "Portuguese", "Japanese", "Polish", "Swedish", "Arabic"];
const DRINKS: &[&str] = &["coffee", "green tea", "black tea", "kombucha", "matcha", "cola", "hot chocolate"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

#[derive(Debug, Clone)]
pub struct Diary {
    pub days: Vec<Day>,
    pub questions: Vec<DiaryQuestion>,
    /// The day on which the questions are asked.
    pub today: Date,
}

/// The values of something that changes during the year, each with its first day.
type YearPlan = Vec<(usize, String)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    TellingKind(TellingKind),
    DiaryQuestion(QuestionKind),
}

struct Writer<'a> {
    random: Random,
    wordings: &'a Wordings,
    /// The messages by day.
    said: Vec<Vec<String>>,
    questions: Vec<DiaryQuestion>,
    start: Date,
    /// The wordings not used yet, so that each is used once before any is repeated.
    used: HashMap<Key, Vec<usize>>,
}

impl Diary {
    pub fn new(seed: u64, wordings: &Wordings) -> Self {
        let mut random = Random::new(seed);
        let first = date(2025, 1, 1);
        let start = first.checked_add(i64::try_from(random.below(300)).unwrap_or(0).days()).unwrap_or(first);
        let mut writer = Writer {
            random,
            wordings,
            said: vec![Vec::new(); 365],
            questions: Vec::new(),
            start,
            used: HashMap::new(),
        };
        writer.live();
        let today = start.checked_add(365.days()).unwrap_or(start);
        let mut days = Vec::new();
        for (number, messages) in writer.said.iter().enumerate() {
            days.push(Day { date: writer.day(number), messages: messages.clone() });
        }
        let asked = std::mem::take(&mut writer.questions);
        let questions = writer.random.take(&asked, 60);
        Self { days, questions, today }
    }
}

impl Writer<'_> {
    fn day(&self, number: usize) -> Date {
        let days = i64::try_from(number).unwrap_or(0);
        self.start.checked_add(days.days()).unwrap_or(self.start)
    }

    /// Picks an entry of a list; none is repeated until all were used.
    fn word<'w>(&mut self, key: Key, all: &'w [String]) -> &'w str {
        let fresh = self.used.entry(key).or_default();
        if fresh.is_empty() {
            *fresh = (0..all.len()).collect();
        }
        let place = self.random.below(fresh.len());
        &all[fresh.swap_remove(place)]
    }

    fn say(&mut self, day: usize, told: TellingKind, values: &[(&str, &str)]) {
        let wordings = self.wordings;
        let mut core = filled(self.word(Key::TellingKind(told), wordings.tellings(told)), values);
        let opening = *self.random.pick(OPENINGS);
        let ending = *self.random.pick(ENDINGS);
        // No ending is added after a question or after a wording with its own full stop.
        let ending = if core.ends_with(['?', '.']) { "" } else { ending };
        if !opening.is_empty()
            && !core.starts_with("I ")
            && !core.starts_with("I'")
            && values.iter().all(|(_, value)| !core.starts_with(value))
        {
            let mut letters = core.chars();
            core = letters.next().map_or_else(String::new, |first| {
                first.to_lowercase().collect::<String>() + letters.as_str()
            });
        }
        let mut message = format!("{opening}{core}{ending}");
        let named = matches!(told, TellingKind::Favourite | TellingKind::FavouriteChanged);
        if self.random.chance(12) && !named {
            message = message.to_lowercase().replace("i'm", "im").replace("don't", "dont");
        }
        self.said[day.min(364)].push(message);
    }

    fn ask(
        &mut self,
        ask: QuestionKind,
        time: Time,
        values: &[(&str, &str)],
        gold: &[&str],
        wrong: &[&str],
        kind: &'static str,
    ) {
        let wordings = self.wordings;
        let question = filled(self.word(Key::DiaryQuestion(ask), wordings.questions(ask)), values);
        let own = |list: &[&str]| list.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        self.questions.push(DiaryQuestion {
            question: capital(&question),
            gold: own(gold),
            wrong: own(wrong),
            time,
            kind,
        });
    }

    /// Picks days for changes, far from each other.
    fn changes(&mut self, count: usize) -> Vec<usize> {
        let step = 320 / (count + 1);
        (1..=count).map(|number| 15 + number * step + self.random.below(step / 2)).collect()
    }

    /// Picks a month that lies entirely within one period of a course. Returns its name and the value that held.
    fn month_within(&mut self, course: &YearPlan) -> Option<(String, String)> {
        let mut fitting = Vec::new();
        for (number, (from, value)) in course.iter().enumerate() {
            let to = course.get(number + 1).map_or(364, |(day, _)| *day);
            let mut month = self.day(*from).first_of_month();
            while month < self.day(to) {
                let end = month.last_of_month();
                // The last weeks would be called this month or last month, which is a different kind of question.
                if month > self.day(from + 3)
                    && end < self.day(to.saturating_sub(3))
                    && end < self.day(335)
                    && (self.day(364) - month).get_days() < 330
                {
                    fitting.push((
                        format!("in {}", MONTHS[usize::try_from(month.month() - 1).unwrap_or(0)]),
                        value.clone(),
                    ));
                }
                month = end.tomorrow().unwrap_or(end);
                if month == end {
                    break;
                }
            }
        }
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting).clone()) }
    }

    fn live(&mut self) {
        let name = *self.random.pick(NAMES);
        self.say(0, TellingKind::Name, &[("new", name)]);
        self.ask(QuestionKind::Name, Time::Now, &[], &[name], &[], "name");
        self.homes();
        self.work();
        self.animals();
        self.likings();
        self.people();
        self.things();
        self.noise();
        for _ in 0..5 {
            self.ask(QuestionKind::Unknown, Time::Unknown, &[], &[], &[], "unknown");
        }
    }

    fn homes(&mut self) {
        let count = self.random.between(2, 4);
        let cities = self.random.take(CITIES, count + 2);
        let days = self.changes(count - 1);
        let mut course: YearPlan = vec![(2, cities[0].to_owned())];
        let first = if self.random.chance(25) { TellingKind::HomeLong } else { TellingKind::Home };
        self.say(2, first, &[("new", cities[0])]);
        for (number, day) in days.iter().enumerate() {
            let (old, new) = (cities[number], cities[number + 1]);
            self.say(*day, TellingKind::Moved, &[("new", new), ("old", old)]);
            course.push((*day, new.to_owned()));
            if self.random.chance(50) {
                self.say((day + 12).min(364), TellingKind::Home, &[("new", new)]);
            }
        }
        let day = self.random.between(40, 200);
        self.say(day, TellingKind::LivedThen, &[("new", cities[count])]);
        self.courses(
            &course,
            "home",
            QuestionKind::Home,
            QuestionKind::HomeThen,
            QuestionKind::HomeBefore,
            5,
        );
    }

    fn work(&mut self) {
        let count = self.random.between(2, 4);
        let companies = self.random.take(COMPANIES, count);
        let days = self.changes(count - 1);
        let mut course: YearPlan = vec![(3, companies[0].to_owned())];
        self.say(3, TellingKind::Employer, &[("new", companies[0])]);
        for (number, day) in days.iter().enumerate() {
            let (old, new) = (companies[number], companies[number + 1]);
            self.say(day + 5, TellingKind::JobChanged, &[("new", new), ("old", old)]);
            course.push((day + 5, new.to_owned()));
        }
        self.courses(
            &course,
            "employer",
            QuestionKind::Employer,
            QuestionKind::EmployerThen,
            QuestionKind::EmployerBefore,
            5,
        );
        let title = *self.random.pick(TITLES);
        let last = course.last().map_or(3, |(day, _)| *day);
        if self.random.chance(50) && last < 330 {
            self.say(4, TellingKind::Title, &[("new", title)]);
            let promoted = *self.random.pick(PROMOTIONS);
            self.say(last + 20, TellingKind::Promoted, &[("new", promoted)]);
            self.ask(QuestionKind::Title, Time::Now, &[], &[promoted], &[title], "title");
        } else {
            self.say((last + 3).min(364), TellingKind::Title, &[("new", title)]);
            self.ask(QuestionKind::Title, Time::Now, &[], &[title], &[], "title");
        }
    }

    /// Adds questions about something that changed during the year.
    fn courses(
        &mut self,
        course: &YearPlan,
        kind: &'static str,
        now: QuestionKind,
        then: QuestionKind,
        before: QuestionKind,
        count: usize,
    ) {
        let values: Vec<String> = course.iter().map(|(_, value)| value.clone()).collect();
        let Some((last, old)) = values.split_last() else { return };
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        for _ in 0..count {
            self.ask(now, Time::Now, &[], &[last], &old, kind);
        }
        for _ in 0..3 {
            if let Some((when, held)) = self.month_within(course) {
                let others: Vec<&str> =
                    values.iter().map(String::as_str).filter(|value| *value != held).collect();
                self.ask(then, Time::Then, &[("when", &when)], &[&held], &others, kind);
            }
        }
        for number in 1..values.len() {
            let (new, gold) = (values[number].clone(), values[number - 1].clone());
            self.ask(before, Time::Then, &[("old", &new)], &[&gold], &[&new], kind);
        }
    }

    fn animals(&mut self) {
        let kinds = self.random.take(PETS, 2);
        let names = self.random.take(PET_NAMES, 5);
        let days = self.changes(2);
        self.say(5, TellingKind::Pet, &[("kind", kinds[0]), ("new", names[0])]);
        self.say(
            days[0],
            TellingKind::PetRenamed,
            &[("kind", kinds[0]), ("new", names[1]), ("old", names[0])],
        );
        self.say(21, TellingKind::Pet, &[("kind", kinds[1]), ("new", names[2])]);
        let mut second = vec![names[2]];
        if self.random.chance(50) {
            self.say(
                days[1],
                TellingKind::PetRenamed,
                &[("kind", kinds[1]), ("new", names[3]), ("old", names[2])],
            );
            second.push(names[3]);
        }
        for _ in 0..3 {
            self.ask(QuestionKind::Pet, Time::Now, &[("kind", kinds[0])], &[names[1]], &[names[0]], "pet");
        }
        self.ask(
            QuestionKind::PetBefore,
            Time::Then,
            &[("kind", kinds[0]), ("old", names[1])],
            &[names[0]],
            &[names[1]],
            "pet",
        );
        self.ask(
            QuestionKind::PetBefore,
            Time::Then,
            &[("kind", kinds[0]), ("old", names[1])],
            &[names[0]],
            &[names[1]],
            "pet",
        );
        let (last, old) = (second[second.len() - 1], &second[..second.len() - 1]);
        for _ in 0..2 {
            self.ask(QuestionKind::Pet, Time::Now, &[("kind", kinds[1])], &[last], old, "pet");
        }
    }

    fn likings(&mut self) {
        let tastes = self.random.take(TASTES, 8);
        let days = self.changes(6);
        for (number, thing) in tastes.iter().enumerate() {
            let likes = number % 2 == 0;
            self.say(
                6 + number,
                if likes { TellingKind::Likes } else { TellingKind::Dislikes },
                &[("new", thing)],
            );
            let flips = number < 5;
            if flips {
                self.say(
                    days[number] + number,
                    if likes { TellingKind::TurnedAgainst } else { TellingKind::TurnedTowards },
                    &[("new", thing)],
                );
            }
            let (gold, wrong) = if likes == flips { ("dislikes", "likes") } else { ("likes", "dislikes") };
            let wrong: &[&str] = if flips { &[wrong] } else { &[] };
            let thing_word: &str = thing;
            self.ask(QuestionKind::Opinion, Time::Now, &[("old", thing_word)], &[gold], wrong, "taste");
        }
        for (of, values) in self.random.take(FAVOURITES, 4) {
            let values = self.random.take(values, 2);
            let first = self.random.between(8, 40);
            self.say(first, TellingKind::Favourite, &[("of", of), ("new", values[0])]);
            if self.random.chance(70) {
                let later = self.random.between(80, 340);
                self.say(
                    later,
                    TellingKind::FavouriteChanged,
                    &[("of", of), ("new", values[1]), ("old", values[0])],
                );
                self.ask(
                    QuestionKind::Favourite,
                    Time::Now,
                    &[("of", of)],
                    &[values[1]],
                    &[values[0]],
                    "favourite",
                );
                self.ask(
                    QuestionKind::FavouriteBefore,
                    Time::Then,
                    &[("of", of)],
                    &[values[0]],
                    &[values[1]],
                    "favourite",
                );
            } else {
                self.ask(QuestionKind::Favourite, Time::Now, &[("of", of)], &[values[0]], &[], "favourite");
            }
        }
        let diets = self.random.take(&["vegetarian", "vegan", "pescatarian"], 2);
        self.say(9, TellingKind::Diet, &[("new", diets[0])]);
        let later = self.random.between(100, 320);
        if self.random.chance(60) {
            self.say(later, TellingKind::DietChanged, &[("new", diets[1]), ("old", diets[0])]);
            self.ask(QuestionKind::Diet, Time::Now, &[], &[diets[1]], &[diets[0]], "diet");
            self.ask(QuestionKind::Diet, Time::Now, &[], &[diets[1]], &[diets[0]], "diet");
        } else {
            self.say(later, TellingKind::MeatAgain, &[("old", diets[0])]);
            self.ask(QuestionKind::Diet, Time::Now, &[], &["eats meat"], &[diets[0]], "diet");
        }
        let drinks = self.random.take(DRINKS, 2);
        self.say(12, TellingKind::Likes, &[("new", drinks[0])]);
        let later = self.random.between(60, 330);
        self.say(later, TellingKind::DrinkSwitched, &[("new", drinks[1]), ("old", drinks[0])]);
        self.ask(QuestionKind::Drink, Time::Now, &[], &[drinks[1]], &[drinks[0]], "drink");
    }

    fn people(&mut self) {
        let friends = self.random.take(FRIENDS, 3);
        for (number, who) in friends.iter().enumerate() {
            let who: &str = who;
            let cities = self.random.take(CITIES, 2);
            let company = *self.random.pick(COMPANIES);
            let first = 10 + number * 9;
            self.say(first, TellingKind::Friend, &[("who", who), ("new", cities[0])]);
            let mut now = cities[0];
            let mut old: Vec<&str> = Vec::new();
            if self.random.chance(70) {
                let later = self.random.between(70, 340);
                self.say(
                    later,
                    TellingKind::FriendMoved,
                    &[("who", who), ("new", cities[1]), ("old", cities[0])],
                );
                now = cities[1];
                old.push(cities[0]);
                self.ask(
                    QuestionKind::FriendHomeBefore,
                    Time::Then,
                    &[("who", who), ("old", cities[1])],
                    &[cities[0]],
                    &[cities[1]],
                    "friend",
                );
            }
            self.ask(QuestionKind::FriendHome, Time::Now, &[("who", who)], &[now], &old, "friend");
            self.ask(QuestionKind::FriendHome, Time::Now, &[("who", who)], &[now], &old, "friend");
            let later = self.random.between(60, 300);
            self.say(later, TellingKind::FriendWorks, &[("who", who), ("new", company)]);
            self.ask(QuestionKind::FriendEmployer, Time::Now, &[("who", who)], &[company], &[], "friend");
        }
        let partner = *self.random.pick(PARTNERS);
        let day = self.random.between(10, 200);
        self.say(day, TellingKind::Partner, &[("new", partner)]);
        self.ask(QuestionKind::Partner, Time::Now, &[], &[partner], &[], "partner");
    }

    fn things(&mut self) {
        let cars = self.random.take(CARS, 2);
        self.say(14, TellingKind::Car, &[("new", cars[0])]);
        if self.random.chance(70) {
            let later = self.random.between(90, 340);
            self.say(later, TellingKind::CarChanged, &[("new", cars[1]), ("old", cars[0])]);
            self.ask(QuestionKind::Car, Time::Now, &[], &[cars[1]], &[cars[0]], "car");
            self.ask(QuestionKind::Car, Time::Now, &[], &[cars[1]], &[cars[0]], "car");
            self.ask(QuestionKind::CarBefore, Time::Then, &[("old", cars[1])], &[cars[0]], &[cars[1]], "car");
        } else {
            self.ask(QuestionKind::Car, Time::Now, &[], &[cars[0]], &[], "car");
        }
        let birthday = format!("{} {}", self.random.between(1, 28), MONTHS[self.random.below(12)]);
        let day = self.random.between(20, 300);
        self.say(day, TellingKind::Birthday, &[("new", &birthday)]);
        self.ask(QuestionKind::Birthday, Time::Now, &[], &[&birthday], &[], "birthday");
        let allergy = *self.random.pick(ALLERGIES);
        let day = self.random.between(20, 300);
        self.say(day, TellingKind::Allergy, &[("new", allergy)]);
        self.ask(QuestionKind::Allergy, Time::Now, &[], &[allergy], &[], "allergy");
        let language = *self.random.pick(LANGUAGES);
        let day = self.random.between(20, 300);
        self.say(day, TellingKind::Language, &[("new", language)]);
        self.ask(QuestionKind::Language, Time::Now, &[], &[language], &[], "language");
    }

    fn noise(&mut self) {
        for day in 0..365 {
            for _ in 0..self.random.between(0, 2) {
                let template = *self.random.pick(noise::NOISE);
                let values = [
                    ("city", *self.random.pick(noise::CITIES)),
                    ("company", *self.random.pick(noise::COMPANIES)),
                    ("name", *self.random.pick(noise::NAMES)),
                    ("food", *self.random.pick(noise::FOODS)),
                    ("kind", *self.random.pick(noise::KINDS)),
                ];
                let place = self.random.below(self.said[day].len() + 1);
                self.said[day].insert(place, filled(template, &values));
            }
        }
    }
}

fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{key}}}"), value))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
