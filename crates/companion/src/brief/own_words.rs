//! A fact in the words of whom it is about: a toy of a model reads *About me: Is called Anna* as a riddle, and *My name is
//! Anna* as what it was told. Pure.

/// How facts begin, and how somebody says the same of oneself. The longer one goes before the shorter.
const BEGINNINGS: [(&str, &str); 24] = [
    ("Is called", "My name is"),
    ("Goes by", "People call me"),
    ("Is", "I am"),
    ("Was", "I was"),
    ("Has", "I have"),
    ("Had", "I had"),
    ("Does", "I do"),
    ("Lives", "I live"),
    ("Works", "I work"),
    ("Studies", "I study"),
    ("Comes", "I come"),
    ("Likes", "I like"),
    ("Loves", "I love"),
    ("Prefers", "I prefer"),
    ("Dislikes", "I dislike"),
    ("Hates", "I hate"),
    ("Plays", "I play"),
    ("Collects", "I collect"),
    ("Speaks", "I speak"),
    ("Drives", "I drive"),
    ("Wears", "I wear"),
    ("Eats", "I eat"),
    ("Drinks", "I drink"),
    ("Wants", "I want"),
];

/// Puts a fact as somebody would say it; `who` is nobody where it is about the person who asks.
pub fn told(who: &str, text: &str) -> String {
    let own = BEGINNINGS.iter().find_map(|(fact, own)| {
        let rest = text.strip_prefix(fact).filter(|rest| rest.starts_with(' '))?;
        Some((*own, rest))
    });
    match own {
        Some((own, rest)) if who.is_empty() => format!("{own}{}", rest.replace(" their ", " my ")),
        Some(_) => {
            let (first, rest) = text.split_at(1);
            format!("{who} {}{rest}", first.to_lowercase())
        }
        None if who.is_empty() => format!("About me: {text}"),
        None => format!("About {who}: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_told_as_somebody_says_it() {
        for (who, text, expected) in [
            ("", "Is called Anna.", "My name is Anna."),
            ("", "Is 34 years old.", "I am 34 years old."),
            ("", "Lives in Lyon.", "I live in Lyon."),
            ("", "Has a dog called Max.", "I have a dog called Max."),
            ("", "Has their birthday on 3 May.", "I have my birthday on 3 May."),
            ("", "Does not eat meat.", "I do not eat meat."),
            ("", "Israel was nice.", "About me: Israel was nice."),
            ("", "The key is under the mat.", "About me: The key is under the mat."),
            ("Max", "Is allergic to nuts.", "Max is allergic to nuts."),
            ("Max", "Écoute bien.", "About Max: Écoute bien."),
            ("", "", "About me: "),
        ] {
            assert_eq!(told(who, text), expected, "{who} {text}");
        }
    }
}
