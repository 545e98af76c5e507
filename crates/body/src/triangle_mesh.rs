//! Surfaces made of triangles.

use std::f32::consts::{PI, TAU};

use crate::maths::{Point, add, cross, dot, normalized, scale, signed_power, subtract};

#[derive(Debug, Clone, Default)]
pub struct TriangleMesh {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// A closed surface of rings, with a point at either end. `at` returns the position for a share of the length and
    /// an angle.
    pub fn rings(rings: u32, around: u32, at: impl Fn(f32, f32) -> Point) -> Self {
        let mut points = vec![at(0.0, 0.0)];
        for ring in 1..rings {
            let share = to_f32(ring) / to_f32(rings);
            points.extend((0..around).map(|step| at(share, to_f32(step) / to_f32(around) * TAU)));
        }
        points.push(at(1.0, 0.0));
        let place = |ring: u32, step: u32| 1 + (ring - 1) * around + step % around;
        let last = 1 + (rings - 1) * around;
        let mut triangles = Vec::new();
        for step in 0..around {
            triangles.push([0, place(1, step + 1), place(1, step)]);
            for ring in 1..rings - 1 {
                let [here, beside] = [place(ring, step), place(ring, step + 1)];
                let [below, across] = [place(ring + 1, step), place(ring + 1, step + 1)];
                triangles.extend([[here, beside, below], [below, beside, across]]);
            }
            triangles.push([place(rings - 1, step), place(rings - 1, step + 1), last]);
        }
        Self { points, triangles }.outward()
    }

    /// An ellipsoid; a `power` below one makes it boxier.
    pub fn ellipsoid(centre: Point, radii: Point, power: f32, [rings, around]: [u32; 2]) -> Self {
        Self::rings(rings, around, |share, angle| {
            let (down, out) = ((share * PI).cos(), (share * PI).sin());
            let round = [
                signed_power(out, power) * signed_power(angle.sin(), power),
                signed_power(down, power),
                signed_power(out, power) * signed_power(angle.cos(), power),
            ];
            std::array::from_fn(|axis| centre[axis] + radii[axis] * round[axis])
        })
    }

    /// A tube along a path, closed and rounded at both ends.
    pub fn tube(path: impl Fn(f32) -> Point, radius: impl Fn(f32) -> f32, [rings, around]: [u32; 2]) -> Self {
        Self::rings(rings, around, |share, angle| {
            // Places more rings at the rounded ends.
            let along = (1.0 - (share * PI).cos()) / 2.0;
            let width = radius(along) * (1.0 - (2.0 * along - 1.0).abs().powi(8)).max(0.0).sqrt();
            let ahead = normalized(subtract(path((along + 0.01).min(1.0)), path((along - 0.01).max(0.0))));
            let up = if ahead[1].abs() > 0.9 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
            let side = normalized(cross(up, ahead));
            let other = cross(ahead, side);
            let out = add(scale(side, angle.cos() * width), scale(other, -angle.sin() * width));
            add(path(along), out)
        })
    }

    /// A torus that lies flat.
    pub fn torus(centre: Point, [wide, deep]: [f32; 2], thick: f32, [rings, around]: [u32; 2]) -> Self {
        let mut points = Vec::new();
        for ring in 0..rings {
            let (forward, sideways) = (to_f32(ring) / to_f32(rings) * TAU).sin_cos();
            for step in 0..around {
                let (up, out) = (to_f32(step) / to_f32(around) * TAU).sin_cos();
                let away = [(wide + thick * out) * sideways, thick * up, (deep + thick * out) * forward];
                points.push(add(centre, away));
            }
        }
        let place = |ring: u32, step: u32| (ring % rings) * around + step % around;
        let square = |(ring, step): (u32, u32)| {
            let [here, beside] = [place(ring, step), place(ring, step + 1)];
            let [next, across] = [place(ring + 1, step), place(ring + 1, step + 1)];
            [[here, beside, next], [next, beside, across]]
        };
        let squares = (0..rings).flat_map(|ring| (0..around).map(move |step| (ring, step)));
        Self { points, triangles: squares.flat_map(square).collect() }.outward()
    }

    pub fn straight(from: Point, to: Point) -> impl Fn(f32) -> Point {
        move |share| add(from, scale(subtract(to, from), share))
    }

    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let offset = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        self.points.extend(other.points);
        self.triangles.extend(other.triangles.into_iter().map(|corners| corners.map(|at| at + offset)));
        self
    }

    /// Orients the triangles outwards, so that the enclosed volume is positive.
    fn outward(mut self) -> Self {
        let volume: f32 = self
            .triangles
            .iter()
            .map(|&corners| {
                let [one, two, three] = corners.map(|at| self.points[at as usize]);
                dot(one, cross(two, three))
            })
            .sum();
        if volume < 0.0 {
            for corners in &mut self.triangles {
                corners.swap(1, 2);
            }
        }
        self
    }

    /// Returns the outward normal of each point.
    pub fn normals(&self) -> Vec<Point> {
        let mut normals = vec![[0.0; 3]; self.points.len()];
        for &corners in &self.triangles {
            let [one, two, three] = corners.map(|at| self.points[at as usize]);
            let out = cross(subtract(two, one), subtract(three, one));
            for at in corners {
                normals[at as usize] = add(normals[at as usize], out);
            }
        }
        normals.into_iter().map(normalized).collect()
    }
}

/// Converts a small count to `f32`.
pub fn to_f32(number: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred at most")]
    let number = number as f32;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_are_closed_and_look_outwards() {
        let ball = TriangleMesh::ellipsoid([0.0, 1.0, 0.0], [0.5; 3], 1.0, [12, 16]);
        let tube = TriangleMesh::tube(TriangleMesh::straight([0.0; 3], [0.0, 2.0, 0.0]), |_| 0.1, [8, 8]);
        let ring = TriangleMesh::torus([0.0; 3], [0.3, 0.2], 0.05, [24, 8]);
        for (name, mesh, centre) in
            [("ball", ball, [0.0, 1.0, 0.0]), ("tube", tube, [0.0, 1.0, 0.0]), ("ring", ring, [0.0; 3])]
        {
            let mut edges = std::collections::HashMap::new();
            for &[one, two, three] in &mesh.triangles {
                for (from, to) in [(one, two), (two, three), (three, one)] {
                    *edges.entry((from.min(to), from.max(to))).or_insert(0) += if from < to { 1 } else { -1 };
                }
            }
            assert!(edges.values().all(|&both| both == 0), "{name}: each edge is walked both ways");
            let outwards = mesh.points.iter().zip(mesh.normals());
            let outwards = outwards.filter(|(point, normal)| dot(subtract(**point, centre), *normal) > 0.0);
            let share = if name == "ring" { 4 } else { 9 };
            assert!(outwards.count() * 10 > mesh.points.len() * share, "{name}");
        }
    }
}
