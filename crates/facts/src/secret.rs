//! Recognises secrets: passwords, codes, the numbers of cards and accounts.

use text::words;

/// The number of digits of a card number, and below of characters of an IBAN.
const CARD: std::ops::RangeInclusive<usize> = 13..=19;
const IBAN: std::ops::RangeInclusive<usize> = 15..=34;
/// The minimum number of digits in a card number or IBAN; texts with fewer need no check.
const CARD_DIGITS: usize = 10;

/// Words after *password* and the like that show that no secret is stated.
const ABOUT: [&str; 6] = ["manager", "managers", "reset", "policy", "field", "hash"];

/// Returns true if any sentence of a text states a secret.
pub fn has_secret(text: &str) -> bool {
    // A cheap check first, since most texts contain no secret and many are checked.
    let low = text.to_ascii_lowercase();
    let may_name = ["pass", "pin", "code", "number", "iban", "cvv", "cvc", "safe"];
    let digits = low.bytes().filter(u8::is_ascii_digit).count();
    if digits < CARD_DIGITS && !may_name.iter().any(|name| low.contains(name)) {
        return false;
    }
    let ends = |(at, end): (usize, char)| {
        let rest = &text[at + end.len_utf8()..];
        end == '\n' || matches!(end, '.' | '!' | '?') && rest.starts_with(char::is_whitespace)
    };
    let mut starts: Vec<usize> = vec![0];
    starts.extend(text.char_indices().filter(|&found| ends(found)).map(|(at, end)| at + end.len_utf8()));
    starts.push(text.len());
    let last = starts.len() - 1;
    (0..last).any(|at| {
        // *The PIN? It is 4711.* consists of two sentences.
        let asks = text[..starts[at + 1]].trim_end().ends_with('?');
        let until = if asks { (at + 2).min(last) } else { at + 1 };
        is_secret(&text[starts[at]..starts[until]])
    })
}

/// Returns the words of a text that may be the secret itself: *hunter2* in *my password is hunter2*. Only words with a
/// digit count.
pub fn secret_words(text: &str) -> impl Iterator<Item = &str> {
    const LONG_ENOUGH: usize = 4;
    let is_one = |word: &&str| {
        word.chars().count() >= LONG_ENOUGH && word.chars().any(|letter| letter.is_ascii_digit())
    };
    text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).filter(is_one)
}

/// Returns true if words state a secret, so that a fact made from them is private from the start.
pub fn is_secret(text: &str) -> bool {
    let low: Vec<String> = words(text).collect();
    let has = |word: &str| {
        let mut places = (0..low.len()).filter(|&at| low[at] == word);
        places.any(|at| low.get(at + 1).is_none_or(|next| !ABOUT.contains(&next.as_str())))
    };
    let says = |first: &str, second: &str| low.windows(2).any(|pair| pair[0] == first && pair[1] == second);
    let names =
        ["password", "passwords", "passphrase", "passcode", "pin", "iban", "cvv", "cvc"].into_iter().any(has)
            || says("safe", "opens")
            || ["door", "alarm", "gate", "safe", "security", "access", "unlock", "lock", "recovery"]
                .into_iter()
                .any(|what| says(what, "code"))
            || ["card", "account", "passport", "insurance", "tax", "security"]
                .into_iter()
                .any(|what| says(what, "number"));
    // *I forgot my password* does not state it.
    let tells = text.chars().any(|letter| letter.is_ascii_digit())
        || ["is", "are", "was", "'s", ":", "="].into_iter().any(|joint| text.contains(joint));
    names && tells || numbers(text).any(|number| is_card(&number) || is_iban(&number))
}

/// Returns runs of digits and capitals, without the spaces and dashes between groups.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part =
        |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase() || matches!(letter, ' ' | '-');
    text.split(move |letter: char| !is_part(letter))
        .map(|run| run.chars().filter(char::is_ascii_alphanumeric).collect())
}

/// Checks the check digit of card numbers (ISO/IEC 7812).
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

/// Checks the check digits of an IBAN (ISO 13616).
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
    use super::{has_secret, is_secret, secret_words};

    #[test]
    fn a_secret_is_found_among_other_things() {
        for (text, expected) in [
            ("We had lunch. The PIN of my bank card is 9921. It was nice.", true),
            ("The PIN? It is 9921.", true),
            ("# House\n- The alarm code of the house is 7733\n- Anna likes tea", true),
            ("Use the password tulip-rain-9 for my mail account", true),
            ("The safe opens with 1188.", true),
            ("My IBAN changed, it is new", true),
            ("I forgot my password. The weather is fine. Rome has 7 hills.", false),
            ("My password manager is good.", false),
            ("We pinned the map to the wall. It is large.", false),
            ("Call me at 0049 30 123456.", false),
            ("", false),
        ] {
            assert_eq!(has_secret(text), expected, "{text}");
        }
        let words: Vec<&str> = secret_words("My password is “hunter2moon”, since 99 and 4711!").collect();
        assert_eq!(words, ["hunter2moon", "4711"]);
    }

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
