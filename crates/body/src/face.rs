//! The face: shapes drawn onto the head, with morph targets.

use std::f32::consts::{FRAC_PI_2, TAU};

use crate::figure::{BOXY, HEAD_RADII};
use crate::maths::{Point, bent, minus, unit};
use crate::palette::Paint;
use crate::picture::{Spot, field};
use crate::shape::count;
use crate::skeleton::{SIDES, Side};

/// A facial movement, used as a morph target with a weight from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feat {
    Close(Side),
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

pub const FEATS: [Feat; 18] = [
    Feat::Close(Side::Left),
    Feat::Close(Side::Right),
    Feat::Smiling,
    Feat::Wide,
    Feat::LookLeft,
    Feat::LookRight,
    Feat::LookUp,
    Feat::LookDown,
    Feat::Aa,
    Feat::Ih,
    Feat::Ou,
    Feat::Ee,
    Feat::Oh,
    Feat::Smile,
    Feat::Frown,
    Feat::BrowsDown,
    Feat::BrowsSad,
    Feat::BrowsUp,
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
struct Place {
    across: f32,
    up: f32,
    lift: f32,
}

impl Place {
    fn moved(self, across: f32, up: f32) -> Self {
        Self { across: self.across + across, up: self.up + up, ..self }
    }

    fn hidden(self) -> Self {
        Self { lift: HIDDEN, ..self }
    }

    /// Returns the position of a spot, relative to the centre of the head.
    fn on_head(self, [across, up]: Spot) -> Point {
        let (side, front) = (self.across + across).sin_cos();
        let (out, high) = (FRAC_PI_2 - self.up - up).sin_cos();
        let round =
            [bent(out, BOXY) * bent(side, BOXY), bent(high, BOXY), bent(out, BOXY) * bent(front, BOXY)];
        std::array::from_fn(|axis| HEAD_RADII[axis] * (1.0 + self.lift) * round[axis])
    }
}

/// A shape around its centre, as a function of the share of the radius and the angle.
type Outline = Box<dyn Fn(f32, f32) -> Spot>;

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
        [wide * out * angle.cos(), high * part * out * bent(angle.sin(), 0.9) - down]
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
    pub spots: Vec<Spot>,
    pub triangles: Vec<[u32; 3]>,
    /// The displacement of each point, per morph target in the order of [`FEATS`].
    pub shifts: Vec<Vec<Point>>,
}

impl Face {
    fn new(feats: usize) -> Self {
        Self { shifts: vec![Vec::new(); feats], ..Self::default() }
    }

    fn draw(&mut self, paint: Paint, place: Place, outline: &Outline, becomes: &[(usize, Place, Outline)]) {
        let offset = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        let points = drawn(place, outline);
        self.normals.extend(points.iter().map(|&point| unit(point)));
        self.spots.extend(points.iter().map(|_| field(paint)));
        for (feat, shifts) in self.shifts.iter_mut().enumerate() {
            match becomes.iter().find(|(becomes, ..)| *becomes == feat) {
                Some((_, place, outline)) => {
                    shifts.extend(
                        drawn(*place, outline).into_iter().zip(&points).map(|(to, &from)| minus(to, from)),
                    );
                }
                None => shifts.extend(points.iter().map(|_| [0.0; 3])),
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

fn drawn(place: Place, outline: &Outline) -> Vec<Point> {
    let mut points = vec![place.on_head(outline(0.0, 0.0))];
    for ring in 1..=RINGS {
        let out = count(ring) / count(RINGS);
        points.extend((0..AROUND).map(|step| place.on_head(outline(out, count(step) / count(AROUND) * TAU))));
    }
    points
}

fn number(feat: Feat) -> usize {
    FEATS.iter().position(|&other| other == feat).unwrap_or_default()
}

/// Returns the eyes, brows and mouth.
pub fn face() -> Face {
    let mut face = Face::new(FEATS.len());
    for side in SIDES {
        eye(&mut face, side);
        brow(&mut face, side);
    }
    mouth(&mut face);
    face
}

/// Draws an eye: a dark shape, an iris that follows the gaze, and two highlights.
fn eye(face: &mut Face, side: Side) {
    let place = Place { across: 0.40 * side.sign(), up: -0.06, lift: 0.012 };
    let layers: [(Paint, Place, [f32; 2], f32); 4] = [
        // The dark part follows the gaze far enough to keep the iris inside it.
        (Paint::Ink, place, [0.135, 0.195], 0.6),
        (Paint::Iris, Place { lift: 0.016, ..place }.moved(0.0, -0.05), [0.105, 0.13], 0.8),
        (Paint::Shine, Place { lift: 0.020, ..place }.moved(0.045, 0.085), [0.045, 0.058], 0.7),
        (Paint::Shine, Place { lift: 0.020, ..place }.moved(-0.05, -0.09), [0.022, 0.028], 0.7),
    ];
    for (layer, (paint, at, [wide, high], follows)) in layers.into_iter().enumerate() {
        // The dark layer becomes the line of the closed lid. The layers on it flatten with it and, as morph targets are
        // linear, pass behind it only when the eye is nearly shut.
        let closed = |bow: f32, thick: f32, up: f32| {
            let lid = place.moved(0.0, up);
            if layer == 0 {
                return (lid, stroke(LID, thick, bow));
            }
            // The middle section of the lid's arc.
            let (wide, share) = (wide.min(0.12), (wide.min(0.12) / LID).powi(2));
            let behind = Place { lift: BEHIND, ..lid };
            (behind.moved(0.0, bow * 0.5 * (1.0 - share)), stroke(wide, 0.005, bow * share))
        };
        let ((shut, lid), (glad, arch)) = (closed(-0.06, 0.022, -0.05), closed(0.15, 0.027, 0.0));
        let looks =
            |across: f32, up: f32| (at.moved(0.1 * across * follows, 0.075 * up * follows), oval(wide, high));
        let mut becomes = vec![
            (number(Feat::Close(side)), shut, lid),
            (number(Feat::Smiling), glad, arch),
            (number(Feat::Wide), at, oval(wide * 1.15, high * 1.17)),
        ];
        for (feat, across, up) in [
            (Feat::LookLeft, 1.0, 0.0),
            (Feat::LookRight, -1.0, 0.0),
            (Feat::LookUp, 0.0, 1.0),
            (Feat::LookDown, 0.0, -1.0),
        ] {
            let (place, outline) = looks(across, up);
            becomes.push((number(feat), place, outline));
        }
        face.draw(paint, at, &oval(wide, high), &becomes);
    }
}

fn brow(face: &mut Face, side: Side) {
    let sign = side.sign();
    let place = Place { across: 0.38 * sign, up: 0.27, lift: 0.016 };
    let drawn = |slant: f32| slanted(0.10, 0.017, 0.022, slant * sign);
    face.draw(
        Paint::Ink,
        place,
        &drawn(0.0),
        &[
            (number(Feat::BrowsDown), place.moved(0.0, -0.06), drawn(0.55)),
            (number(Feat::BrowsSad), place.moved(0.0, 0.02), drawn(-0.55)),
            (number(Feat::BrowsUp), place.moved(0.0, 0.09), drawn(0.0)),
        ],
    );
}

fn mouth(face: &mut Face) {
    let place = Place { across: 0.0, up: -0.36, lift: 0.012 };
    let lips: Vec<(usize, Place, Outline)> = vec![
        (number(Feat::Aa), place, open(0.13, 0.17, 0.0)),
        (number(Feat::Ih), place, open(0.16, 0.06, 0.0)),
        (number(Feat::Ou), place, open(0.055, 0.06, 0.0)),
        (number(Feat::Ee), place, open(0.15, 0.10, 0.0)),
        (number(Feat::Oh), place, open(0.085, 0.14, 0.0)),
        (number(Feat::Smile), place, stroke(0.17, 0.02, -0.12)),
        (number(Feat::Frown), place, stroke(0.11, 0.016, 0.07)),
    ];
    face.draw(Paint::Mouth, place, &stroke(0.105, 0.014, -0.05), &lips);
    let inside = Place { lift: 0.017, ..place };
    let tongue: Vec<(usize, Place, Outline)> = vec![
        (number(Feat::Aa), inside, open(0.085, 0.07, 0.08)),
        (number(Feat::Ih), inside, open(0.10, 0.02, 0.03)),
        (number(Feat::Ou), inside, open(0.02, 0.02, 0.02)),
        (number(Feat::Ee), inside, open(0.09, 0.04, 0.05)),
        (number(Feat::Oh), inside, open(0.05, 0.05, 0.07)),
    ];
    face.draw(Paint::Tongue, place.hidden(), &oval(0.02, 0.002), &tongue);
}

/// Returns the cheeks, whose only movement is to blush.
pub fn cheeks() -> Face {
    let mut cheeks = Face::new(1);
    for side in SIDES {
        let place = Place { across: 0.62 * side.sign(), up: -0.27, lift: 0.009 };
        cheeks.draw(Paint::Cheek, place, &oval(0.105, 0.065), &[(0, place, oval(0.14, 0.09))]);
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
        for (feat, shifts) in FEATS.iter().zip(&face.shifts) {
            assert_eq!(shifts.len(), face.points.len());
            assert!(shifts.iter().any(|shift| dot(*shift, *shift) > 1e-6), "{feat:?}");
        }
        // A wink must not move the other eye.
        let moved = |feat: Feat| {
            let shifts = &face.shifts[number(feat)];
            face.points
                .iter()
                .zip(shifts)
                .filter(|(_, shift)| dot(**shift, **shift) > 1e-8)
                .map(|(point, _)| point[0])
                .collect::<Vec<f32>>()
        };
        assert!(moved(Feat::Close(Side::Left)).iter().all(|&across| across > 0.0));
        assert!(moved(Feat::Close(Side::Right)).iter().all(|&across| across < 0.0));
    }
}
