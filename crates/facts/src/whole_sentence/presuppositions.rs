//! Presuppositions of a sentence, whatever it states, asks or supposes: *Who would look after my dog Nala?*

use super::name_mention::NameKind;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use super::vehicles::owned;
use crate::lexicon;
use crate::name_text::capital;
use crate::names::KnownNames;
use crate::rules;
use crate::slot::{FactSlot, SlotKind};
use protocol::FactCategory;

pub fn presumed(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    let mut told: Vec<SentenceDraft> = owned(view, names);
    for (at, word) in view.words.iter().enumerate() {
        if !matches!(*word, "my" | "our") {
            continue;
        }
        let which = view.words[at + 1..].iter().take_while(|word| is_aside(word)).count();
        let head = at + 1 + which;
        // *my dog Nala*, but not *we would have named our dog Rex*
        if !words!("named name call called naming calling rename renamed renaming")
            .contains(view.before(at, 1))
            && let Some(kind) = lexicon::animal(view.word(head)).filter(|kind| *kind != "pet")
            && let Some(name) = view.names.iter().find(|name| name.range.start == head + 1)
            && matches!(name.kind, NameKind::Unknown | NameKind::Pet | NameKind::Person)
        {
            told.push(SentenceDraft::new(rules::pet(kind, &name.text).sure(0.8)));
        }
        // *my Dutch lessons*
        if lexicon::is_language(view.word(at + 1))
            && words!("lesson lessons class classes course tutor vocab vocabulary textbook")
                .contains(view.word(at + 2))
        {
            let name = capital(view.word(at + 1));
            let slot = FactSlot::of(SlotKind::Language, view.word(at + 1));
            let draft = rules::FactDraft::new(
                FactCategory::Personal,
                slot,
                name.clone(),
                format!("is learning {name}"),
            );
            told.push(SentenceDraft::new(draft.sure(0.78)));
        }
    }
    told
}

/// Returns true for words that may stand between *my* and an animal that the user has today.
fn is_aside(word: &str) -> bool {
    lexicon::is_which(word)
        && !words!("old late former childhood last first family other next-door upstairs").contains(word)
}
