//! What is nobody else's business by its kind: passwords, codes, the numbers of cards and accounts.

use super::words::words;

/// The fewest and the most digits of a card's number.
const CARD: std::ops::RangeInclusive<usize> = 13..=19;
const IBAN: std::ops::RangeInclusive<usize> = 15..=34;

/// Whether words tell a secret, so that a fact out of them is private from the first.
pub fn is_secret(text: &str) -> bool {
    let low: Vec<String> = words(text).collect();
    let has = |word: &str| low.iter().any(|own| own == word);
    let says = |first: &str, second: &str| low.windows(2).any(|pair| pair[0] == first && pair[1] == second);
    let names = ["password", "passwords", "passphrase", "passcode", "pin"].into_iter().any(has)
        || ["door", "alarm", "gate", "safe", "security", "access", "unlock", "lock", "recovery"]
            .into_iter()
            .any(|what| says(what, "code"))
        || ["card", "account", "passport", "insurance", "tax", "security"]
            .into_iter()
            .any(|what| says(what, "number"));
    // *I forgot my password* tells none.
    let tells = text.chars().any(|letter| letter.is_ascii_digit())
        || ["is", "are", "was", "'s", ":", "="].into_iter().any(|joint| text.contains(joint));
    names && tells || numbers(text).any(|number| is_card(&number) || is_iban(&number))
}

/// Runs of digits and capitals, with the spaces and dashes left out that people put between groups.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part =
        |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase() || matches!(letter, ' ' | '-');
    text.split(move |letter: char| !is_part(letter))
        .map(|run| run.chars().filter(char::is_ascii_alphanumeric).collect())
}

/// By its check digit, as the cards of the world have it (ISO/IEC 7812).
fn is_card(number: &str) -> bool {
    let digits: Option<Vec<u32>> = number.chars().map(|letter| letter.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| CARD.contains(&digits.len())) else { return false };
    let doubled = |(place, digit): (usize, &u32)| match (place % 2, digit * 2) {
        (0, _) => *digit,
        (_, twice) if twice > 9 => twice - 9,
        (_, twice) => twice,
    };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>() % 10 == 0
        && digits.iter().any(|digit| *digit != 0)
}

/// By its check digits (ISO 13616).
fn is_iban(number: &str) -> bool {
    if !IBAN.contains(&number.len())
        || !number.chars().take(2).all(|letter| letter.is_ascii_uppercase())
        || !number.chars().skip(2).take(2).all(|letter| letter.is_ascii_digit())
    {
        return false;
    }
    let turned = number.chars().skip(4).chain(number.chars().take(4));
    let rest = turned.filter_map(|letter| letter.to_digit(36)).fold(0, |rest, digit| {
        let shift = if digit > 9 { 100 } else { 10 };
        (rest * shift + digit) % 97
    });
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn passwords_codes_and_the_numbers_of_cards_and_accounts_are_secrets() {
        let secrets = [
            "My password is hunter2.",
            "The pin of my card is 4711",
            "Door code is 1234#.",
            "Their wifi password: moonlight",
            "My card number ends in 4444",
            "Pay with 4111 1111 1111 1111 please",
            "5555-5555-5555-4444",
            "Send it to DE89 3704 0044 0532 0130 00.",
            "GB82WEST12345698765432 is the account",
        ];
        for text in secrets {
            assert!(is_secret(text), "{text}");
        }
    }

    #[test]
    fn other_numbers_and_words_are_not() {
        let plain = [
            "I forgot my password",
            "Has a dog called Max.",
            "Works on password managers",
            "My order 4111 1111 1111 1112 is late",
            "Was born on 4 May 1990",
            "Phone: 0049 30 123456",
            "0000 0000 0000 0000",
            "Send it to DE89 3704 0044 0532 0130 01.",
            "The zip code is 10115",
            "",
        ];
        for text in plain {
            assert!(!is_secret(text), "{text}");
        }
    }
}
