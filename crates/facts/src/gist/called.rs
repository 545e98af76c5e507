//! Phrasings that tell the user's name: *my friends know me as Jamie*, *this is Morgan writing*.

use std::sync::LazyLock;

use super::Told;
use super::sight::{Name, Sight, Sort};
use super::turns::{Scene, Turn, turns};
use crate::lexicon;
use crate::names::Names;
use crate::rules::says;

static CALLED: LazyLock<Vec<Turn>> = LazyLock::new(|| {
    turns(
        "friends|people|everyone|everybody|mates|family|colleagues know|knows me as @
        ^ this is @ writing|typing|speaking|again|here $
        @ is what it says on my passport|id|badge|licence|card
        my passport|badge|licence says @
        !my parents|mum|mom|mother|dad|father *3 went|going|go with @ for me $
        !my parents|mum|mom|mother|dad|father *3 picked|chose|chosen @ for me $
        !my parents|mum|mom|mother|dad|father *3 picked|chose|chosen @ for me after
        my parents *16 settled on @ . i have been
        my name wrong #5 . it is @
        my name #8 how hard *5 write|spell|say @
        no nicknames *6 #1 ?just @
        ^ just @ , no nicknames
        ^ @ , pleased|nice|lovely|delighted|good to meet you
        who knows me says @ $
        just says @ to me
        ask who i am , i say @
        !by name , it is @
        of us called|named @ in my|our
        ^ yo|hey|hi|hiya|hello ?, it is @ $",
    )
});

pub fn called(sight: &Sight<'_>, _: &Names) -> Vec<Told> {
    let fits = |name: &Name| {
        name.range.len() == 1
            && matches!(name.sort, Sort::Unknown | Sort::Person)
            && lexicon::is_given_name(sight.word(name.range.start))
    };
    let mut people = sight.names.iter().filter(|name| fits(name));
    if !sight.is_mine() || people.next().is_none() {
        return Vec::new();
    }
    let scene = Scene { sight, fits: &fits, is_person: &|_| false };
    let found = scene.first(&CALLED).and_then(|found| found.new);
    found.map(|name| Told::new(says::called(&name.text).important(0.9).sure(0.7))).into_iter().collect()
}
