//! The tools that use the network. Each says in one sentence what is missing where there is none.
//!
//! What a page or a search brings goes through [`Web`], which reaches the public web alone. Services that the user or
//! this program chose (a search engine, the weather, Spotify) may be anywhere and are asked directly.

mod readable;
mod service;
#[cfg(test)]
mod testing;
