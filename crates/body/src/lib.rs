//! Her own body, made of nothing but numbers: a VRM 1.0 figure, and animations for it.
//!
//! Pure: the same palette gives the same bytes. Nothing is drawn here; the web app draws it as it draws anybody's VRM. Start at
//! [`avatar`].

mod face;
mod figure;
mod glb;
mod maths;
mod moves;
mod palette;
mod picture;
mod shape;
mod skeleton;
mod vrm;

pub use moves::{MOVES, Move, animation};
pub use palette::{PALETTES, Palette};
pub use vrm::avatar;
