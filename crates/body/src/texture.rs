//! The texture: head and torso in the upper half, and a field of each plain colour below.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::maths::{Point, smooth_step};
use crate::palette::{ColourSlot, Palette, Rgb, mixed};

const SIZE: u16 = 256;
/// The colours that have a field of their own, in the order of the fields.
const SWATCHES: [ColourSlot; 9] = [
    ColourSlot::Limb,
    ColourSlot::Moon,
    ColourSlot::Scarf,
    ColourSlot::Ink,
    ColourSlot::Iris,
    ColourSlot::Shine,
    ColourSlot::Mouth,
    ColourSlot::Tongue,
    ColourSlot::Cheek,
];
const SWATCHES_IN_ROW: usize = 8;
const SWATCH: f32 = 1.0 / 8.0;
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
pub type Uv = [f32; 2];

/// Returns the centre of a colour's field.
pub fn swatch(slot: ColourSlot) -> Uv {
    let at = SWATCHES.iter().position(|&field| field == slot).unwrap_or_default();
    let middle = |step: usize| (f32::from(u16::try_from(step).unwrap_or_default()) + 0.5) * SWATCH;
    [middle(at % SWATCHES_IN_ROW), 0.5 + middle(at / SWATCHES_IN_ROW)]
}

/// Returns the texture coordinates of a point of the head, seen from the front.
pub fn on_head(point: Point, centre: Point, radii: Point) -> Uv {
    let [across, down] = seen(point, centre, radii);
    [across / 2.0, down / 2.0]
}

/// Returns the texture coordinates of a point of the torso. The back gets the colour of the sides, so that the belly is
/// not repeated on it.
pub fn on_torso(point: Point, centre: Point, radii: Point) -> Uv {
    let [across, down] = seen(point, centre, radii);
    let across = if point[2] < 0.0 { 0.01 } else { across };
    [0.5 + across / 2.0, down / 2.0]
}

fn seen(point: Point, centre: Point, radii: Point) -> Uv {
    let share = |axis: usize, sign: f32| {
        (0.5 + sign * (point[axis] - centre[axis]) / (2.1 * radii[axis])).clamp(0.01, 0.99)
    };
    [share(0, 1.0), share(1, -1.0)]
}

/// Returns the whole texture, in light or in shadow, as a PNG.
pub fn texture(palette: &Palette, in_shade: bool) -> Vec<u8> {
    let colour = |slot| if in_shade { palette.shade(slot) } else { palette.colour(slot) };
    let mut rows = Vec::new();
    for row in 0..SIZE {
        rows.push(0);
        for column in 0..SIZE {
            let [x, y] = [column, row].map(|step| (f32::from(step) + 0.5) / f32::from(SIZE));
            let pixel = match (x < 0.5, y < 0.5) {
                (true, true) => head([x * 2.0, y * 2.0], &colour),
                (false, true) => torso([x * 2.0 - 1.0, y * 2.0], &colour),
                _ => flat([x, y - 0.5], &colour),
            };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
            rows.extend(pixel.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    png(&rows)
}

fn head([x, y]: Uv, colour: &impl Fn(ColourSlot) -> Rgb) -> Rgb {
    let mut pixel = mixed(colour(ColourSlot::Face), colour(ColourSlot::Chin), smooth_step(0.3, 1.0, y));
    for [across, down, size] in CRATERS {
        let away = (x - across).hypot(y - down);
        pixel = mixed(pixel, colour(ColourSlot::Crater), (1.0 - smooth_step(size * 0.85, size, away)) * 0.8);
    }
    pixel
}

/// The colour of the torso: a gradient with a round, light belly.
fn torso([x, y]: Uv, colour: &impl Fn(ColourSlot) -> Rgb) -> Rgb {
    let body = mixed(colour(ColourSlot::Body), colour(ColourSlot::Limb), smooth_step(0.3, 0.95, y));
    let round = 1.0 - smooth_step(0.29, 0.31, (x - 0.5).hypot((y - 0.58) * 0.9));
    mixed(body, colour(ColourSlot::Belly), round)
}

fn flat([x, y]: Uv, colour: &impl Fn(ColourSlot) -> Rgb) -> Rgb {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few fields")]
    let step = |place: f32| (place / SWATCH) as usize;
    SWATCHES.get(step(y) * SWATCHES_IN_ROW + step(x)).map_or([0.0; 3], |&slot| colour(slot))
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
        for slot in SWATCHES {
            let [x, y] = swatch(slot);
            let found = flat([x, y - 0.5], &|slot| palette.colour(slot));
            let same = |(found, meant): (f32, f32)| (found - meant).abs() < 1e-6;
            assert!(found.into_iter().zip(palette.colour(slot)).all(same), "{slot:?}");
        }
        let picture = texture(palette, false);
        assert!(picture.starts_with(b"\x89PNG") && picture.len() < 60_000, "{}", picture.len());
    }
}
