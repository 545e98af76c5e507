//! The loops in which a search spends its time. The compiler makes vector instructions of them, for each kind of
//! processor apart; which kind this one is, is found out when the program runs.
//!
//! None is generic: they are compiled in this crate, with the optimisation that it has. What they call is inlined by
//! force, since else it would be compiled for the oldest kind.

#![allow(clippy::inline_always)]

use multiversion::multiversion;

/// How many bits of each sketch differ from the query's. `sketches` holds one after the other.
pub(super) fn distances(query: &[u64], sketches: &[u64], out: &mut Vec<u16>) {
    match <&[u64; 6]>::try_from(query) {
        Ok(query) => distances_of_384(query, sketches, out),
        Err(_) => distances_of_any(query, sketches, out),
    }
}

/// For 384 numbers, the usual length, the inner loop is known and twice as fast.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
fn distances_of_384(query: &[u64; 6], sketches: &[u64], out: &mut Vec<u16>) {
    let (sketches, _) = sketches.as_chunks::<6>();
    out.extend(sketches.iter().map(|sketch| differing(query, sketch)));
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
fn distances_of_any(query: &[u64], sketches: &[u64], out: &mut Vec<u16>) {
    out.extend(sketches.chunks_exact(query.len().max(1)).map(|sketch| differing(query, sketch)));
}

// A sketch has fewer than 65,536 bits.
#[allow(clippy::cast_possible_truncation)]
#[inline(always)]
fn differing(query: &[u64], sketch: &[u64]) -> u16 {
    query.iter().zip(sketch).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() as u16
}

/// How often each distance occurs.
pub(super) fn histogram(distances: &[u16], longest: usize) -> Vec<usize> {
    // Counting into four tables in turn, since equal distances are often neighbours and would wait for each other.
    let mut tables = vec![[0_u32; 4]; longest + 1];
    let (fours, rest) = distances.as_chunks::<4>();
    for four in fours {
        for (lane, &distance) in four.iter().enumerate() {
            tables[usize::from(distance)][lane] += 1;
        }
    }
    for &distance in rest {
        tables[usize::from(distance)][0] += 1;
    }
    tables.iter().map(|counts| counts.iter().map(|&count| count as usize).sum()).collect()
}

/// The places of the distances from `nearest` to `farthest`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
pub(super) fn within(distances: &[u16], nearest: u16, farthest: u16, out: &mut Vec<u32>) {
    const LANES: usize = 16;
    let span = farthest - nearest;
    let (groups, rest) = distances.as_chunks::<LANES>();
    for (group, start) in groups.iter().zip((0..).step_by(LANES)) {
        // Few are near, so that most groups are passed over without looking at each.
        if group.iter().fold(false, |any, &distance| any | (distance.wrapping_sub(nearest) <= span)) {
            out.extend(
                (start..).zip(group).filter(|(_, d)| d.wrapping_sub(nearest) <= span).map(|(at, _)| at),
            );
        }
    }
    let start = distances.len() - rest.len();
    // Slots are numbers of 32 bits, and so are places.
    #[allow(clippy::cast_possible_truncation)]
    out.extend((start as u32..).zip(rest).filter(|(_, d)| d.wrapping_sub(nearest) <= span).map(|(at, _)| at));
}

/// The product of a query and the upper bytes of a code.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt",
    "x86_64+popcnt+ssse3+sse4.2"
))]
pub(super) fn rough_product(query: &[i16], high: &[u8]) -> i32 {
    query.iter().zip(high).map(|(&a, &b)| i32::from(a) * i32::from(b.cast_signed())).sum()
}

/// The product of a query and a whole code, without its scale.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt", "x86_64+popcnt+ssse3+sse4.2"))]
pub(super) fn product(query: &[f32], high: &[u8], low: &[u8]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0_f32; LANES];
    let (queries, last_query) = query.as_chunks::<LANES>();
    let (highs, last_high) = high.as_chunks::<LANES>();
    let (lows, last_low) = low.as_chunks::<LANES>();
    for ((query, high), low) in queries.iter().zip(highs).zip(lows) {
        for lane in 0..LANES {
            sums[lane] += query[lane] * number(high[lane], low[lane]);
        }
    }
    let rest = last_query.iter().zip(last_high).zip(last_low);
    rest.fold(sums.iter().sum(), |sum, ((query, &high), &low)| sum + query * number(high, low))
}

/// What an upper and a lower byte stand for.
#[inline(always)]
pub(super) fn number(high: u8, low: u8) -> f32 {
    f32::from(i16::from_le_bytes([low, high]))
}
