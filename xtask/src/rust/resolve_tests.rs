use super::super::modules::Crate;
use super::*;

/// Reads a crate from its files and returns its uses: `from > to: names`.
fn uses_of(files: &[(&str, &str)]) -> Vec<String> {
    let source = |path: &str| files.iter().find(|(file, _)| *file == path).map(|(_, text)| *text);
    let read = Crate::read("src/lib.rs", &source);
    let shown = uses(&read).into_iter().map(|((from, to), names)| {
        let names: Vec<String> = names.into_iter().collect();
        format!(
            "{} > {}: {}",
            from.trim_start_matches("src/"),
            to.trim_start_matches("src/"),
            names.join(" ")
        )
    });
    shown.collect()
}

#[test]
fn a_use_leads_to_the_file_that_defines_the_name() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod a; mod b; pub use a::Shown; pub use crate::a::deep::*;"),
        ("src/a.rs", "mod deep; pub use deep::Hidden; pub struct Shown; use std::fs;"),
        ("src/a/deep.rs", "pub struct Hidden; pub fn help() {} pub enum Kind { One }"),
        (
            "src/b.rs",
            "use crate::{Shown as Seen, a::{self, Hidden}}; use crate::help;
             fn f() { a::Shown; crate::Kind::One; fs::read(); x.Hidden }",
        ),
    ]);
    assert_eq!(uses, ["b.rs > a.rs: Shown", "b.rs > a/deep.rs: Hidden Kind help"]);
}

#[test]
fn a_declaration_and_a_re_export_are_no_use_of_their_own() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod a; pub use a::A; pub(crate) use a::B; fn f(b: B) { a::call() }"),
        ("src/a.rs", "pub struct A; pub struct B; pub fn call() {}"),
    ]);
    assert_eq!(uses, ["lib.rs > a.rs: B call"]);
}

#[test]
fn names_by_a_star_and_from_the_parent_are_followed() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod a; struct Shared; fn helper() {}"),
        ("src/a/mod.rs", "mod b; pub struct Own; mod inline { use super::super::Shared; }"),
        ("src/a/b.rs", "use super::super::*; use super::*; fn f() { helper(); Own; Unknown }"),
    ]);
    assert_eq!(uses, ["a/b.rs > a/mod.rs: Own", "a/b.rs > lib.rs: helper", "a/mod.rs > lib.rs: Shared"]);
}

#[test]
fn tests_strings_and_comments_are_left_out() {
    let uses = uses_of(&[
        (
            "src/lib.rs",
            "mod a; mod b;
             #[cfg(test)] use b::B;
             #[cfg(test)] #[path = \"lib_tests.rs\"] mod tests;
             #[cfg(test)] fn f<A, C>() -> b::B { b::B }
             struct S { #[cfg(test)] inside: b::B, other: u8 }
             // crate::b::B
             const TEXT: &str = \"crate::b::B\";
             fn g() { a::A; }",
        ),
        ("src/lib_tests.rs", "use crate::b::B;"),
        ("src/a.rs", "pub struct A;"),
        ("src/b.rs", "pub struct B;"),
    ]);
    assert_eq!(uses, ["lib.rs > a.rs: A"]);
}

#[test]
fn what_a_macro_defines_belongs_to_its_module() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod ids; mod b;"),
        ("src/ids.rs", "macro_rules! id { ($name:ident) => { pub struct $name; } } id!(One);"),
        ("src/b.rs", "use crate::ids::One; use ::ids::Two;"),
    ]);
    assert_eq!(uses, ["b.rs > ids.rs: One"]);
}

#[test]
fn files_are_found_by_name_folder_and_path() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod a; mod b; #[path = \"system/unix.rs\"] mod system; use a::A; use system::S;"),
        ("src/a/mod.rs", "pub struct A; mod c; use c::C;"),
        ("src/a/c.rs", "pub struct C;"),
        ("src/b.rs", "use missing::Nothing; mod missing;"),
        ("src/system/unix.rs", "pub struct S;"),
    ]);
    assert_eq!(uses, ["a/mod.rs > a/c.rs: C", "lib.rs > a/mod.rs: A", "lib.rs > system/unix.rs: S"]);
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let uses = uses_of(&[
        ("src/lib.rs", "mod scan; mod b; fn scan() {}"),
        ("src/scan.rs", "pub struct Reach;"),
        ("src/b.rs", "mod c; use super::scan; fn f() { scan(); scan::Reach; }"),
        ("src/b/c.rs", "use crate::scan::{self}; fn scan() { scan::Reach; scan() }"),
    ]);
    assert_eq!(
        uses,
        ["b.rs > lib.rs: scan", "b.rs > scan.rs: Reach", "b/c.rs > lib.rs: scan", "b/c.rs > scan.rs: Reach"]
    );
}
