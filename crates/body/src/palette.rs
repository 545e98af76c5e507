//! The colours of the avatar.

/// Red, green and blue in sRGB, each from 0 to 1.
pub type Rgb = [f32; 3];

/// A colour scheme of the avatar.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    pub name: &'static str,
    /// The name for display.
    pub title: &'static str,
    hex: [u32; 12],
}

/// A part of the avatar that has one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourSlot {
    Face,
    /// The lower part of the head.
    Chin,
    Crater,
    Body,
    Belly,
    Limb,
    Moon,
    Scarf,
    /// Eyes, brows and outlines.
    Ink,
    Iris,
    Cheek,
    Mouth,
    Shine,
    Tongue,
}

#[allow(clippy::unreadable_literal, reason = "colours are written so everywhere")]
pub const PALETTES: [Palette; 3] = [
    Palette {
        name: "moon",
        title: "Moonlight",
        hex: [
            0xfffaf0, 0xdcd6ff, 0xcfc8f5, 0x8f9bff, 0xfff3d0, 0x8b95fb, 0xffd76a, 0xff7aa8, 0x20204a,
            0x5b63ff, 0xff8fb4, 0x7a2444,
        ],
    },
    Palette {
        name: "dawn",
        title: "Dawn",
        hex: [
            0xfff6ec, 0xffd9cf, 0xf7c9c0, 0xff9e8f, 0xfff1da, 0xfb917f, 0xffcf5c, 0x6fb7c9, 0x3a1f33,
            0xb4558a, 0xff7f7f, 0x7a2436,
        ],
    },
    Palette {
        name: "forest",
        title: "Forest night",
        hex: [
            0xf6fbf0, 0xcfe8dc, 0xbcdccb, 0x4f9c88, 0xeaf6cf, 0x458f7c, 0xf4e285, 0xd98a4e, 0x132b2b,
            0x2f8f6a, 0xf2a28c, 0x6b2b34,
        ],
    },
];

impl Palette {
    /// A few of the colours, from face to scarf, as `#rrggbb`.
    pub fn swatches(&self) -> [String; 4] {
        [0, 3, 6, 7].map(|place: usize| format!("#{:06x}", self.hex[place]))
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        PALETTES.iter().find(|palette| palette.name == name)
    }

    pub fn colour(&self, slot: ColourSlot) -> Rgb {
        let place = match slot {
            ColourSlot::Face => 0,
            ColourSlot::Chin => 1,
            ColourSlot::Crater => 2,
            ColourSlot::Body => 3,
            ColourSlot::Belly => 4,
            ColourSlot::Limb => 5,
            ColourSlot::Moon => 6,
            ColourSlot::Scarf => 7,
            ColourSlot::Ink => 8,
            ColourSlot::Iris => 9,
            ColourSlot::Cheek => 10,
            ColourSlot::Mouth => 11,
            ColourSlot::Shine => return [1.0; 3],
            ColourSlot::Tongue => return mixed(self.colour(ColourSlot::Cheek), [1.0, 0.45, 0.5], 0.5),
        };
        let [_, red, green, blue] = self.hex[place].to_be_bytes();
        [red, green, blue].map(|part| f32::from(part) / 255.0)
    }

    /// Returns the colour in shadow: darker, with a little night blue. Highlights, ink, mouth and tongue are not
    /// shaded.
    pub fn shade(&self, slot: ColourSlot) -> Rgb {
        match slot {
            ColourSlot::Shine | ColourSlot::Ink | ColourSlot::Mouth | ColourSlot::Tongue => self.colour(slot),
            _ => mixed(self.colour(slot).map(|part| part * part * 0.92), [0.36, 0.33, 0.78], 0.22),
        }
    }
}

pub fn mixed(one: Rgb, other: Rgb, share: f32) -> Rgb {
    std::array::from_fn(|part| one[part] + (other[part] - one[part]) * share)
}

/// Converts an sRGB colour to linear light.
pub fn linear(colour: Rgb) -> Rgb {
    colour.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_shades_are_darker() {
        let palette = Palette::named("moon").unwrap();
        let near = |(part, whole): (f32, f32)| (part * 255.0 - whole).abs() < 0.5;
        assert!(palette.colour(ColourSlot::Moon).into_iter().zip([255.0, 215.0, 106.0]).all(near));
        for palette in PALETTES {
            for slot in
                [ColourSlot::Face, ColourSlot::Body, ColourSlot::Limb, ColourSlot::Moon, ColourSlot::Scarf]
            {
                let light = |colour: Rgb| colour.iter().sum::<f32>();
                assert!(
                    light(palette.shade(slot)) < light(palette.colour(slot)),
                    "{}: {slot:?}",
                    palette.name
                );
            }
        }
        assert!(Palette::named("nothing").is_none());
    }
}
