use super::*;

fn check(text: &str, expected: &[&str]) {
    let outline = read(text);
    let shown = outline.definitions.iter().map(|one| {
        let container = one.container.as_deref().map(|name| format!("{name}.")).unwrap_or_default();
        format!("{}-{} {} {container}{}", one.lines.0, one.lines.1, one.kind.name(), one.name)
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn definitions_of_other_languages_are_found() {
    check(
        "module Shop\n  class Till < Base\n    def self.open(x)\n      1\n    end\n\n    def close\n    end\n  end\nend\n",
        &["1-10 module Shop", "2-10 class Shop.Till", "3-5 method Till.open", "7-10 method Till.close"],
    );
    check(
        "data class Point(val x: Int)\nfun interface Run {\n    override fun run(): Int = 1\n}\nenum class Mode { A }\n",
        &["1-1 class Point", "2-4 interface Run", "3-4 method Run.run", "5-5 enum Mode"],
    );
    check(
        "public struct Shop {\n    mutating func open() -> Bool {\n    }\n}\nprotocol Sells: AnyObject {}\n",
        &["1-4 struct Shop", "2-4 method Shop.open", "5-5 interface Sells"],
    );
    check(
        "<?php\nnamespace App\\Shop;\nabstract class Till extends Base\n{\n}\n",
        &["2-2 module App", "3-5 class Till"],
    );
    check("pub(crate) fn apply<T>(edit: T) {\n}\n", &["1-2 function apply"]);
}

#[test]
fn prose_and_data_define_nothing() {
    check(
        "class struggle in history\nfunction follows form,\ntype of thing\nThe class Foo {\ndef. see below\n",
        &[],
    );
    check("[package]\nname = \"x\"\n{ \"type\": \"module\" }\ntype: module\n- class: x\n", &[]);
    check("", &[]);
    check("fn\nfn \nclass\nclass {\nfn (\nfn 1x()\n", &[]);
}

#[test]
fn only_words_that_prose_does_not_have_are_names() {
    let outline = read("Call apply_patch, applyPatch or ApplyPatch.\nThe HTTP server; see apply_patch.\n");
    let named = outline.references.iter().map(|one| format!("{} {}x{}", one.name, one.line, one.count));
    assert_eq!(named.collect::<Vec<_>>(), ["ApplyPatch 1x1", "applyPatch 1x1", "apply_patch 1x2"]);
}

#[test]
fn words_keep_their_places() {
    let text = "ä_b, (cd)\n";
    let found: Vec<&str> = words(text).map(|range| &text[range]).filter(|word| !word.is_empty()).collect();
    assert_eq!(found, ["ä_b", "cd"]);
}
