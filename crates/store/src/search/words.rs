use std::borrow::Cow;
use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;

/// The class of a character in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A separator between words.
    Gap,
    /// Part of a word.
    Letter,
    /// A word by itself: characters of scripts without spaces, and pictographs. A sequence of them is found as a
    /// phrase, so any part of it can be found.
    Single,
    /// Part of the surrounding word, but ignored: accents, vowel points, soft hyphens.
    Silent,
}

fn class(character: char) -> Class {
    if character.is_ascii() {
        return if character.is_ascii_alphanumeric() { Class::Letter } else { Class::Gap };
    }
    match character {
        '\u{ad}'
        | '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5bd}'
        | '\u{5bf}'
        | '\u{5c1}'..='\u{5c2}'
        | '\u{5c4}'..='\u{5c5}'
        | '\u{5c7}'
        | '\u{640}'
        | '\u{64b}'..='\u{65f}'
        | '\u{670}'
        | '\u{fe00}'..='\u{fe0f}' => Class::Silent,
        // Thai and Lao, Myanmar, Khmer; symbols and emoji.
        '\u{e01}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' => Class::Single,
        _ if !character.is_alphanumeric() => Class::Gap,
        // Jamo, kana, bopomofo, Hangul and Han.
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ffdc}'
        | '\u{1b000}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3ffff}' => Class::Single,
        _ => Class::Letter,
    }
}

/// Yields the words of a text in any language, as byte ranges.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = rest.find(|&(_, c)| matches!(class(c), Class::Letter | Class::Single))?;
        let grows = class(first) == Class::Letter;
        let mut end = start + first.len_utf8();
        while let Some((at, c)) =
            rest.next_if(|&(_, c)| class(c) == Class::Silent || grows && class(c) == Class::Letter)
        {
            end = at + c.len_utf8();
        }
        Some(start..end)
    })
}

/// Returns true if a word is complete by itself, so that it cannot be a prefix of a longer one.
pub(crate) fn is_single(word: &str) -> bool {
    word.chars().next().is_some_and(|first| class(first) == Class::Single)
}

/// Folds a word for comparison: without case, accents, and differences between variants of a letter.
pub(crate) fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            word.to_ascii_lowercase().into()
        } else {
            word.into()
        };
    }
    let mut folded = String::with_capacity(word.len());
    let lower = word.chars().flat_map(char::to_lowercase);
    for character in DecomposingNormalizerBorrowed::new_nfkd().normalize_iter(lower) {
        // Letters that Unicode does not decompose but that are often written in plain form.
        match character {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            // Punctuation that the decomposition of a ligature inserts between its letters.
            _ if character.is_ascii() && !character.is_ascii_alphanumeric() => {}
            _ if class(character) == Class::Silent => {}
            // `㎏` and `Ⅳ` decompose into capitals.
            _ => folded.extend(character.to_lowercase()),
        }
    }
    folded.into()
}

/// Prepares a text for the index: folded words separated by spaces. The index's own tokenizer lowercases ASCII and
/// splits it like [`words`] does, so plain ASCII is passed unchanged.
pub(crate) fn index_text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains('\0') {
        return text.into();
    }
    let mut folded = String::with_capacity(text.len() + text.len() / 4);
    for word in words(text) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&fold(&text[word]));
    }
    folded.into()
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
