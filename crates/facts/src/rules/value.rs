//! Cuts the value of a slot out of the words after a verb.

use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::name_text::capital;
use crate::token::WordToken;
use crate::verbs;

/// Returns the text of tokens as written in the message, without words that were dropped between them.
pub fn text_of(text: &str, tokens: &[WordToken]) -> String {
    let mut out = String::new();
    let mut before: Option<&WordToken> = None;
    for token in tokens {
        if token.range.is_empty() {
            continue;
        }
        let joined = before.is_some_and(|before| before.range.end == token.range.start);
        if !out.is_empty() && !joined && token.low != "," {
            out.push(' ');
        }
        out.push_str(text.get(token.range.clone()).unwrap_or(&token.low));
        before = Some(token);
    }
    out
}

/// Returns the text as a name; words in lower case are capitalised.
pub fn name_of(text: &str, tokens: &[WordToken]) -> String {
    let whole = text_of(text, tokens);
    if whole.chars().any(char::is_uppercase) {
        return whole;
    }
    let small = ["of", "the", "and", "de", "la", "le", "upon", "in", "an", "am", "a", "near", "near"];
    let words = whole.split(' ').enumerate();
    words
        .map(
            |(at, word)| {
                if small.contains(&word) && at > 0 || word == "a" { word.to_owned() } else { capital(word) }
            },
        )
        .collect::<Vec<_>>()
        .join(" ")
}

/// Splits `Lyon, not Paris`, `tea instead of coffee`, `not Paris but Lyon` into the new value and the one that it
/// replaces.
pub fn replaced(tokens: &[WordToken]) -> (&[WordToken], Option<&[WordToken]>) {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    if words.first() == Some(&"not")
        && let Some(at) = words.iter().position(|word| *word == "but" || *word == ",")
    {
        let after = at + 1 + usize::from(words.get(at + 1) == Some(&"but"));
        return (&tokens[after.min(tokens.len())..], Some(&tokens[1..at]));
    }
    for at in 1..words.len() {
        let length = match words[at..] {
            ["instead", "of", ..] | ["rather", "than", ..] => 2,
            ["and" | ",", "not" | "no", ..] => 2,
            [",", "and", "not", ..] => 3,
            ["not", ..] if at > 0 => 1,
            _ => continue,
        };
        let mut after = at + length;
        while words
            .get(after)
            .is_some_and(|word| words!("in at to a an called from for as with").contains(*word))
        {
            after += 1;
        }
        return (trim(&tokens[..at]), Some(upto(&tokens[after.min(tokens.len())..], is_stop)));
    }
    (tokens, None)
}

/// Removes punctuation marks at the ends.
pub fn trim(mut tokens: &[WordToken]) -> &[WordToken] {
    while let [rest @ .., last] = tokens
        && (last.is_mark()
            || words!("and so but that as for with in to at though").contains(last.low.as_str()))
        && last.low != "\u{1}"
    {
        tokens = rest;
    }
    while let [first, rest @ ..] = tokens
        && first.is_mark()
        && first.low != "\u{1}"
    {
        tokens = rest;
    }
    tokens
}

/// Returns the tokens before one that ends a value.
pub fn upto(tokens: &[WordToken], stop: impl Fn(&str) -> bool) -> &[WordToken] {
    let end = tokens
        .iter()
        .position(|token| stop(&token.low) || (token.is_mark() && token.low != "\u{1}"))
        .unwrap_or(tokens.len());
    trim(&tokens[..end])
}

pub fn is_stop(word: &str) -> bool {
    words!(
        "with because where which who when while so but if after before since until though although \
        together alone every than thanks due whose i we as then everyday permanently full-time part-time \
        fulltime remotely again"
    )
    .contains(word)
}

fn ends_place(word: &str) -> bool {
    is_stop(word)
        || words!(
            "and for from to by is at on it my area instead not or about close back fyi btw tbh yesterday \
            that there right"
        )
        .contains(word)
}

/// Reads a place: `Lyon`, `Lyon, France`, `a small town near Lyon`.
pub fn place(text: &str, tokens: &[WordToken]) -> Option<String> {
    let mut start = 0;
    while tokens
        .get(start)
        .map(|token| token.low.as_str())
        .is_some_and(|word| words!("sunny beautiful lovely downtown central rainy good old").contains(word))
        && tokens.get(start + 1).is_some_and(|next| next.is_capital)
    {
        start += 1;
    }
    let tokens = &tokens[start..];
    let named = tokens.first().is_some_and(|token| token.is_capital);
    let mut length = tokens
        .iter()
        .enumerate()
        .position(|(at, token)| {
            ends_place(&token.low) || token.is_mark() || (named && at > 0 && token.low == "in")
        })
        .unwrap_or(tokens.len());
    // `Lyon, France`
    if let [comma, country, rest @ ..] = &tokens[length..]
        && comma.low == ","
        && country.is_capital
        && rest.first().is_none_or(WordToken::is_mark)
    {
        length += 2;
    }
    // `in the end` does not name a place.
    let end = tokens
        .windows(3)
        .position(|window| window[0].low == "in" && window[1].low == "the" && window[2].low == "end");
    let tokens = trim(&tokens[..length.min(6).min(end.unwrap_or(usize::MAX))]);
    let first = tokens.first()?;
    let is_place = first.is_capital
        || (!is_function_word(&first.low) || matches!(first.low.as_str(), "the" | "a" | "an"))
            && !words!(
                "it peace fear bed there here this that my your his their our sync touch front case love \
                trouble charge progress order general harmony sin theory pain denial line shock tears \
                hospital someone another one two next school college new bigger different home work these \
                those doubt person which what meetings traffic business class town me high something \
                nothing moment favour favor need"
            )
            .contains(first.low.as_str());
    let describes = matches!(first.low.as_str(), "the" | "a" | "an");
    let settled = !describes
        || tokens.iter().skip(1).any(|token| token.is_capital)
        || tokens.iter().any(|token| {
            words!(
                "countryside suburbs city village town mountains country coast flat house apartment studio \
                cottage farm uk us usa netherlands north south east west alps houseboat dorm bungalow \
                highlands bay woods centre center loft islands states sea island"
            )
            .contains(token.low.as_str())
        });
    let one_verb = tokens.len() == 1
        && !first.is_capital
        && verbs::lemma(&first.low).is_some_and(|(_, form)| form == verbs::VerbForm::Gerund);
    let is_new_city = first.low == "new"
        && tokens.get(1).is_some_and(|next| {
            words!("york delhi orleans zealand jersey haven mexico hampshire").contains(next.low.as_str())
        });
    let low: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let is_place = (is_place || is_new_city) && (first.is_capital || !lexicon::is_occupation(&low));
    let is_named = !describes || tokens.iter().any(|token| token.is_capital);
    (is_place && settled && !one_verb && !has_blank(tokens)).then(|| {
        let name = name_of(text, tokens);
        match is_named {
            // `ROME` becomes *Rome*, but `NYC` stays.
            true if name.len() > 3 && lexicon::is_city(&name.to_lowercase()) => lowered(name),
            true => name,
            false => text_of(text, tokens).to_lowercase(),
        }
    })
}

/// Returns true if a place is described and not named: *a small flat*, *the countryside*.
pub fn is_described(place: &str) -> bool {
    ["a ", "an ", "the "].iter().any(|article| place.starts_with(article))
        && !place.contains(char::is_uppercase)
        && !crate::countries::is_country(place)
}

pub fn has_blank(tokens: &[WordToken]) -> bool {
    tokens.iter().any(|token| token.low == "\u{1}")
}

/// Reads an employer: `Renault`, `the hospital`, `a small bakery in Lyon`.
pub fn organisation(text: &str, tokens: &[WordToken]) -> Option<String> {
    let first = tokens.first()?;
    if matches!(first.low.as_str(), "home" | "the" if tokens.get(1).is_some_and(|next| words!(
        "moment weekend weekends time office airport station gym beach doctor dentist bottom end top \
        beginning same"
    ).contains(next.low.as_str())) || first.low == "home")
        || words!(
            "night least last first once present it that this noon midnight all them him her me my myself \
            people kids children weekends hours school and what something nothing you your nights there \
            dinner lunch work his university uni peace risk money free ease hand love fun gym church \
            college capacity loss rest sea war bed court customs breakfast hospital practice training full \
            max mum mom"
        )
        .contains(first.low.as_str())
        || first.is_number()
    {
        return None;
    }
    let end = tokens
        .iter()
        .enumerate()
        .position(|(at, token)| {
            at > 0
                && (is_stop(&token.low)
                    || words!(
                        "and on from now to instead not doing in it for my or at that right is was are has \
                        were went starts started feels felt will today there"
                    )
                    .contains(token.low.as_str()))
                || token.is_mark()
        })
        .unwrap_or(tokens.len());
    let tokens = trim(&tokens[..end.min(6)]);
    if tokens.is_empty() || has_blank(tokens) {
        return None;
    }
    let (article, body) = match tokens[0].low.as_str() {
        "the" | "a" | "an" => (1, &tokens[1..]),
        _ => (0, tokens),
    };
    if body.is_empty()
        || (article == 0 && !body[0].is_capital && body.iter().any(|token| is_function_word(&token.low)))
    {
        return None;
    }
    Some(if article == 1 && !body.iter().any(|token| token.is_capital) {
        text_of(text, tokens)
    } else {
        name_of(text, tokens)
    })
}

/// Reads the name of a person or an animal: capitalised words, or one word in lower case.
pub fn name(text: &str, tokens: &[WordToken]) -> Option<String> {
    let tokens = match tokens {
        [first, rest @ ..] if matches!(first.low.as_str(), "," | ":" | "-" | "is" | "—") => rest,
        _ => tokens,
    };
    let first = tokens.first()?;
    let capitals = tokens
        .iter()
        .take(3)
        .take_while(|token| token.is_capital && token.low != "i" && token.low != "\u{1}")
        .count();
    if capitals > 0 {
        return Some(lowered(name_of(text, &tokens[..capitals])));
    }
    let plain = first.low.len() > 1
        && first.low.chars().all(|c| c.is_alphabetic() || c == '-')
        && !is_function_word(&first.low)
        && !words!(
            "upon so very my your something what whatever someone after i we you anything names me them us later \
            tomorrow crazy back when if like no gone getting doing being our this one two three half"
        )
        .contains(first.low.as_str());
    plain.then(|| lowered(name_of(text, &tokens[..1])))
}

/// Converts all-capital words: `KEVIN` becomes *Kevin*; `JJ` and `AJ` stay.
fn lowered(name: String) -> String {
    let shouted = |word: &str| word.len() > 2 && !word.contains(char::is_lowercase);
    if !name.split(' ').all(shouted) {
        return name;
    }
    name.split(' ').map(|word| capital(&word.to_lowercase())).collect::<Vec<_>>().join(" ")
}

/// Reads a thing that is liked, eaten or played, up to the end of its phrase.
pub fn object(text: &str, tokens: &[WordToken]) -> Option<String> {
    let end = tokens
        .iter()
        .enumerate()
        .position(|(at, token)| {
            (is_stop(&token.low) && !(token.low == "with" && at > 0 && at < 3 && tokens.len() <= 5))
                || (token.is_mark() && token.low != ",")
                || (token.low == "," && !lists(&tokens[at + 1..]))
                || matches!(token.low.as_str(), "these" | "instead" | "like") && at > 0
                // *Off caffeine 11 days*
                || at > 0 && token.is_number() && tokens.get(at + 1).is_some_and(|next| is_span(&next.low))
        })
        .unwrap_or(tokens.len());
    let tokens = trim(&tokens[..end.min(9)]);
    let tokens = match tokens {
        [body @ .., at, all] if at.low == "at" && all.low == "all" && !body.is_empty() => body,
        other => other,
    };
    let first = tokens.first()?;
    let vague = words!(
        "it that this you your him her them how what when where me us those these both one everything \
        anything nothing something someone each myself every all of not if there ya u some who why his \
        their its even more most such so like"
    )
    .contains(first.low.as_str());
    (!vague && !has_blank(tokens)).then(|| text_of(text, tokens))
}

fn is_span(word: &str) -> bool {
    words!("day days week weeks month months year years hours minutes").contains(word)
}

/// Returns true if a list continues after a comma: `tea, coffee and cake`.
fn lists(rest: &[WordToken]) -> bool {
    let next = rest.iter().position(|token| token.low == "," || token.low == "and" || token.low == "or");
    next.is_some_and(|at| at <= 3 && at > 0)
        && !rest[0].is_mark()
        && verbs::lemma(&rest[0].low).is_none()
        && !is_function_word(&rest[0].low)
}

/// Returns the names in a list, but not those of places: `Nala and Leo`, but not `in Lyon`.
pub fn names_beside(tokens: &[WordToken]) -> Vec<&WordToken> {
    let whose = |at: usize| at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
    let names = tokens.iter().enumerate().filter(|(at, token)| {
        token.is_capital
            && token.low != "i"
            && !matches!(whose(*at), "in" | "at" | "from" | "near" | "on" | "to" | "of")
    });
    names.map(|(_, token)| token).collect()
}

/// Splits a list into its items: `tea, coffee and cake`.
pub fn parts(value: &str) -> Vec<String> {
    let mut out = Vec::new();
    for part in value.split(", ") {
        for one in part.split(" and ").flat_map(|one| one.split(" or ")).flat_map(|one| one.split(" & ")) {
            let one = one.trim().trim_start_matches("and ").trim();
            if !one.is_empty() {
                out.push(one.to_owned());
            }
        }
    }
    let short = out.iter().all(|one| one.split(' ').count() <= 3) && out.len() <= 6;
    if short { out } else { vec![value.to_owned()] }
}

/// Returns the number of words of the first phrase that the words begin with.
pub fn begins(words: &[&str], phrases: &[&[&str]]) -> Option<usize> {
    phrases.iter().find(|phrase| words.starts_with(phrase)).map(|phrase| phrase.len())
}

/// Puts *my* and *our* in a value into the third person: `my novel` becomes `their novel`.
pub fn in_third_person(value: &str) -> String {
    value
        .strip_prefix("my ")
        .or_else(|| value.strip_prefix("our "))
        .map_or_else(|| value.to_owned(), |rest| format!("their {rest}"))
}
