use jiff::civil::date;

use crate::{KnownNames, extract};

fn told(text: &str) -> Vec<String> {
    extract(text, date(2026, 5, 14), &KnownNames::new("Luna"))
        .into_iter()
        .filter(|finding| finding.confidence >= 0.5 && !finding.is_past() && finding.valid_to.is_none())
        .map(|finding| finding.content)
        .collect()
}

/// Uses things that are in no word list.
#[test]
fn a_turn_of_phrase_tells_of_whatever_stands_in_it() {
    let table: &[(&str, &str)] = &[
        ("Nothing makes me happier than pottery.", "Likes pottery."),
        ("I get a real kick out of origami", "Likes origami."),
        ("The evening was about falconry, which I love, so I stayed", "Likes falconry."),
        ("Everyone has a guilty pleasure. Mine would have to be telenovelas.", "Likes telenovelas."),
        ("My aunt gave me a voucher, she has noticed how much I like pottery.", "Likes pottery."),
        ("I've come round to pottery in the end, having disliked the idea for years", "Likes pottery."),
        ("My dislike of falconry has turned into real affection.", "Likes falconry."),
        ("It cured me of my dislike of falconry.", "Likes falconry."),
        ("I went from avoiding falconry to loving it", "Likes falconry."),
        ("Who would have thought, I ended up liking falconry", "Likes falconry."),
        ("Falconry and I will never be friends.", "Dislikes falconry."),
        ("My cousin planned the whole weekend around falconry, which I can't bear", "Dislikes falconry."),
        ("I can't see what people find so great about falconry.", "Dislikes falconry."),
        ("You can keep your falconry, I want none of that", "Dislikes falconry."),
        ("We need another plan, because I've gone right off falconry", "Dislikes falconry."),
        ("I must have overdone it last winter, because I can't face opera any more.", "Dislikes opera."),
        ("I get nothing out of falconry these days", "Dislikes falconry."),
        ("My old enthusiasm for falconry has turned into something close to dislike", "Dislikes falconry."),
        ("I used to love falconry, but now I really don't.", "Dislikes falconry."),
        ("When it comes to falconry, count me out, I'm not a fan.", "Dislikes falconry."),
        ("I'm done with falconry, and I was such a fan before", "Dislikes falconry."),
        ("I used to run from falconry and now I can't get enough", "Likes falconry."),
        ("I was wrong to hate falconry all those years, I'm a convert now", "Likes falconry."),
        ("I can't stand falconry. Scratch that, I quite like falconry now.", "Likes falconry."),
        ("Somebody mentioned teal, my favourite colour, and I had to smile", "Favourite colour is teal."),
        ("Everybody has a favourite book. Mine is Dune.", "Favourite book is Dune."),
        ("I like green better than any other colour", "Favourite colour is green."),
        ("These days I prefer green to red as my favourite colour", "Favourite colour is green."),
        ("Green has overtaken red as my favourite colour", "Favourite colour is green."),
        ("My favourite colour is red. Wait, not any longer, now it's green.", "Favourite colour is green."),
        ("There were nuts and kiwis, which I'm allergic to", "Is allergic to kiwis."),
        ("My body can't cope with soy, it's a real allergy", "Is allergic to soy."),
        ("She bought a cookbook for people who are vegan like me", "Is vegan."),
        ("I've joined the ranks of people who are vegan.", "Is vegan."),
        ("I gave up coffee and took up green tea.", "Switched to green tea."),
        ("I turned my back on coffee and sit there with my green tea now", "Switched to green tea."),
        ("I have substituted green tea for coffee in my routine", "Switched to green tea."),
    ];
    for (text, wanted) in table {
        let told = told(text);
        assert!(told.iter().any(|told| told == wanted), "{text}\n    wanted {wanted}\n    told   {told:?}");
        let contrary = match wanted.split_once(' ') {
            Some(("Likes", thing)) => format!("Dislikes {thing}"),
            Some(("Dislikes", thing)) => format!("Likes {thing}"),
            _ => continue,
        };
        assert!(!told.contains(&contrary), "{text}: {told:?}");
    }
}

#[test]
fn a_turn_of_phrase_that_is_not_meant_or_not_the_users_tells_nothing() {
    let table: &[&str] = &[
        "Nothing makes my sister happier than pottery.",
        "My brother gets a kick out of origami",
        "The film was about falconry, which my uncle loves",
        "Maybe I've gone off falconry",
        "I don't know whether I've come round to falconry",
        "Have I gone right off falconry?",
        "If I had gone off falconry I'd tell you",
        "\"Falconry and I will never be friends,\" she said",
        "My mum thinks I've fallen in love with falconry",
        "He guessed that my favourite colour is green and he was so wrong",
        "The most popular colour is green, which is my boss's favourite colour",
        "My son's favourite colour was red, but now green has taken over",
        "His favourite colour used to be red, but lately green has taken the crown",
        "My neighbour brought soy, which her son is allergic to",
        "The lady from 4B is vegan like her husband",
        "My sister gave up coffee and took up green tea",
        "I should drink green tea instead of coffee, says my doctor",
        "Should I have gone off falconry by now?",
        "I got a kick out of that film",
        "I never understood what people see in falconry, until our trip in the spring",
        "My mother tried for years to get me to like falconry, and she failed",
        "I swelled up like a balloon after the olives",
    ];
    for text in table {
        let told: Vec<String> = told(text)
            .into_iter()
            .filter(|told| {
                ["Likes", "Dislikes", "Favourite", "Is allergic", "Is vegan", "Switched"]
                    .iter()
                    .any(|start| told.starts_with(start))
            })
            .collect();
        assert!(told.is_empty(), "{text}: {told:?}");
    }
}
