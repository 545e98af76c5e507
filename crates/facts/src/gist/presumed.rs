//! Presuppositions of a sentence, whatever it states, asks or supposes: *Who would look after my dog Nala?*

use super::Told;
use super::sight::{Sight, Sort};
use super::vehicles::owned;
use crate::lexicon;
use crate::names::Names;
use crate::rules;
use crate::slot::{Kind, Slot};
use crate::subject::capital;
use protocol::FactCategory;

pub fn presumed(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    let mut told: Vec<Told> = owned(sight, names);
    for (at, word) in sight.words.iter().enumerate() {
        if !matches!(*word, "my" | "our") {
            continue;
        }
        let which = sight.words[at + 1..].iter().take_while(|word| is_aside(word)).count();
        let head = at + 1 + which;
        // *my dog Nala*, but not *we would have named our dog Rex*
        if !words!("named name call called naming calling rename renamed renaming")
            .contains(sight.before(at, 1))
            && let Some(kind) = lexicon::animal(sight.word(head)).filter(|kind| *kind != "pet")
            && let Some(name) = sight.names.iter().find(|name| name.range.start == head + 1)
            && matches!(name.sort, Sort::Unknown | Sort::Pet | Sort::Person)
        {
            told.push(Told::new(rules::pet(kind, &name.text).sure(0.8)));
        }
        // *my Dutch lessons*
        if lexicon::is_language(sight.word(at + 1))
            && words!("lesson lessons class classes course tutor vocab vocabulary textbook")
                .contains(sight.word(at + 2))
        {
            let name = capital(sight.word(at + 1));
            let slot = Slot::of(Kind::Language, sight.word(at + 1));
            let draft =
                rules::Draft::new(FactCategory::Personal, slot, name.clone(), format!("is learning {name}"));
            told.push(Told::new(draft.sure(0.78)));
        }
    }
    told
}

/// Returns true for words that may stand between *my* and an animal that the user has today.
fn is_aside(word: &str) -> bool {
    lexicon::is_which(word)
        && !words!("old late former childhood last first family other next-door upstairs").contains(word)
}
