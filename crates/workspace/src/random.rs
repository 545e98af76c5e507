//! Reproducible pseudo-random numbers for tests.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns random lines, many of them equal if there are few kinds.
    pub fn lines(&mut self, most: usize, kinds: usize) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| format!("line {}\n", self.below(kinds))).collect()
    }

    /// Returns the lines with some of them changed, removed or added.
    pub fn edited(&mut self, lines: &[String], one_in: usize) -> Vec<String> {
        let mut out = Vec::new();
        for line in lines {
            match if self.one_in(one_in) { self.below(3) } else { 3 } {
                0 => {}
                1 => out.push(format!("other {}\n", self.below(1000))),
                2 => out.extend([line.clone(), format!("more {}\n", self.below(1000))]),
                _ => out.push(line.clone()),
            }
        }
        out
    }
}
