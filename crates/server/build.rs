//! Builds this crate again when the web app appears or changes: what is embedded is read at compile time, and
//! a folder that was missing then would be missed for ever.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
