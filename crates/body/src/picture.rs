//! The texture: head and torso in the upper half, and a field of each plain colour below.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::maths::{Point, rise};
use crate::palette::{Colour, Paint, Palette, mixed};

const SIZE: u16 = 256;
/// The colours that have a field of their own, in the order of the fields.
const FIELDS: [Paint; 9] = [
    Paint::Limb,
    Paint::Moon,
    Paint::Scarf,
    Paint::Ink,
    Paint::Iris,
    Paint::Shine,
    Paint::Mouth,
    Paint::Tongue,
    Paint::Cheek,
];
const FIELDS_IN_ROW: usize = 8;
const FIELD: f32 = 1.0 / 8.0;
/// Craters on the head, each as `[across, down, radius]` in the head's part of the texture.
const CRATERS: [[f32; 3]; 6] = [
    [0.2, 0.24, 0.06],
    [0.3, 0.14, 0.035],
    [0.82, 0.3, 0.05],
    [0.74, 0.17, 0.03],
    [0.13, 0.42, 0.03],
    [0.9, 0.46, 0.026],
];

/// A position in the texture.
pub type Spot = [f32; 2];

/// Returns the centre of a colour's field.
pub fn field(paint: Paint) -> Spot {
    let at = FIELDS.iter().position(|&field| field == paint).unwrap_or_default();
    let middle = |step: usize| (f32::from(u16::try_from(step).unwrap_or_default()) + 0.5) * FIELD;
    [middle(at % FIELDS_IN_ROW), 0.5 + middle(at / FIELDS_IN_ROW)]
}

/// Returns the texture coordinates of a point of the head, seen from the front.
pub fn on_head(point: Point, centre: Point, radii: Point) -> Spot {
    let [across, down] = seen(point, centre, radii);
    [across / 2.0, down / 2.0]
}

/// Returns the texture coordinates of a point of the torso. The back gets the colour of the sides, so that the belly is
/// not repeated on it.
pub fn on_torso(point: Point, centre: Point, radii: Point) -> Spot {
    let [across, down] = seen(point, centre, radii);
    let across = if point[2] < 0.0 { 0.01 } else { across };
    [0.5 + across / 2.0, down / 2.0]
}

fn seen(point: Point, centre: Point, radii: Point) -> Spot {
    let share = |axis: usize, sign: f32| {
        (0.5 + sign * (point[axis] - centre[axis]) / (2.1 * radii[axis])).clamp(0.01, 0.99)
    };
    [share(0, 1.0), share(1, -1.0)]
}

/// Returns the whole texture, in light or in shadow, as a PNG.
pub fn painted(palette: &Palette, in_shade: bool) -> Vec<u8> {
    let colour = |paint| if in_shade { palette.shade(paint) } else { palette.colour(paint) };
    let mut rows = Vec::new();
    for row in 0..SIZE {
        rows.push(0);
        for column in 0..SIZE {
            let [x, y] = [column, row].map(|step| (f32::from(step) + 0.5) / f32::from(SIZE));
            let painted = match (x < 0.5, y < 0.5) {
                (true, true) => head([x * 2.0, y * 2.0], &colour),
                (false, true) => torso([x * 2.0 - 1.0, y * 2.0], &colour),
                _ => flat([x, y - 0.5], &colour),
            };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
            rows.extend(painted.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    png(&rows)
}

fn head([x, y]: Spot, colour: &impl Fn(Paint) -> Colour) -> Colour {
    let mut painted = mixed(colour(Paint::Face), colour(Paint::Chin), rise(0.3, 1.0, y));
    for [across, down, size] in CRATERS {
        let away = (x - across).hypot(y - down);
        painted = mixed(painted, colour(Paint::Crater), (1.0 - rise(size * 0.85, size, away)) * 0.8);
    }
    painted
}

/// The colour of the torso: a gradient with a round, light belly.
fn torso([x, y]: Spot, colour: &impl Fn(Paint) -> Colour) -> Colour {
    let body = mixed(colour(Paint::Body), colour(Paint::Limb), rise(0.3, 0.95, y));
    let round = 1.0 - rise(0.29, 0.31, (x - 0.5).hypot((y - 0.58) * 0.9));
    mixed(body, colour(Paint::Belly), round)
}

fn flat([x, y]: Spot, colour: &impl Fn(Paint) -> Colour) -> Colour {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few fields")]
    let step = |place: f32| (place / FIELD) as usize;
    FIELDS.get(step(y) * FIELDS_IN_ROW + step(x)).map_or([0.0; 3], |&paint| colour(paint))
}

/// Encodes RGB rows as a PNG; each row begins with a filter byte of 0.
fn png(rows: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = [SIZE, SIZE].map(|side| u32::from(side).to_be_bytes()).concat();
    // Bit depth 8, colour type RGB, default compression and filter, no interlacing.
    head.extend([8, 2, 0, 0, 0]);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = packed.write_all(rows).and_then(|()| packed.finish()).unwrap_or_default();
    for (kind, bytes) in [(b"IHDR", head), (b"IDAT", packed), (b"IEND", Vec::new())] {
        let mut chunk = kind.to_vec();
        chunk.extend(bytes);
        let mut sum = flate2::Crc::new();
        sum.update(&chunk);
        file.extend(u32::try_from(chunk.len() - 4).unwrap_or_default().to_be_bytes());
        file.extend(chunk);
        file.extend(sum.sum().to_be_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::PALETTES;

    #[test]
    fn a_field_has_its_colour() {
        let palette = &PALETTES[0];
        for paint in FIELDS {
            let [x, y] = field(paint);
            let found = flat([x, y - 0.5], &|paint| palette.colour(paint));
            let same = |(found, meant): (f32, f32)| (found - meant).abs() < 1e-6;
            assert!(found.into_iter().zip(palette.colour(paint)).all(same), "{paint:?}");
        }
        let picture = painted(palette, false);
        assert!(picture.starts_with(b"\x89PNG") && picture.len() < 60_000, "{}", picture.len());
    }
}
