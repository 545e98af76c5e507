//! The face: shapes drawn onto the head, with morph targets.

use std::f32::consts::{FRAC_PI_2, TAU};

use crate::figure::{BOXY, HEAD_RADII};
use crate::maths::{Point, normalized, signed_power, subtract};
use crate::palette::ColourSlot;
use crate::skeleton::{BodySide, SIDES};
use crate::texture::{Uv, swatch};
use crate::triangle_mesh::to_f32;

/// A facial movement, used as a morph target with a weight from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MorphTarget {
    Close(BodySide),
    Smiling,
    Wide,
    LookLeft,
    LookRight,
    LookUp,
    LookDown,
    Aa,
    Ih,
    Ou,
    Ee,
    Oh,
    Smile,
    Frown,
    BrowsDown,
    BrowsSad,
    BrowsUp,
}

pub const MORPH_TARGETS: [MorphTarget; 18] = [
    MorphTarget::Close(BodySide::Left),
    MorphTarget::Close(BodySide::Right),
    MorphTarget::Smiling,
    MorphTarget::Wide,
    MorphTarget::LookLeft,
    MorphTarget::LookRight,
    MorphTarget::LookUp,
    MorphTarget::LookDown,
    MorphTarget::Aa,
    MorphTarget::Ih,
    MorphTarget::Ou,
    MorphTarget::Ee,
    MorphTarget::Oh,
    MorphTarget::Smile,
    MorphTarget::Frown,
    MorphTarget::BrowsDown,
    MorphTarget::BrowsSad,
    MorphTarget::BrowsUp,
];

const RINGS: u32 = 5;
const AROUND: u32 = 30;
/// A lift this deep inside the head is invisible.
const HIDDEN: f32 = -0.05;
/// Half of the width of a lid.
const LID: f32 = 0.155;
/// The lift just below everything drawn on the head.
const BEHIND: f32 = 0.009;

/// A position on the head, in radians to the left and up, and its lift above the surface.
#[derive(Clone, Copy)]
struct FacePosition {
    across: f32,
    up: f32,
    lift: f32,
}

impl FacePosition {
    fn moved(self, across: f32, up: f32) -> Self {
        Self { across: self.across + across, up: self.up + up, ..self }
    }

    fn hidden(self) -> Self {
        Self { lift: HIDDEN, ..self }
    }

    /// Returns the position of a spot, relative to the centre of the head.
    fn on_head(self, [across, up]: Uv) -> Point {
        let (side, front) = (self.across + across).sin_cos();
        let (out, high) = (FRAC_PI_2 - self.up - up).sin_cos();
        let round = [
            signed_power(out, BOXY) * signed_power(side, BOXY),
            signed_power(high, BOXY),
            signed_power(out, BOXY) * signed_power(front, BOXY),
        ];
        std::array::from_fn(|axis| HEAD_RADII[axis] * (1.0 + self.lift) * round[axis])
    }
}

/// A shape around its centre, as a function of the share of the radius and the angle.
type Outline = Box<dyn Fn(f32, f32) -> Uv>;

fn oval(wide: f32, high: f32) -> Outline {
    Box::new(move |out, angle| [wide * out * angle.cos(), high * out * angle.sin()])
}

/// A stroke that curves upwards, or downwards if `bow` is negative.
fn stroke(wide: f32, thick: f32, bow: f32) -> Outline {
    Box::new(move |out, angle| {
        let along = out * angle.cos();
        let taper = (1.0 - 0.7 * along * along).max(0.05).sqrt();
        [wide * along, bow * (0.5 - along * along) + thick * out * angle.sin() * taper]
    })
}

/// An open mouth, flatter above than below.
fn open(wide: f32, high: f32, down: f32) -> Outline {
    Box::new(move |out, angle| {
        let part = if angle.sin() > 0.0 { 0.55 } else { 1.0 };
        [wide * out * angle.cos(), high * part * out * signed_power(angle.sin(), 0.9) - down]
    })
}

fn slanted(wide: f32, thick: f32, bow: f32, slant: f32) -> Outline {
    let straight = stroke(wide, thick, bow);
    Box::new(move |out, angle| {
        let [across, up] = straight(out, angle);
        [across, up + slant * across]
    })
}

/// Shapes on the head with their morph targets.
#[derive(Default)]
pub struct Face {
    pub points: Vec<Point>,
    pub normals: Vec<Point>,
    pub uvs: Vec<Uv>,
    pub triangles: Vec<[u32; 3]>,
    /// The displacement of each point, per morph target in the order of [`MORPH_TARGETS`].
    pub displacements: Vec<Vec<Point>>,
}

impl Face {
    fn new(targets: usize) -> Self {
        Self { displacements: vec![Vec::new(); targets], ..Self::default() }
    }

    fn draw(
        &mut self,
        slot: ColourSlot,
        position: FacePosition,
        outline: &Outline,
        becomes: &[(usize, FacePosition, Outline)],
    ) {
        let offset = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        let points = drawn(position, outline);
        self.normals.extend(points.iter().map(|&point| normalized(point)));
        self.uvs.extend(points.iter().map(|_| swatch(slot)));
        for (target, displacements) in self.displacements.iter_mut().enumerate() {
            match becomes.iter().find(|(becomes, ..)| *becomes == target) {
                Some((_, position, outline)) => {
                    displacements.extend(
                        drawn(*position, outline)
                            .into_iter()
                            .zip(&points)
                            .map(|(to, &from)| subtract(to, from)),
                    );
                }
                None => displacements.extend(points.iter().map(|_| [0.0; 3])),
            }
        }
        self.points.extend(points);
        let at = |ring: u32, step: u32| offset + 1 + ring * AROUND + step % AROUND;
        for step in 0..AROUND {
            self.triangles.push([offset, at(0, step), at(0, step + 1)]);
            for ring in 0..RINGS - 1 {
                let [here, beside] = [at(ring, step), at(ring, step + 1)];
                let [out, across] = [at(ring + 1, step), at(ring + 1, step + 1)];
                self.triangles.extend([[here, out, beside], [beside, out, across]]);
            }
        }
    }
}

fn drawn(position: FacePosition, outline: &Outline) -> Vec<Point> {
    let mut points = vec![position.on_head(outline(0.0, 0.0))];
    for ring in 1..=RINGS {
        let out = to_f32(ring) / to_f32(RINGS);
        points.extend(
            (0..AROUND).map(|step| position.on_head(outline(out, to_f32(step) / to_f32(AROUND) * TAU))),
        );
    }
    points
}

fn number(target: MorphTarget) -> usize {
    MORPH_TARGETS.iter().position(|&other| other == target).unwrap_or_default()
}

/// Returns the eyes, brows and mouth.
pub fn face() -> Face {
    let mut face = Face::new(MORPH_TARGETS.len());
    for side in SIDES {
        eye(&mut face, side);
        brow(&mut face, side);
    }
    mouth(&mut face);
    face
}

/// Draws an eye: a dark shape, an iris that follows the gaze, and two highlights.
fn eye(face: &mut Face, side: BodySide) {
    let position = FacePosition { across: 0.40 * side.sign(), up: -0.06, lift: 0.012 };
    let layers: [(ColourSlot, FacePosition, [f32; 2], f32); 4] = [
        // The dark part follows the gaze far enough to keep the iris inside it.
        (ColourSlot::Ink, position, [0.135, 0.195], 0.6),
        (ColourSlot::Iris, FacePosition { lift: 0.016, ..position }.moved(0.0, -0.05), [0.105, 0.13], 0.8),
        (
            ColourSlot::Shine,
            FacePosition { lift: 0.020, ..position }.moved(0.045, 0.085),
            [0.045, 0.058],
            0.7,
        ),
        (
            ColourSlot::Shine,
            FacePosition { lift: 0.020, ..position }.moved(-0.05, -0.09),
            [0.022, 0.028],
            0.7,
        ),
    ];
    for (layer, (slot, at, [wide, high], follows)) in layers.into_iter().enumerate() {
        // The dark layer becomes the line of the closed lid. The layers on it flatten with it and, as morph targets are
        // linear, pass behind it only when the eye is nearly shut.
        let closed = |bow: f32, thick: f32, up: f32| {
            let lid = position.moved(0.0, up);
            if layer == 0 {
                return (lid, stroke(LID, thick, bow));
            }
            // The middle section of the lid's arc.
            let (wide, share) = (wide.min(0.12), (wide.min(0.12) / LID).powi(2));
            let behind = FacePosition { lift: BEHIND, ..lid };
            (behind.moved(0.0, bow * 0.5 * (1.0 - share)), stroke(wide, 0.005, bow * share))
        };
        let ((shut, lid), (glad, arch)) = (closed(-0.06, 0.022, -0.05), closed(0.15, 0.027, 0.0));
        let looks =
            |across: f32, up: f32| (at.moved(0.1 * across * follows, 0.075 * up * follows), oval(wide, high));
        let mut becomes = vec![
            (number(MorphTarget::Close(side)), shut, lid),
            (number(MorphTarget::Smiling), glad, arch),
            (number(MorphTarget::Wide), at, oval(wide * 1.15, high * 1.17)),
        ];
        for (target, across, up) in [
            (MorphTarget::LookLeft, 1.0, 0.0),
            (MorphTarget::LookRight, -1.0, 0.0),
            (MorphTarget::LookUp, 0.0, 1.0),
            (MorphTarget::LookDown, 0.0, -1.0),
        ] {
            let (position, outline) = looks(across, up);
            becomes.push((number(target), position, outline));
        }
        face.draw(slot, at, &oval(wide, high), &becomes);
    }
}

fn brow(face: &mut Face, side: BodySide) {
    let sign = side.sign();
    let position = FacePosition { across: 0.38 * sign, up: 0.27, lift: 0.016 };
    let drawn = |slant: f32| slanted(0.10, 0.017, 0.022, slant * sign);
    face.draw(
        ColourSlot::Ink,
        position,
        &drawn(0.0),
        &[
            (number(MorphTarget::BrowsDown), position.moved(0.0, -0.06), drawn(0.55)),
            (number(MorphTarget::BrowsSad), position.moved(0.0, 0.02), drawn(-0.55)),
            (number(MorphTarget::BrowsUp), position.moved(0.0, 0.09), drawn(0.0)),
        ],
    );
}

fn mouth(face: &mut Face) {
    let position = FacePosition { across: 0.0, up: -0.36, lift: 0.012 };
    let lips: Vec<(usize, FacePosition, Outline)> = vec![
        (number(MorphTarget::Aa), position, open(0.13, 0.17, 0.0)),
        (number(MorphTarget::Ih), position, open(0.16, 0.06, 0.0)),
        (number(MorphTarget::Ou), position, open(0.055, 0.06, 0.0)),
        (number(MorphTarget::Ee), position, open(0.15, 0.10, 0.0)),
        (number(MorphTarget::Oh), position, open(0.085, 0.14, 0.0)),
        (number(MorphTarget::Smile), position, stroke(0.17, 0.02, -0.12)),
        (number(MorphTarget::Frown), position, stroke(0.11, 0.016, 0.07)),
    ];
    face.draw(ColourSlot::Mouth, position, &stroke(0.105, 0.014, -0.05), &lips);
    let inside = FacePosition { lift: 0.017, ..position };
    let tongue: Vec<(usize, FacePosition, Outline)> = vec![
        (number(MorphTarget::Aa), inside, open(0.085, 0.07, 0.08)),
        (number(MorphTarget::Ih), inside, open(0.10, 0.02, 0.03)),
        (number(MorphTarget::Ou), inside, open(0.02, 0.02, 0.02)),
        (number(MorphTarget::Ee), inside, open(0.09, 0.04, 0.05)),
        (number(MorphTarget::Oh), inside, open(0.05, 0.05, 0.07)),
    ];
    face.draw(ColourSlot::Tongue, position.hidden(), &oval(0.02, 0.002), &tongue);
}

/// Returns the cheeks, whose only movement is to blush.
pub fn cheeks() -> Face {
    let mut cheeks = Face::new(1);
    for side in SIDES {
        let position = FacePosition { across: 0.62 * side.sign(), up: -0.27, lift: 0.009 };
        cheeks.draw(ColourSlot::Cheek, position, &oval(0.105, 0.065), &[(0, position, oval(0.14, 0.09))]);
    }
    cheeks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::dot;

    #[test]
    fn each_feat_moves_something_and_shuts_what_it_should() {
        let face = face();
        for (target, displacements) in MORPH_TARGETS.iter().zip(&face.displacements) {
            assert_eq!(displacements.len(), face.points.len());
            assert!(
                displacements.iter().any(|displacement| dot(*displacement, *displacement) > 1e-6),
                "{target:?}"
            );
        }
        // A wink must not move the other eye.
        let moved = |target: MorphTarget| {
            let displacements = &face.displacements[number(target)];
            face.points
                .iter()
                .zip(displacements)
                .filter(|(_, displacement)| dot(**displacement, **displacement) > 1e-8)
                .map(|(point, _)| point[0])
                .collect::<Vec<f32>>()
        };
        assert!(moved(MorphTarget::Close(BodySide::Left)).iter().all(|&across| across > 0.0));
        assert!(moved(MorphTarget::Close(BodySide::Right)).iter().all(|&across| across < 0.0));
    }
}
