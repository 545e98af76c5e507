//! The built-in avatar, generated from numbers alone: a VRM 1.0 figure and its animations.
//!
//! Pure: the same palette gives the same bytes. This crate neither reads nor writes files and renders nothing; the web
//! app renders the avatar like any other VRM.
//!
//! Start with [`avatar_file`].

mod animations;
mod face;
mod figure;
mod glb;
mod maths;
mod palette;
mod skeleton;
mod texture;
mod triangle_mesh;
mod vrm;

pub use animations::{ANIMATIONS, BuiltinAnimation, animation_file};
pub use palette::{PALETTES, Palette};
pub use vrm::avatar_file;
