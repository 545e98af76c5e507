//! The built-in avatar, generated from numbers alone: a VRM 1.0 figure and its animations.
//!
//! Pure: the same palette gives the same bytes. Nothing is rendered here; the web app renders it like any other VRM.
//! Start at [`avatar`].

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
