//! The innermost loops of a search. The compiler vectorizes them separately for each kind of processor, and the variant
//! is selected at run time.
//!
//! They are plain loops, neither generic nor built from closures: those would be compiled for the oldest processor
//! kind, or in another crate with less optimization. Sums wrap, because an overflow check would cost more than the
//! addition; none comes near its limit.

// `from` is a call, and a call in such a loop may be compiled for the oldest kind of processor.
#![allow(clippy::cast_lossless)]

use multiversion::multiversion;

/// Computes the number of bits in which each sketch differs from the query's. `sketches` holds them one after the
/// other.
pub(super) fn distances(query: &[u64], sketches: &[u64], out: &mut Vec<u16>) {
    let start = out.len();
    out.resize(start + sketches.len() / query.len().max(1), 0);
    match <&[u64; 6]>::try_from(query) {
        Ok(query) => distances_of_384(query, sketches, &mut out[start..]),
        Err(_) => distances_of_any(query, sketches, &mut out[start..]),
    }
}

/// For 384 numbers, the usual length, the inner loop has a constant length and is twice as fast.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
#[allow(clippy::cast_possible_truncation)]
fn distances_of_384(query: &[u64; 6], sketches: &[u64], out: &mut [u16]) {
    let (sketches, _) = sketches.as_chunks::<6>();
    for (sketch, out) in sketches.iter().zip(out) {
        let mut bits = 0_u32;
        for word in 0..6 {
            bits = bits.wrapping_add((sketch[word] ^ query[word]).count_ones());
        }
        *out = bits as u16;
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
#[allow(clippy::cast_possible_truncation)]
fn distances_of_any(query: &[u64], sketches: &[u64], out: &mut [u16]) {
    for (sketch, out) in sketches.chunks_exact(query.len().max(1)).zip(out) {
        let mut bits = 0_u32;
        for (a, b) in query.iter().zip(sketch) {
            bits = bits.wrapping_add((a ^ b).count_ones());
        }
        *out = bits as u16;
    }
}

/// Counts how often each distance occurs.
pub(super) fn histogram(distances: &[u16], longest: usize) -> Vec<usize> {
    // Counts into four tables in turn: equal distances are often adjacent, and increments of the same counter would
    // wait for each other.
    let mut tables = vec![[0_u32; 4]; longest + 1];
    for (position, &distance) in distances.iter().enumerate() {
        let count = &mut tables[usize::from(distance)][position % 4];
        *count = count.wrapping_add(1);
    }
    tables.iter().map(|counts| counts.iter().map(|&count| count as usize).sum()).collect()
}

/// Appends the positions of the distances from `nearest` to `farthest`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
pub(super) fn within(distances: &[u16], nearest: u16, farthest: u16, out: &mut Vec<u32>) {
    const LANES: u32 = 16;
    let span = farthest.wrapping_sub(nearest);
    let (groups, rest) = distances.as_chunks::<{ LANES as usize }>();
    let mut position = 0_u32;
    for group in groups {
        // Few distances are near, so most groups are skipped without examining each one.
        let mut any = false;
        for distance in group {
            any |= distance.wrapping_sub(nearest) <= span;
        }
        if any {
            for (lane, distance) in (0_u32..).zip(group) {
                if distance.wrapping_sub(nearest) <= span {
                    out.push(position.wrapping_add(lane));
                }
            }
        }
        position = position.wrapping_add(LANES);
    }
    for (lane, distance) in (0_u32..).zip(rest) {
        if distance.wrapping_sub(nearest) <= span {
            out.push(position.wrapping_add(lane));
        }
    }
}

/// Returns the dot product of a query and the upper bytes of an encoded vector.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
pub(super) fn rough_product(query: &[i16], high: &[u8]) -> i32 {
    let length = query.len().min(high.len());
    let (query, high) = (&query[..length], &high[..length]);
    let mut sum = 0_i32;
    for position in 0..length {
        sum = sum.wrapping_add((query[position] as i32).wrapping_mul(high[position].cast_signed() as i32));
    }
    sum
}

/// Returns the dot product of a query and a whole encoded vector, without its scale.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt", "x86_64+popcnt+ssse3+sse4.2"))]
pub(super) fn product(query: &[f32], high: &[u8], low: &[u8]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0_f32; LANES];
    let (queries, last_query) = query.as_chunks::<LANES>();
    let (highs, last_high) = high.as_chunks::<LANES>();
    let (lows, last_low) = low.as_chunks::<LANES>();
    for ((query, high), low) in queries.iter().zip(highs).zip(lows) {
        for lane in 0..LANES {
            sums[lane] += query[lane] * i16::from_le_bytes([low[lane], high[lane]]) as f32;
        }
    }
    let mut sum = 0.0;
    for lane in sums {
        sum += lane;
    }
    for ((query, high), low) in last_query.iter().zip(last_high).zip(last_low) {
        sum += query * i16::from_le_bytes([*low, *high]) as f32;
    }
    sum
}
