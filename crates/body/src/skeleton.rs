//! The bones: their names, their parents, and their positions in the T-pose facing +z, in metres.

use crate::maths::{Point, subtract};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodySide {
    Left,
    Right,
}

pub const SIDES: [BodySide; 2] = [BodySide::Left, BodySide::Right];

impl BodySide {
    /// Returns the sign of the side on the x axis: the avatar's left is +x.
    pub fn sign(self) -> f32 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bone {
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    Shoulder(BodySide),
    UpperArm(BodySide),
    LowerArm(BodySide),
    Hand(BodySide),
    UpperLeg(BodySide),
    LowerLeg(BodySide),
    Foot(BodySide),
    /// The stalk of the moon, from the head to the tip.
    Stalk(u8),
    /// The ends of the scarf, from the knot outwards.
    Scarf(BodySide, u8),
}

pub const STALK: u8 = 4;
pub const SCARF: u8 = 4;

impl Bone {
    /// Returns all bones, each after its parent.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Hips, Self::Spine, Self::Chest, Self::Neck, Self::Head];
        for side in SIDES {
            all.extend([Self::Shoulder(side), Self::UpperArm(side), Self::LowerArm(side), Self::Hand(side)]);
            all.extend([Self::UpperLeg(side), Self::LowerLeg(side), Self::Foot(side)]);
        }
        all.extend((0..STALK).map(Self::Stalk));
        for side in SIDES {
            all.extend((0..SCARF).map(|step| Self::Scarf(side, step)));
        }
        all
    }

    /// Returns the VRM name of a human bone, or the bone's own name.
    pub fn name(self) -> String {
        let sided = |side: BodySide, name: &str| {
            let side = if side == BodySide::Left { "left" } else { "right" };
            format!("{side}{name}")
        };
        match self {
            Self::Hips => "hips".into(),
            Self::Spine => "spine".into(),
            Self::Chest => "chest".into(),
            Self::Neck => "neck".into(),
            Self::Head => "head".into(),
            Self::Shoulder(side) => sided(side, "Shoulder"),
            Self::UpperArm(side) => sided(side, "UpperArm"),
            Self::LowerArm(side) => sided(side, "LowerArm"),
            Self::Hand(side) => sided(side, "Hand"),
            Self::UpperLeg(side) => sided(side, "UpperLeg"),
            Self::LowerLeg(side) => sided(side, "LowerLeg"),
            Self::Foot(side) => sided(side, "Foot"),
            Self::Stalk(step) => format!("stalk{step}"),
            Self::Scarf(side, step) => sided(side, &format!("Scarf{step}")),
        }
    }

    /// Returns true if it is a bone of the VRM humanoid.
    pub fn is_human(self) -> bool {
        !matches!(self, Self::Stalk(_) | Self::Scarf(..))
    }

    pub fn parent(self) -> Option<Self> {
        Some(match self {
            Self::Hips => return None,
            Self::Spine | Self::UpperLeg(_) => Self::Hips,
            Self::Chest => Self::Spine,
            Self::Neck | Self::Shoulder(_) | Self::Scarf(_, 0) => Self::Chest,
            Self::Head => Self::Neck,
            Self::UpperArm(side) => Self::Shoulder(side),
            Self::LowerArm(side) => Self::UpperArm(side),
            Self::Hand(side) => Self::LowerArm(side),
            Self::LowerLeg(side) => Self::UpperLeg(side),
            Self::Foot(side) => Self::LowerLeg(side),
            Self::Stalk(0) => Self::Head,
            Self::Stalk(step) => Self::Stalk(step - 1),
            Self::Scarf(side, step) => Self::Scarf(side, step - 1),
        })
    }

    pub fn position(self) -> Point {
        match self {
            Self::Hips => [0.0, 0.22, 0.0],
            Self::Spine => [0.0, 0.28, 0.0],
            Self::Chest => [0.0, 0.35, 0.0],
            Self::Neck => [0.0, 0.44, 0.0],
            Self::Head => [0.0, 0.48, 0.0],
            Self::Shoulder(side) => [0.05 * side.sign(), 0.40, 0.0],
            Self::UpperArm(side) => [0.12 * side.sign(), 0.40, 0.0],
            Self::LowerArm(side) => [0.24 * side.sign(), 0.40, 0.0],
            Self::Hand(side) => [0.35 * side.sign(), 0.40, 0.0],
            Self::UpperLeg(side) => [0.072 * side.sign(), 0.19, 0.0],
            Self::LowerLeg(side) => [0.072 * side.sign(), 0.11, 0.0],
            Self::Foot(side) => [0.072 * side.sign(), 0.045, 0.0],
            Self::Stalk(step) => [0.015 * f32::from(step), 0.885 + 0.07 * f32::from(step), 0.0],
            Self::Scarf(side, step) => {
                // The left end is longer and hangs further to the left.
                let down = f32::from(step);
                let (across, apart, long) =
                    if side == BodySide::Left { (0.105, 0.014, 0.062) } else { (0.075, 0.004, 0.048) };
                [across + apart * down, 0.425 - long * down, 0.128 + 0.004 * down]
            }
        }
    }

    /// Returns the position relative to the parent.
    pub fn offset(self) -> Point {
        self.parent().map_or(self.position(), |parent| subtract(self.position(), parent.position()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bone_comes_after_what_it_hangs_on() {
        let all = Bone::all();
        for (place, bone) in all.iter().enumerate() {
            assert!(bone.parent().is_none_or(|parent| all[..place].contains(&parent)), "{bone:?}");
        }
        let names: std::collections::HashSet<String> = all.iter().map(|bone| bone.name()).collect();
        assert_eq!(names.len(), all.len());
    }
}
