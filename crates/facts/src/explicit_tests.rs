use jiff::civil::date;

use crate::names::KnownNames;

/// The findings of a message that may be stated as facts.
fn stated(text: &str) -> Vec<String> {
    let found = crate::extract(text, date(2026, 6, 15), &KnownNames::new("Luna"));
    found.into_iter().filter(super::Finding::is_plain).map(|finding| finding.content).collect()
}

#[test]
fn plain_statements_in_the_first_person_are_stated() {
    for (said, fact) in [
        ("I live in Ghent.", "Lives in Ghent."),
        ("My dog is called Max.", "Has a dog called Max."),
        ("we got another cat named Bailey too", "Has a cat called Bailey."),
        ("I work at Siemens.", "Works at Siemens."),
        ("I'm allergic to penicillin.", "Is allergic to penicillin."),
        ("I love hiking.", "Likes hiking."),
        ("I like the Canucks.", "Likes the Canucks."),
        ("I love the ocean.", "Likes the ocean."),
        ("I hate coriander, tastes like soap to me", "Dislikes coriander."),
        ("My favourite book is The Dispossessed.", "Favourite book is The Dispossessed."),
        ("I'm a doctor.", "Works as a doctor."),
        ("I'm retired.", "Is retired."),
        ("I'm vegetarian.", "Is vegetarian."),
        ("I'm learning Korean.", "Is learning Korean."),
        ("I'm 41.", "Is 41 years old."),
        ("my colleague Rob invited me to a yoga class", "Has a colleague called Rob."),
        ("My name is Femi.", "Is called Femi."),
        ("I drive a Skoda.", "Drives a Skoda."),
        ("My dog is not called Max, his name is Bruno.", "Has a dog called Bruno."),
    ] {
        assert!(stated(said).iter().any(|told| told == fact), "{said}: {:?}", stated(said));
    }
}

#[test]
fn a_guess_is_not_stated() {
    for said in [
        "Aww your dogs are so cute! They're really awesome.",
        "Hey Jolene, nice to meet you! How was your weekend?",
        "I work in Python mostly.",
        "I've been working on a meditation guide.",
        "I've never been fishing, is it fun?",
        "Thanks, Gina! That sign reminds me to never give up.",
        "We love it! Here's the photo.",
        "I love the self-acceptance.",
        "I appreciate the advice.",
        "Now I'm passionate about creating a safe, inviting place for people to grow.",
        "I love the idea of a card game based on neckbeard culture",
        "My favorite is they didn't have time to eat healthy",
        "Just remember that sometimes stumbling blocks can be opened doors.",
        "I'M GONNA TELL MY MOM HOW EPIC THIS IS",
        "my computer is a potato",
        "I have a straight Lebanese friend.",
        "I don't play the game.",
        "I'm not a jealous person.",
        "Domestic abuse is horrible.",
        "But we live in country with laws",
    ] {
        assert_eq!(stated(said), Vec::<String>::new(), "{said}");
    }
}

#[test]
fn what_says_something_else_is_not_stated() {
    for (said, fact) in [
        ("I've never been fishing before", ""),
        ("I've never been skiing before, any tips?", ""),
        ("I never eat fish.", "Does not eat fish."),
        ("I never go running", "Does not go running."),
        ("I've never smoked.", "Has never smoked."),
        ("I work with Python", ""),
        ("I work with React and Node every day.", ""),
        ("I've been working with Photoshop for years", ""),
        ("I work with Excel at Siemens", ""),
        ("I work with Deloitte as a consultant", "Works at Deloitte."),
        ("I work at Siemens with Python.", "Works at Siemens."),
        ("I work for Microsoft", "Works at Microsoft."),
        ("I've worked at Siemens.", ""),
        ("I've worked at Siemens for ten years.", "Works at Siemens."),
        ("I work at Go There", ""),
        ("I work at like career type jobs", ""),
        ("I have a car problem.", ""),
        ("I've got a car loan", ""),
        ("I've got a laptop issue", ""),
        ("I have a piano lesson at six", ""),
        ("I have a blue car", "Drives a blue car."),
        ("I have a guitar", "Has a guitar."),
        ("I've got a dog allergy", "Is allergic to dog."),
        ("I've lived in Florida.", ""),
        ("I've lived in Florida and Texas", ""),
        ("I've lived in Florida since 2015", "Lives in Florida."),
        ("I've lived in Lisbon all my life", "Lives in Lisbon."),
        ("I've lived in Ghent two years", "Lives in Ghent."),
        ("I lived in Florida.", "Lived in Florida."),
        ("I live in Lisbon.", "Lives in Lisbon."),
        ("I'm a teacher by training but I never taught.", ""),
        ("By training I'm a nurse", ""),
        ("I'm a trained nurse but I drive a taxi", ""),
        ("I'm an aspiring actor", ""),
        ("I'm a former teacher.", ""),
        ("I've been a nurse", ""),
        ("I've been a nurse for ten years", "Works as a nurse."),
        ("I'm a teacher by trade.", "Works as a teacher."),
        ("I'm a heart surgeon", "Works as a heart surgeon."),
        ("I'm a teacher.", "Works as a teacher."),
    ] {
        let wanted: Vec<&str> = Some(fact).into_iter().filter(|fact| !fact.is_empty()).collect();
        assert_eq!(stated(said), wanted, "{said}");
    }
}

#[test]
fn what_holds_for_a_while_is_no_way_of_life() {
    for (said, fact) in [
        ("I gave up meat for Lent.", ""),
        ("I've given up sugar for Lent", ""),
        ("I gave up chocolate for Lent", ""),
        ("I quit smoking for Lent", ""),
        ("I went vegan for January", ""),
        ("I quit alcohol for Dry January", ""),
        ("I'm vegetarian for a week.", ""),
        ("I'm vegan on weekdays", ""),
        ("I don't eat meat on Fridays.", ""),
        ("I stopped eating meat for a while", ""),
        ("I don't eat meat at home", ""),
        ("I'm not eating meat this month.", "Does not eat meat."),
        ("I gave up meat.", "Does not eat meat."),
        ("I gave up meat for good", "Does not eat meat."),
        ("I gave up meat in January", "Does not eat meat."),
        ("I stopped eating meat for the animals", "Does not eat meat."),
        ("I've been vegan for a month", "Is vegan."),
        ("I don't drink during the week.", "Does not drink during the week."),
        ("I was vegetarian until 2019.", "Was vegetarian."),
        ("I quit smoking this week", "Stopped smoking."),
        ("I don't eat pork at home", "Does not eat pork at home."),
        ("I'm vegetarian.", "Is vegetarian."),
    ] {
        let wanted: Vec<&str> = Some(fact).into_iter().filter(|fact| !fact.is_empty()).collect();
        assert_eq!(stated(said), wanted, "{said}");
    }
}

#[test]
fn the_dead_are_told_of_as_they_were() {
    for (said, fact) in [
        ("My late husband Carl loved jazz.", "Had a husband called Carl."),
        ("My late wife Anna baked bread.", "Had a wife called Anna."),
        ("my late mother Rose loved roses", "Mother was called Rose."),
        ("My late dog Rex loved snow.", "Had a dog called Rex."),
        ("My husband Carl is late again.", "Has a husband called Carl."),
        ("My husband Carl loves jazz.", "Has a husband called Carl."),
    ] {
        assert_eq!(stated(said), [fact], "{said}");
    }
    for said in ["my late husband", "my late husband was called Carl", "My late brother is called Tom"] {
        assert_eq!(stated(said), Vec::<String>::new(), "{said}");
    }
}

#[test]
fn what_is_said_by_the_way_is_no_part_of_it() {
    for (said, fact) in [
        ("I live in Lisbon by the way.", "Lives in Lisbon."),
        ("My favourite book is Dune by the way", "Favourite book is Dune."),
        ("I'm allergic to nuts btw", "Is allergic to nuts."),
        ("I love hiking by the way.", "Likes hiking."),
        ("I drive a Skoda by the way, it's ancient", "Drives a Skoda."),
        ("By the way, I live in Lisbon.", "Lives in Lisbon."),
        ("My dog is called Max, by the way", "Has a dog called Max."),
    ] {
        assert_eq!(stated(said), [fact], "{said}");
    }
}

#[test]
fn what_says_something_else_is_no_guess_either() {
    for said in [
        "I work with Python",
        "I've lived in Florida.",
        "I'm a teacher by training.",
        "I gave up meat for Lent.",
        "I've never been fishing before",
        "I have a car problem.",
    ] {
        let found = crate::extract(said, date(2026, 6, 15), &KnownNames::new("Luna"));
        assert!(!found.is_empty() && found.iter().all(super::Finding::is_misread), "{said}: {found:?}");
    }
    for said in ["I live in Lisbon.", "I work in Python mostly.", "I work at Siemens.", "I'm vegetarian."] {
        let found = crate::extract(said, date(2026, 6, 15), &KnownNames::new("Luna"));
        assert!(!found.iter().any(super::Finding::is_misread), "{said}: {found:?}");
    }
}
