//! Builds this crate again when a skill appears or changes: what ships is read at compile time.

fn main() {
    println!("cargo:rerun-if-changed=../../skills");
}
