//! Points, rotations and easing curves.

pub type Point = [f32; 3];

pub fn add(one: Point, other: Point) -> Point {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

pub fn subtract(one: Point, other: Point) -> Point {
    std::array::from_fn(|axis| one[axis] - other[axis])
}

pub fn scale(point: Point, factor: f32) -> Point {
    point.map(|part| part * factor)
}

pub fn cross(one: Point, other: Point) -> Point {
    [
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    ]
}

pub fn dot(one: Point, other: Point) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Returns the direction with a length of one.
pub fn normalized(point: Point) -> Point {
    scale(point, 1.0 / dot(point, point).sqrt().max(f32::MIN_POSITIVE))
}

pub fn lerp(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// A smooth step from 0 to 1 while `x` goes from `from` to `to`.
pub fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let share = ((x - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// A smooth step up over one interval and down again over another.
pub fn smooth_pulse(up: [f32; 2], down: [f32; 2], x: f32) -> f32 {
    smooth_step(up[0], up[1], x) * (1.0 - smooth_step(down[0], down[1], x))
}

/// Returns `x.powf(power)` with the sign of `x`.
pub fn signed_power(x: f32, power: f32) -> f32 {
    x.signum() * x.abs().powf(power)
}

/// A rotation about x, then y, then z, in radians, as a quaternion.
pub fn quaternion([x, y, z]: Point) -> [f32; 4] {
    let [(sx, cx), (sy, cy), (sz, cz)] = [x, y, z].map(|angle| (angle / 2.0).sin_cos());
    [
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz + sx * sy * cz,
        cx * cy * cz - sx * sy * sz,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_begin_and_end_where_they_should() {
        for (x, expected) in [(-1.0, 0.0), (0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (9.0, 1.0)] {
            assert!((smooth_step(0.0, 1.0, x) - expected).abs() < 1e-6, "{x}");
        }
        assert!((smooth_pulse([0.0, 1.0], [2.0, 3.0], 1.5) - 1.0).abs() < 1e-6);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turned = quaternion([0.0, 0.0, std::f32::consts::FRAC_PI_2]);
        assert!(turned.iter().zip([0.0, 0.0, half, half]).all(|(one, other)| (one - other).abs() < 1e-6));
    }
}
