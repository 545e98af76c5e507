use super::super::tokens::tokens;
use super::*;

fn read(source: &str) -> Module<'_> {
    module(&tokens(source))
}

#[test]
fn trees_of_names_are_unfolded() {
    let module =
        read("use a::{self, b::{C, D as E}, f::*}; pub(crate) use super::G; use ::h::i; use {j, k};");
    let shown: Vec<String> = module
        .imports
        .iter()
        .map(|import| {
            let arrow = if import.passed_on { "=>" } else { "->" };
            format!("{} {arrow} {}", import.path.join("::"), import.name)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "a -> a",
            "a::b::C -> C",
            "a::b::D -> E",
            "a::f -> *",
            "super::G => G",
            "::h::i -> i",
            "j -> j",
            "k -> k"
        ]
    );
}

#[test]
fn definitions_are_those_of_the_module_itself() {
    let module = read(
        "pub struct A { pub b: u8 }
         pub(crate) enum B { One }
         pub(in crate::x) trait C { type Inner; fn method(); }
         type D = u8;
         pub const unsafe fn e() { struct Local; }
         pub const F: u8 = 1; const _: () = ();
         macro_rules! g { ($name:ident) => { pub struct $name; } }
         impl A { pub fn h() {} }
         mod inner { pub struct I; }",
    );
    let shown: Vec<String> = module
        .definitions
        .iter()
        .map(|found| format!("{} {} {} {}", found.line, found.keyword, found.name, found.public))
        .collect();
    assert_eq!(
        shown,
        [
            "1 struct A true",
            "2 enum B true",
            "3 trait C true",
            "4 type D false",
            "5 fn e true",
            "6 const F true",
            "6 const _ false",
            "7 macro_rules g false",
        ]
    );
    let inner = module.children.first().and_then(|child| child.inline.as_ref()).unwrap();
    assert_eq!(inner.definitions.first().map(|found| found.name), Some("I"));
}

#[test]
fn code_that_is_torn_ends() {
    for source in [
        "use a::{b; fn f() {}",
        "mod",
        "use",
        "pub",
        "#[cfg(test)]",
        "#[cfg(test",
        "} } struct A;",
        "mod a {",
    ] {
        read(source);
    }
}
