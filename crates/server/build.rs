//! Rebuilds this crate when the web app appears or changes. The app is embedded at compile time, so a folder that was
//! missing then would never be picked up.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
