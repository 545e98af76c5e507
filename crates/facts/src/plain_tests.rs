use jiff::civil::date;

use crate::names::Names;

/// What is stated of a message.
fn stated(text: &str) -> Vec<String> {
    let found = crate::extract(text, date(2026, 6, 15), &Names::new("Luna"));
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
