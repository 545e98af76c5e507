//! Tokens with their positions; contractions are split and chat spelling is expanded.

use std::ops::Range;

use super::calendar;

/// Stands for the characters of a message that are not the user's own words.
pub const BLANK: char = '\u{1}';

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordToken {
    /// The word in lower case and normalised spelling.
    pub low: String,
    pub range: Range<usize>,
    /// The token's number in the sentence, which shows whether tokens were dropped in between.
    pub at: usize,
    pub is_capital: bool,
}

impl WordToken {
    pub fn is_mark(&self) -> bool {
        self.low.len() == 1 && !self.low.as_bytes()[0].is_ascii_alphanumeric()
    }

    pub fn is_number(&self) -> bool {
        self.low.as_bytes().first().is_some_and(u8::is_ascii_digit)
    }
}

/// Returns the expansion of abbreviations and the normal form of variant spellings.
fn written_out(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "im" | "i'm" | "i’m" => &["i", "am"],
        "ive" | "i've" => &["i", "have"],
        "dont" => &["do", "not"],
        "doesnt" => &["does", "not"],
        "didnt" => &["did", "not"],
        "isnt" | "ain't" | "aint" => &["is", "not"],
        "arent" => &["are", "not"],
        "wasnt" => &["was", "not"],
        "werent" => &["were", "not"],
        "havent" => &["have", "not"],
        "hasnt" => &["has", "not"],
        "cant" | "can't" | "cannot" => &["can", "not"],
        "couldnt" => &["could", "not"],
        "wont" | "won't" => &["will", "not"],
        "wouldnt" => &["would", "not"],
        "hes" => &["he", "is"],
        "shes" => &["she", "is"],
        "theyre" => &["they", "are"],
        "theyve" => &["they", "have"],
        "weve" => &["we", "have"],
        "youre" | "ur" => &["you", "are"],
        "thats" => &["that", "is"],
        "whats" => &["what", "is"],
        "wheres" => &["where", "is"],
        "whos" => &["who", "is"],
        "gonna" | "gunna" => &["going", "to"],
        "wanna" => &["want", "to"],
        "gotta" => &["have", "to"],
        "gotten" => &["got"],
        "anymore" => &["any", "more"],
        "nomore" => &["no", "more"],
        "rn" => &["right", "now"],
        "atm" => &["at", "the", "moment"],
        "cuz" | "bc" | "cos" | "coz" | "cause" | "'cause" | "becuz" => &["because"],
        "fav" | "fave" | "favorite" | "favorites" | "favourites" | "favs" | "faves" => &["favourite"],
        "color" | "colors" | "colours" => &["colour"],
        "til" | "till" | "'til" => &["until"],
        "u" => &["you"],
        "bday" | "b-day" => &["birthday"],
        "mom" | "mum" | "mam" | "mama" | "mami" | "mommy" | "mummy" => &["mother"],
        "dad" | "papa" | "daddy" | "pa" => &["father"],
        "sis" | "hermana" | "schwester" => &["sister"],
        "bro" | "hermano" | "frère" => &["brother"],
        "hija" | "fille" | "tochter" => &["daughter"],
        "hijo" | "fils" | "sohn" => &["son"],
        "stepdad" | "step-dad" | "step-father" => &["stepfather"],
        "stepmum" | "stepmom" | "step-mum" | "step-mom" | "step-mother" => &["stepmother"],
        "auntie" | "aunty" | "tía" => &["aunt"],
        "tío" => &["uncle"],
        "hubby" => &["husband"],
        "wifey" => &["wife"],
        "bf" => &["boyfriend"],
        "gf" => &["girlfriend"],
        "bff" | "bestie" | "besties" => &["best", "friend"],
        "fiance" | "fiancee" | "fiancée" => &["fiancé"],
        "grandma" | "granny" | "gran" | "nan" | "nana" | "abuela" | "nonna" | "oma" => &["grandmother"],
        "grandpa" | "grandad" | "granddad" | "abuelo" | "nonno" | "opa" => &["grandfather"],
        "uni" | "univ" => &["university"],
        "ppl" => &["people"],
        "tmrw" | "tmr" | "tomorow" | "2moro" => &["tomorrow"],
        "&" | "n" | "'n'" => &["and"],
        "w/" => &["with"],
        "luv" | "lov" => &["love"],
        "kinda" => &["kind", "of"],
        "dunno" => &["do", "not", "know"],
        "tho" => &["though"],
        "doggo" | "doggy" | "doggie" => &["dog"],
        "kitty" => &["cat"],
        "flatmate" => &["flatmate"],
        "apt" => &["apartment"],
        "co-worker" => &["coworker"],
        "aka" => &["called"],
        "i'd" => &["i", "would"],
        "let's" | "lets" => &["let", "us"],
        _ => return None,
    })
}

/// Splits a word at an apostrophe: `he'll`, `Anna's`, `don't`.
fn split_contraction(word: &str) -> Option<(usize, &'static str)> {
    let at = word.find('\'')?;
    let (stem, rest) = word.split_at(at);
    let part = match rest {
        "'m" => "am",
        "'re" => "are",
        "'ve" => "have",
        "'ll" => "will",
        "'d" => "would",
        "'s" => "'s",
        "'" if stem.ends_with('s') => "'s",
        "'t" if stem.ends_with('n') && stem.len() > 2 => return Some((at - 1, "not")),
        _ => return None,
    };
    (at > 0).then_some((at, part))
}

/// Returns the tokens of a sentence that begins at `offset` in the message.
pub fn tokens(sentence: &str, offset: usize) -> Vec<WordToken> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(letter) = sentence[at..].chars().next() {
        let length = letter.len_utf8();
        if letter.is_whitespace() {
            at += length;
            continue;
        }
        let end = if letter == BLANK {
            at + sentence[at..].find(|c: char| c != BLANK).unwrap_or(sentence.len() - at)
        } else if is_inner(letter) {
            word_end(sentence, at)
        } else {
            at + length
        };
        push(&mut tokens, &sentence[at..end], offset + at);
        // The full stop in *Mr. Hughes* does not end the sentence.
        at = end + usize::from(is_title(&sentence[at..end]) && sentence[end..].starts_with('.'));
    }
    add_apostrophes(&mut tokens);
    resolve_possessives(&mut tokens);
    join_in_laws(&mut tokens);
    normalise_owners(&mut tokens);
    for (number, token) in tokens.iter_mut().enumerate() {
        token.at = number;
    }
    tokens
}

fn is_title(word: &str) -> bool {
    words!("Mr Mrs Ms Dr St Prof Rev Fr Sgt Capt").contains(word)
}

fn is_inner(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '&' | '@' | '#' | '+' | '$' | '€' | '£')
}

/// Returns the end of a word, which may contain marks between letters: `C++`, `3.5`, `co-op`, `a@b.de`.
fn word_end(sentence: &str, start: usize) -> usize {
    let mut end = start;
    let mut letters = sentence[start..].char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = matches!(letter, '-' | '.' | '/' | '_' | ':')
            && at > 0
            && letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if !is_inner(letter) && !joins {
            break;
        }
        end = start + at + letter.len_utf8();
    }
    end
}

fn push(tokens: &mut Vec<WordToken>, word: &str, start: usize) {
    let low = word.to_lowercase().replace('’', "'");
    let is_capital = word.chars().next().is_some_and(char::is_uppercase);
    let range = start..start + word.len();
    let mut add = |low: &str, range: Range<usize>, is_capital: bool| {
        tokens.push(WordToken { low: low.to_owned(), range, at: 0, is_capital });
    };
    if let Some(words) = written_out(&low) {
        for (number, part) in words.iter().enumerate() {
            // Only the first token gets a range, since the expansion is a single word in the message.
            let place = if number == 0 { range.clone() } else { range.end..range.end };
            add(part, place, is_capital && number == 0);
        }
        return;
    }
    if word.len() == low.len()
        && let Some((at, part)) = split_contraction(&low)
    {
        let place = start + at;
        match written_out(&low[..at]).and_then(|words| words.first()) {
            Some(first) if written_out(&low[..at]).is_some_and(|words| words.len() == 1) => {
                add(first, start..place, is_capital);
            }
            _ => add(&low[..at], start..place, is_capital),
        }
        add(part, place..range.end, false);
        return;
    }
    if let Some(at) = word.find('’').filter(|_| word.len() != low.len())
        && let Some((_, part)) = split_contraction(&low)
        && part != "not"
    {
        add(&word[..at].to_lowercase(), start..start + at, is_capital);
        add(part, start + at..range.end, false);
        return;
    }
    if low.ends_with("n't") && low.len() > 3 {
        let stem = low.len() - 3;
        add(&low[..stem], start..start + stem, is_capital);
        add("not", start + stem..range.end, false);
        return;
    }
    add(if word.starts_with(BLANK) { "\u{1}" } else { &low }, range, is_capital);
}

/// Inserts omitted apostrophes: `my moms a nurse`, `wifes name is Tammy`.
fn add_apostrophes(tokens: &mut Vec<WordToken>) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let one = match tokens[at].low.as_str() {
            "moms" | "mums" | "mams" => "mother",
            "dads" => "father",
            "wifes" => "wife",
            "husbands" | "hubbys" => "husband",
            "bfs" | "boyfriends" => "boyfriend",
            "gfs" | "girlfriends" => "girlfriend",
            "sisters" => "sister",
            "brothers" => "brother",
            _ => "",
        };
        let next = tokens[at + 1].low.as_str();
        let owned = at > 0 && tokens[at - 1].low == "my" || at == 0;
        if !one.is_empty() && owned && matches!(next, "a" | "an" | "name") {
            one.clone_into(&mut tokens[at].low);
            let end = tokens[at].range.end;
            tokens[at].range.end = end - 1;
            tokens.insert(
                at + 1,
                WordToken { low: "'s".to_owned(), range: end - 1..end, at: 0, is_capital: false },
            );
        }
        at += 1;
    }
}

/// Joins `brother in law` into one token, whatever its spelling.
fn join_in_laws(tokens: &mut Vec<WordToken>) {
    let mut at = 0;
    while at + 2 < tokens.len() {
        let is_in_law = tokens[at + 1].low == "in"
            && tokens[at + 2].low == "law"
            && words!("mother father sister brother daughter son").contains(tokens[at].low.as_str());
        if is_in_law {
            tokens[at].low.push_str("-in-law");
            tokens[at].range.end = tokens[at + 2].range.end;
            tokens.drain(at + 1..=at + 2);
        }
        at += 1;
    }
}

/// Normalises *my* before relatives: `ma fille`, `mi hermana`, `me mam`.
fn normalise_owners(tokens: &mut [WordToken]) {
    let is_family = |word: &str| {
        words!(
            "mother father sister brother daughter son aunt uncle cousin grandmother grandfather wife husband \
            niece nephew"
        )
        .contains(word)
    };
    for at in 0..tokens.len().saturating_sub(1) {
        let opens = at == 0
            || tokens[at - 1].is_mark()
            || matches!(tokens[at - 1].low.as_str(), "and" | "but" | "so" | "because" | "with");
        let owns = match tokens[at].low.as_str() {
            "mi" | "ma" | "mon" | "meine" | "mein" | "minha" | "meu" => true,
            "me" => opens,
            _ => false,
        };
        if owns && is_family(&tokens[at + 1].low) {
            "my".clone_into(&mut tokens[at].low);
        }
    }
}

/// Resolves `'s` to *is*, *has* or the possessive.
fn resolve_possessives(tokens: &mut [WordToken]) {
    for at in 0..tokens.len() {
        if tokens[at].low != "'s" {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
        let next = tokens.get(at + 1).map_or("", |token| token.low.as_str());
        let after = tokens.get(at + 2).map_or("", |token| token.low.as_str());
        let pronoun = words!(
            "he she it that there who what where when how this here everything name birthday everyone \
            nobody which"
        )
        .contains(before);
        let participle =
            words!("been got become had gone moved started taken switched just finally").contains(next);
        // *Our son's fourteen*, but not *my sister's two kids*
        let is_age = calendar::number(next).is_some()
            && (after.is_empty() || words!(", . ! and but now years foot").contains(after));
        let predicate = is_age
            || is_predicate_start(next)
            || next.is_empty()
            || !next.as_bytes()[0].is_ascii_alphanumeric();
        let told =
            matches!(next, "new") && matches!(after, "name" | "job" | "place" | "home" | "boss" | "address");
        tokens[at].low = if participle && (pronoun || next != "got") {
            "has".into()
        } else if pronoun || (predicate && !told) {
            "is".into()
        } else {
            "'s".into()
        };
    }
}

/// Returns true for words that begin a predicate, not the name of a possession.
fn is_predicate_start(word: &str) -> bool {
    words!(
        "a an the in on at from not called named now my our his her very so really also still no to with \
        allergic vegan vegetarian married engaged pregnant retired born based turning known actually \
        currently single divorced gone dead sick ill back into always never just officially"
    )
    .contains(word)
        || word.ends_with("ing")
        || word.as_bytes().first().is_some_and(u8::is_ascii_digit)
}
