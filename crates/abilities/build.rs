//! Rebuilds this crate when a skill is added or changed, since the bundled skills are embedded at compile time.

fn main() {
    println!("cargo:rerun-if-changed=../../skills");
}
