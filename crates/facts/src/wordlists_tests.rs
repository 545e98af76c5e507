use super::lexicon::relation;
use super::wordlists::{
    FAITHS, MEDICINES, NATIONALITIES, NO_NAMES, OCCUPATIONS, PRODUCTS, RELATIONS, STREETS, VEHICLES,
};

/// A line break within a word would split it in two.
#[test]
fn no_word_of_a_list_is_cut() {
    let lists = [
        &FAITHS,
        &MEDICINES,
        &NATIONALITIES,
        &NO_NAMES,
        &OCCUPATIONS,
        &PRODUCTS,
        &RELATIONS,
        &STREETS,
        &VEHICLES,
    ];
    for word in lists.iter().flat_map(|list| list.iter()) {
        assert!(!word.starts_with('-') && !word.ends_with('-'), "{word}");
        assert_eq!(word.to_lowercase(), **word);
    }
}

#[test]
fn relations_by_marriage_are_relations() {
    for what in ["father-in-law", "mother-in-law", "great-aunt"] {
        assert_eq!(relation(what), Some(what));
    }
    assert_eq!(relation("in-law"), None);
}
