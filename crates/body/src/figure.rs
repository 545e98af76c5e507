//! The figure: one surface moved by the bones, and the moon above it.

use std::f32::consts::PI;

use crate::maths::{Point, add, lerp, smooth_step};
use crate::palette::ColourSlot;
use crate::skeleton::{BodySide, Bone, SCARF, SIDES, STALK};
use crate::texture::{Uv, on_head, on_torso, swatch};
use crate::triangle_mesh::TriangleMesh;

pub const HEAD: Point = [0.0, 0.66, 0.0];
pub const HEAD_RADII: Point = [0.27, 0.245, 0.25];
/// The exponent that makes the head a little boxier than an ellipsoid.
pub const BOXY: f32 = 0.92;
const TORSO: Point = [0.0, 0.31, 0.0];
const TORSO_RADII: Point = [0.165, 0.175, 0.15];

/// A surface with its texture coordinates and bone weights.
#[derive(Default)]
pub struct SkinnedMesh {
    pub points: Vec<Point>,
    pub normals: Vec<Point>,
    pub uvs: Vec<Uv>,
    pub joints: Vec<[u8; 4]>,
    pub weights: Vec<[u8; 4]>,
    pub triangles: Vec<[u32; 3]>,
}

impl SkinnedMesh {
    fn add(
        &mut self,
        mesh: TriangleMesh,
        uv: impl Fn(Point) -> Uv,
        weights_at: impl Fn(Point) -> Vec<(Bone, f32)>,
    ) {
        let offset = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        self.normals.extend(mesh.normals());
        self.triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|at| at + offset)));
        for point in mesh.points {
            let (joints, weights) = strongest(weights_at(point));
            self.points.push(point);
            self.uvs.push(uv(point));
            self.joints.push(joints);
            self.weights.push(weights);
        }
    }

    fn plain(
        &mut self,
        slot: ColourSlot,
        mesh: TriangleMesh,
        weights_at: impl Fn(Point) -> Vec<(Bone, f32)>,
    ) {
        self.add(mesh, |_| swatch(slot), weights_at);
    }
}

/// Returns the four bones with the largest shares; their weights sum to 255.
fn strongest(mut weights: Vec<(Bone, f32)>) -> ([u8; 4], [u8; 4]) {
    weights.retain(|(_, share)| *share > 0.002);
    weights.sort_by(|one, other| other.1.total_cmp(&one.1));
    weights.truncate(4);
    let all = Bone::all();
    let sum: f32 = weights.iter().map(|(_, share)| share).sum();
    let (mut joints, mut shares) = ([0; 4], [0; 4]);
    for (place, (bone, share)) in weights.into_iter().enumerate() {
        joints[place] = all
            .iter()
            .position(|&other| other == bone)
            .and_then(|at| u8::try_from(at).ok())
            .unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let share = (share / sum * 255.0).floor() as u8;
        shares[place] = share;
    }
    shares[0] += 255 - shares.iter().sum::<u8>();
    (joints, shares)
}

/// Returns everything but the moon and the face.
pub fn figure() -> SkinnedMesh {
    let mut mesh = SkinnedMesh::default();
    let head = TriangleMesh::ellipsoid(HEAD, HEAD_RADII, BOXY, [32, 48]);
    mesh.add(head, |point| on_head(point, HEAD, HEAD_RADII), |_| vec![(Bone::Head, 1.0)]);
    mesh.add(
        torso(),
        |point| on_torso(point, TORSO, TORSO_RADII),
        |[_, height, _]| {
            let (below, above) = (1.0 - smooth_step(0.22, 0.30, height), smooth_step(0.32, 0.42, height));
            vec![(Bone::Hips, below), (Bone::Spine, (1.0 - below - above).max(0.0)), (Bone::Chest, above)]
        },
    );
    for side in SIDES {
        mesh.plain(ColourSlot::Limb, arm(side), |point| arm_weights(side, point));
        mesh.plain(ColourSlot::Limb, leg(side), |point| leg_weights(side, point));
    }
    scarf(&mut mesh);
    let stalk = TriangleMesh::tube(TriangleMesh::straight([0.0, 0.875, 0.0], tip()), |_| 0.0105, [16, 10]);
    mesh.plain(ColourSlot::Limb, stalk, |[_, height, _]| {
        chain_weights(STALK, (height - 0.885) / 0.07, Bone::Stalk)
    });
    mesh
}

fn tip() -> Point {
    add(Bone::Stalk(STALK - 1).position(), [0.0, 0.01, 0.0])
}

/// Returns the moon on its stalk.
pub fn moon() -> SkinnedMesh {
    let centre = add(tip(), [0.0, 0.068, 0.0]);
    let crescent = TriangleMesh::rings(36, 16, |share, angle| {
        let (round, bow) = (lerp(-2.35, 2.35, share), 0.07);
        let thick = 0.032 * (round / 2.35 * PI / 2.0).cos().max(0.0).powf(0.75) + 0.0005;
        let away = bow + thick * angle.cos();
        add(centre, [-away * round.cos() + 0.018, away * round.sin(), thick * 0.75 * angle.sin()])
    });
    let mut mesh = SkinnedMesh::default();
    let weights_at = |_| vec![(Bone::Stalk(STALK - 2), 0.3), (Bone::Stalk(STALK - 1), 0.7)];
    mesh.plain(ColourSlot::Moon, crescent, weights_at);
    mesh
}

fn torso() -> TriangleMesh {
    TriangleMesh::rings(24, 32, |share, angle| {
        let (out, up) = (share * PI).sin_cos();
        let width = out * (1.0 - 0.22 * up);
        let [wide, high, deep] = TORSO_RADII;
        [wide * width * angle.sin(), TORSO[1] + high * up, deep * width * angle.cos()]
    })
}

fn arm(side: BodySide) -> TriangleMesh {
    let sign = side.sign();
    let path = TriangleMesh::straight([0.08 * sign, 0.40, 0.0], [0.42 * sign, 0.40, 0.0]);
    let arm = TriangleMesh::tube(path, |along| 0.043 + 0.019 * smooth_step(0.5, 0.9, along), [20, 18]);
    let thumb = TriangleMesh::tube(
        TriangleMesh::straight([0.325 * sign, 0.40, 0.035], [0.375 * sign, 0.415, 0.085]),
        |_| 0.022,
        [8, 12],
    );
    arm.and(thumb)
}

fn arm_weights(side: BodySide, [across, ..]: Point) -> Vec<(Bone, f32)> {
    let out = across * side.sign();
    let (shoulder, upper, hand) = (
        0.6 * (1.0 - smooth_step(0.07, 0.14, out)),
        1.0 - smooth_step(0.20, 0.28, out),
        smooth_step(0.31, 0.37, out),
    );
    vec![
        (Bone::Shoulder(side), shoulder),
        (Bone::UpperArm(side), upper * (1.0 - shoulder)),
        (Bone::LowerArm(side), (1.0 - upper - hand).max(0.0)),
        (Bone::Hand(side), hand),
    ]
}

fn leg(side: BodySide) -> TriangleMesh {
    let across = 0.072 * side.sign();
    let path = TriangleMesh::straight([across, 0.24, 0.0], [across, 0.02, 0.0]);
    let foot = TriangleMesh::ellipsoid([across * 1.04, 0.042, 0.03], [0.068, 0.042, 0.092], 1.0, [12, 18]);
    TriangleMesh::tube(path, |along| 0.057 + 0.006 * along, [16, 18]).and(foot)
}

fn leg_weights(side: BodySide, [_, height, _]: Point) -> Vec<(Bone, f32)> {
    let (upper, foot) = (smooth_step(0.09, 0.13, height), 1.0 - smooth_step(0.035, 0.065, height));
    vec![
        (Bone::UpperLeg(side), upper),
        (Bone::LowerLeg(side), (1.0 - upper - foot).max(0.0)),
        (Bone::Foot(side), foot),
    ]
}

/// Adds the scarf: wider than the chin so that it is visible, with a knot and two ends that hang down in front.
fn scarf(mesh: &mut SkinnedMesh) {
    let weights_at = |_| vec![(Bone::Chest, 0.6), (Bone::Neck, 0.4)];
    let around = TriangleMesh::torus([0.0, 0.435, 0.005], [0.118, 0.11], 0.04, [40, 14]);
    let knot = TriangleMesh::ellipsoid([0.088, 0.43, 0.128], [0.038, 0.034, 0.03], 1.0, [10, 14]);
    mesh.plain(ColourSlot::Scarf, around.and(knot), weights_at);
    for side in SIDES {
        let [from, to] = [0, SCARF - 1].map(|step| Bone::Scarf(side, step).position());
        let end = TriangleMesh::tube(
            TriangleMesh::straight(from, add(to, [0.0, -0.03, 0.0])),
            |along| 0.022 + 0.012 * along,
            [14, 12],
        );
        let (top, each) = (from[1], (from[1] - to[1]) / f32::from(SCARF - 1));
        mesh.plain(ColourSlot::Scarf, end, |[_, height, _]| {
            chain_weights(SCARF, (top - height) / each, |step| Bone::Scarf(side, step))
        });
    }
}

/// Splits the weight between the two neighbouring bones of a chain.
fn chain_weights(bones: u8, place: f32, bone: impl Fn(u8) -> Bone) -> Vec<(Bone, f32)> {
    let place = place.clamp(0.0, f32::from(bones - 1) - 0.001);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few bones")]
    let step = place as u8;
    let share = place - f32::from(step);
    vec![(bone(step), 1.0 - share), (bone(step + 1), share)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_held_and_painted() {
        for mesh in [figure(), moon()] {
            assert!(mesh.points.len() < usize::from(u16::MAX));
            assert_eq!(mesh.points.len(), mesh.weights.len());
            assert!(
                mesh.weights
                    .iter()
                    .all(|weights| weights.iter().map(|&share| u32::from(share)).sum::<u32>() == 255)
            );
            assert!(mesh.uvs.iter().flatten().all(|part| (0.0..=1.0).contains(part)));
            let twin = |joints: &[u8; 4], weights: &[u8; 4]| {
                (0..4).any(|one| {
                    (one + 1..4)
                        .any(|other| joints[one] == joints[other] && weights[one] > 0 && weights[other] > 0)
                })
            };
            assert!(!mesh.joints.iter().zip(&mesh.weights).any(|(joints, weights)| twin(joints, weights)));
        }
    }
}
