//! The avatar's movements, as VRM animations.

use std::f32::consts::TAU;

use serde_json::{Map, Value, json};

use crate::glb::Glb;
use crate::maths::{Point, add, quaternion, smooth_pulse};
use crate::skeleton::{BodySide, Bone};
use crate::triangle_mesh::to_f32;

/// Poses per second; players interpolate linearly between them.
const RATE: u32 = 15;

/// The pose at one moment.
#[derive(Default)]
struct Pose {
    /// The displacement of the hips from their rest position.
    hips: Point,
    rotations: Vec<(Bone, Point)>,
    /// The weights of expressions, by name.
    face: Vec<(&'static str, f32)>,
}

/// A movement of the avatar.
pub struct BuiltinAnimation {
    pub name: &'static str,
    /// The name for display.
    pub title: &'static str,
    pub seconds: u32,
    /// True if it repeats from its beginning.
    pub loops: bool,
    pose: fn(f32) -> Pose,
}

pub const ANIMATIONS: [BuiltinAnimation; 8] = [
    BuiltinAnimation { name: "idle", title: "Stand and breathe", seconds: 8, loops: true, pose: idle },
    BuiltinAnimation { name: "wave", title: "Wave", seconds: 4, loops: false, pose: wave },
    BuiltinAnimation { name: "nod", title: "Nod", seconds: 2, loops: false, pose: nod },
    BuiltinAnimation { name: "think", title: "Think", seconds: 6, loops: true, pose: think },
    BuiltinAnimation { name: "listen", title: "Listen", seconds: 6, loops: true, pose: listen },
    BuiltinAnimation { name: "laugh", title: "Laugh", seconds: 3, loops: false, pose: laugh },
    BuiltinAnimation { name: "surprised", title: "Be surprised", seconds: 3, loops: false, pose: surprised },
    BuiltinAnimation { name: "sleepy", title: "Grow sleepy", seconds: 8, loops: true, pose: sleepy },
];

const LEFT: BodySide = BodySide::Left;
const RIGHT: BodySide = BodySide::Right;

/// A sine that completes `times` cycles in `seconds`.
fn sway(t: f32, times: f32, seconds: f32) -> f32 {
    (t / seconds * times * TAU).sin()
}

/// The arms hang down, and the weight shifts between the feet with each breath.
fn standing(breath: f32, weight: f32) -> Pose {
    Pose {
        hips: [0.008 * weight, 0.006 * breath, 0.0],
        rotations: vec![
            (Bone::Spine, [0.02 * breath, 0.0, -0.03 * weight]),
            (Bone::Chest, [0.025 * breath, 0.0, -0.02 * weight]),
            (Bone::Head, [-0.02 * breath, 0.0, 0.04 * weight]),
            (Bone::UpperArm(LEFT), [0.0, -0.15, -1.05 + 0.03 * breath]),
            (Bone::UpperArm(RIGHT), [0.0, 0.15, 1.05 - 0.03 * breath]),
            (Bone::LowerArm(LEFT), [0.0, -0.2, -0.08]),
            (Bone::LowerArm(RIGHT), [0.0, 0.2, 0.08]),
            (Bone::UpperLeg(LEFT), [0.0, 0.0, 0.03 * weight]),
            (Bone::UpperLeg(RIGHT), [0.0, 0.0, 0.03 * weight]),
        ],
        face: Vec::new(),
    }
}

impl Pose {
    /// Adds to the rotation of a bone.
    fn turned(mut self, bone: Bone, by: Point) -> Self {
        match self.rotations.iter_mut().find(|(other, _)| *other == bone) {
            Some((_, rotation)) => *rotation = add(*rotation, by),
            None => self.rotations.push((bone, by)),
        }
        self
    }

    fn raised(mut self, by: f32) -> Self {
        self.hips[1] += by;
        self
    }

    fn with(mut self, expression: &'static str, weight: f32) -> Self {
        self.face.push((expression, weight));
        self
    }
}

fn idle(t: f32) -> Pose {
    standing(sway(t, 2.0, 8.0), sway(t, 1.0, 8.0))
}

/// The arm comes up in front of the body, so that the hand is beside the face and not behind it.
fn wave(t: f32) -> Pose {
    let up = smooth_pulse([0.2, 0.8], [3.1, 3.8], t);
    let shake = up * sway(t, 8.0, 4.0);
    standing(sway(t, 1.0, 4.0), 0.0)
        .turned(Bone::UpperArm(RIGHT), [0.0, 0.25 * up, -1.2 * up])
        .turned(Bone::LowerArm(RIGHT), [0.0, -0.05 * up, -0.8 * up + 0.35 * shake])
        .turned(Bone::Hand(RIGHT), [0.0, 0.0, 0.2 * shake])
        .turned(Bone::Head, [0.0, -0.08 * up, 0.13 * up])
        .turned(Bone::Spine, [0.0, 0.0, -0.05 * up])
        .with("happy", up)
}

fn nod(t: f32) -> Pose {
    let down = smooth_pulse([0.1, 0.4], [1.4, 1.8], t) * (0.5 - 0.5 * (t * 1.5 * TAU).cos());
    standing(0.0, 0.0).turned(Bone::Head, [0.32 * down, 0.0, 0.0]).turned(Bone::Neck, [0.12 * down, 0.0, 0.0])
}

/// A hand at the chin, the eyes up and to the side, and the moon shining.
fn think(t: f32) -> Pose {
    let slow = sway(t, 1.0, 6.0);
    standing(sway(t, 2.0, 6.0), 0.0)
        .turned(Bone::UpperArm(RIGHT), [0.0, 0.95, -0.55])
        .turned(Bone::LowerArm(RIGHT), [0.0, 1.15, -0.75])
        .turned(Bone::Head, [-0.08, 0.14 + 0.04 * slow, 0.1])
        .with("lookUp", 0.6)
        .with("lookLeft", 0.5 + 0.2 * slow)
        .with("shine", 0.5 + 0.5 * sway(t, 3.0, 6.0))
}

/// Leans in, with the head a little to the side.
fn listen(t: f32) -> Pose {
    let small = sway(t, 2.0, 6.0);
    standing(small, 0.0)
        .turned(Bone::Spine, [0.12, 0.0, 0.0])
        .turned(Bone::Head, [-0.04 + 0.03 * small, 0.0, 0.14 + 0.02 * sway(t, 1.0, 6.0)])
        .turned(Bone::UpperArm(LEFT), [0.0, -0.25, 0.0])
        .turned(Bone::UpperArm(RIGHT), [0.0, 0.25, 0.0])
}

fn laugh(t: f32) -> Pose {
    let glad = smooth_pulse([0.0, 0.3], [2.3, 2.9], t);
    let shake = glad * sway(t, 12.0, 3.0);
    standing(0.0, 0.0)
        .raised(0.012 * shake)
        .turned(Bone::Spine, [-0.08 * glad + 0.03 * shake, 0.0, 0.0])
        .turned(Bone::Head, [-0.18 * glad + 0.05 * shake, 0.0, 0.06 * glad])
        .turned(Bone::UpperArm(LEFT), [0.0, -0.75 * glad, 0.25 * glad + 0.05 * shake])
        .turned(Bone::UpperArm(RIGHT), [0.0, 0.75 * glad, -0.25 * glad - 0.05 * shake])
        .turned(Bone::LowerArm(LEFT), [0.0, -0.9 * glad, 0.0])
        .turned(Bone::LowerArm(RIGHT), [0.0, 0.9 * glad, 0.0])
        .with("happy", glad)
        .with("aa", glad * (0.35 + 0.3 * shake.abs()))
}

fn surprised(t: f32) -> Pose {
    let start = smooth_pulse([0.0, 0.15], [1.8, 2.7], t);
    let jump = smooth_pulse([0.0, 0.12], [0.15, 0.4], t);
    standing(0.0, 0.0)
        .raised(0.05 * jump)
        .turned(Bone::Spine, [-0.1 * start, 0.0, 0.0])
        .turned(Bone::Head, [-0.1 * start, 0.0, 0.0])
        .turned(Bone::UpperArm(LEFT), [0.0, -0.4 * start, 0.75 * start])
        .turned(Bone::UpperArm(RIGHT), [0.0, 0.4 * start, -0.75 * start])
        .turned(Bone::LowerArm(LEFT), [0.0, -0.5 * start, 0.7 * start])
        .turned(Bone::LowerArm(RIGHT), [0.0, 0.5 * start, -0.7 * start])
        .with("surprised", start)
}

/// The head sinks, starts up, and sinks again.
fn sleepy(t: f32) -> Pose {
    let sunk = smooth_pulse([0.5, 5.5], [6.0, 6.5], t);
    standing(sway(t, 1.0, 8.0), 0.0)
        .turned(Bone::Spine, [0.08 * sunk, 0.0, 0.0])
        .turned(Bone::Neck, [0.1 * sunk, 0.0, 0.0])
        .turned(Bone::Head, [0.28 * sunk, 0.0, 0.1 * sunk])
        .with("blink", 0.35 + 0.65 * sunk)
}

/// Returns the animation of this name as a file, or `None` if there is none.
pub fn animation_file(name: &str) -> Option<Vec<u8>> {
    ANIMATIONS.iter().find(|animation| animation.name == name).map(encode)
}

fn encode(animation: &BuiltinAnimation) -> Vec<u8> {
    let mut glb = Glb::default();
    let bones: Vec<Bone> = Bone::all().into_iter().filter(|bone| bone.is_human()).collect();
    let mut nodes: Vec<Value> = bones.iter().map(|&bone| node(&bones, bone)).collect();
    let times: Vec<f32> = (0..=animation.seconds * RATE).map(|step| to_f32(step) / to_f32(RATE)).collect();
    let poses: Vec<Pose> = times.iter().map(|&time| (animation.pose)(time)).collect();
    let input = glb.values_accessor(&times.iter().map(|&time| [time]).collect::<Vec<_>>());
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut track = |output: usize, node: usize, path: &str| {
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
        samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
    };
    let hips: Vec<Point> = poses.iter().map(|pose| add(Bone::Hips.position(), pose.hips)).collect();
    track(glb.values_accessor(&hips), 0, "translation");
    for (place, &bone) in bones.iter().enumerate() {
        let rotation =
            |pose: &Pose| pose.rotations.iter().find(|(other, _)| *other == bone).map(|(_, by)| *by);
        if poses.iter().any(|pose| rotation(pose).is_some()) {
            let rotations: Vec<[f32; 4]> =
                poses.iter().map(|pose| quaternion(rotation(pose).unwrap_or_default())).collect();
            track(glb.values_accessor(&rotations), place, "rotation");
        }
    }
    let (mut preset, mut custom) = (Map::new(), Map::new());
    let mut shown: Vec<&'static str> =
        poses.iter().flat_map(|pose| pose.face.iter().map(|(name, _)| *name)).collect();
    shown.sort_unstable();
    shown.dedup();
    let mut roots = vec![0];
    for name in shown {
        let weight = |pose: &Pose| {
            pose.face.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, weight)| *weight)
        };
        // VRM animations encode the weight of an expression as the x translation of its node.
        let weights: Vec<Point> = poses.iter().map(|pose| [weight(pose).clamp(0.0, 1.0), 0.0, 0.0]).collect();
        track(glb.values_accessor(&weights), nodes.len(), "translation");
        let expressions = if name == "shine" { &mut custom } else { &mut preset };
        expressions.insert(name.to_owned(), json!({"node": nodes.len()}));
        roots.push(nodes.len());
        nodes.push(json!({"name": name}));
    }
    let humans: Map<String, Value> =
        bones.iter().enumerate().map(|(place, bone)| (bone.name(), json!({"node": place}))).collect();
    let rest = json!({
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "animations": [{"name": animation.name, "samplers": samplers, "channels": channels}],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": humans},
            "expressions": {"preset": preset, "custom": custom},
        }},
    });
    glb.finish(if let Value::Object(rest) = rest { rest } else { Map::new() })
}

fn node(bones: &[Bone], bone: Bone) -> Value {
    let below = bones.iter().enumerate().filter(|(_, below)| below.parent() == Some(bone));
    let below: Vec<usize> = below.map(|(place, _)| place).collect();
    let mut made = json!({"name": bone.name(), "translation": bone.offset()});
    if !below.is_empty() {
        made["children"] = below.into();
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_ends_as_it_begins() {
        for animation in ANIMATIONS.iter().filter(|animation| animation.loops) {
            let [first, last] = [0.0, to_f32(animation.seconds)].map(animation.pose);
            let close = |one: Point, other: Point| {
                one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-3)
            };
            assert!(close(first.hips, last.hips), "{}", animation.name);
            for ((bone, from), (_, to)) in first.rotations.iter().zip(&last.rotations) {
                assert!(close(*from, *to), "{}: {bone:?}", animation.name);
            }
        }
    }

    #[test]
    fn files_are_small() {
        for animation in &ANIMATIONS {
            let file = animation_file(animation.name).unwrap();
            assert!(file.starts_with(b"glTF") && file.len() < 64_000, "{}: {}", animation.name, file.len());
        }
        assert!(animation_file("nothing").is_none());
    }
}
