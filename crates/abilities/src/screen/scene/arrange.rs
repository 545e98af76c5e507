//! Arranges groups of solids by the room they take: moves, repeats and places them beside each other.

use std::f64::consts::TAU;

/// A single shape, with its centre at `at` and its size before rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    pub kind: &'static str,
    pub at: [f64; 3],
    pub size: [f64; 3],
    /// Degrees about the x, y and z axes.
    pub turn: [f64; 3],
    pub colour: &'static str,
    /// True if a colour given for the whole applies to this part.
    pub is_main: bool,
    pub label: Option<&'static str>,
}

impl Solid {
    pub const fn new(kind: &'static str, at: [f64; 3], size: [f64; 3], colour: &'static str) -> Self {
        Self { kind, at, size, turn: [0.0; 3], colour, is_main: false, label: None }
    }

    pub const fn main(mut self) -> Self {
        self.is_main = true;
        self
    }

    pub const fn turned(mut self, turn: [f64; 3]) -> Self {
        self.turn = turn;
        self
    }

    pub const fn labelled(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Returns half the extent along each axis after rotation.
    fn reach(&self) -> [f64; 3] {
        let [(sx, cx), (sy, cy), (sz, cz)] = self.turn.map(|degrees| degrees.to_radians().sin_cos());
        let rows = [
            [cy * cz, -cy * sz, sy],
            [cx * sz + sx * sy * cz, cx * cz - sx * sy * sz, -sx * cy],
            [sx * sz - cx * sy * cz, sx * cz + cx * sy * sz, cx * cy],
        ];
        // A torus is drawn about a quarter as thick as it is wide.
        let thickness = if self.kind == "torus" { 0.24 } else { 1.0 };
        let size = [self.size[0], self.size[1], self.size[2] * thickness];
        rows.map(|row| row.iter().zip(size).map(|(part, side)| part.abs() * side / 2.0).sum())
    }
}

/// Solids that form one thing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SolidGroup(pub Vec<Solid>);

#[derive(Debug, Clone, Copy)]
pub struct BoundingBox {
    pub least: [f64; 3],
    pub most: [f64; 3],
}

impl BoundingBox {
    pub fn side(&self, axis: usize) -> f64 {
        self.most[axis] - self.least[axis]
    }

    pub fn middle(&self, axis: usize) -> f64 {
        f64::midpoint(self.most[axis], self.least[axis])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    Row,
    Stack,
    Circle,
}

/// The position of a thing relative to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    On,
    Above,
    Under,
    LeftOf,
    RightOf,
    InFrontOf,
    Behind,
    Inside,
    Around,
}

/// The distance between neighbouring things.
const GAP: f64 = 0.3;

impl SolidGroup {
    pub fn bounds(&self) -> BoundingBox {
        let mut room = BoundingBox { least: [f64::INFINITY; 3], most: [f64::NEG_INFINITY; 3] };
        for solid in &self.0 {
            let reach = solid.reach();
            for (axis, reach) in reach.into_iter().enumerate() {
                room.least[axis] = room.least[axis].min(solid.at[axis] - reach);
                room.most[axis] = room.most[axis].max(solid.at[axis] + reach);
            }
        }
        room
    }

    #[must_use]
    pub fn moved(mut self, by: [f64; 3]) -> Self {
        for solid in &mut self.0 {
            for (place, by) in solid.at.iter_mut().zip(by) {
                *place += by;
            }
        }
        self
    }

    #[must_use]
    pub fn scaled(mut self, by: [f64; 3]) -> Self {
        for solid in &mut self.0 {
            for (axis, by) in by.into_iter().enumerate() {
                solid.at[axis] *= by;
                solid.size[axis] *= by;
            }
        }
        self
    }

    #[must_use]
    pub fn painted(mut self, colour: &'static str) -> Self {
        for solid in self.0.iter_mut().filter(|solid| solid.is_main) {
            solid.colour = colour;
        }
        self
    }

    /// Puts the group on the ground, in the centre.
    #[must_use]
    pub fn grounded(self) -> Self {
        let room = self.bounds();
        self.moved([-room.middle(0), -room.least[1], -room.middle(2)])
    }

    /// Repeats the group `count` times. A circle lies around the centre and leaves at least `radius` free.
    #[must_use]
    pub fn repeated(self, count: usize, arrangement: Arrangement, radius: f64) -> Self {
        let room = self.bounds();
        let width = room.side(0).max(room.side(2)) + GAP;
        let copies = (0..count).flat_map(|place| {
            #[allow(clippy::cast_precision_loss, reason = "there are a few dozen at most")]
            let (place, count) = (place as f64, count as f64);
            let by = match arrangement {
                Arrangement::Row => [place * (room.side(0) + GAP), 0.0, 0.0],
                Arrangement::Stack => [0.0, place * room.side(1), 0.0],
                Arrangement::Circle => {
                    let radius = (count * width / TAU).max(width * 0.6).max(radius + width / 2.0);
                    let (sine, cosine) = (TAU * place / count).sin_cos();
                    [radius * cosine, 0.0, radius * sine]
                }
            };
            self.clone().moved(by).0
        });
        let copies = Self(copies.collect());
        if arrangement == Arrangement::Circle { copies } else { copies.grounded() }
    }

    /// Joins both groups, with this one placed by the relation. Both must be grounded.
    #[must_use]
    pub fn put(self, relation: Relation, other: Self) -> Self {
        let (mine, theirs) = (self.bounds(), other.bounds());
        let beside = |axis: usize| f64::midpoint(mine.side(axis), theirs.side(axis)) + GAP;
        let by = match relation {
            Relation::On => [0.0, theirs.most[1], 0.0],
            Relation::Above => [0.0, theirs.most[1] + GAP * 2.0, 0.0],
            Relation::Under => return other.put(Relation::On, self),
            // Half of it remains visible.
            Relation::Inside => [0.0, (theirs.most[1] - mine.side(1) / 2.0).max(0.0), 0.0],
            Relation::LeftOf => [-beside(0), 0.0, 0.0],
            Relation::RightOf => [beside(0), 0.0, 0.0],
            Relation::InFrontOf => [0.0, 0.0, beside(2)],
            Relation::Behind => [0.0, 0.0, -beside(2)],
            Relation::Around => return self.around(other),
        };
        other.joined(self.moved(by)).grounded()
    }

    /// Joins both groups around one centre. A single torus is widened to lie around the other group; other round shapes
    /// float at half its height, and anything else stays on the ground.
    fn around(mut self, other: Self) -> Self {
        let (mine, theirs) = (self.bounds(), other.bounds());
        if let [ring] = self.0.as_mut_slice()
            && ring.kind == "torus"
        {
            let by = (theirs.side(0).max(theirs.side(2)) + GAP * 2.0) / mine.side(0).max(GAP) * 1.2;
            ring.size = [ring.size[0] * by, ring.size[1] * by, ring.size[2]];
            ring.at = [0.0, theirs.middle(1), 0.0];
            ring.turn = [90.0, 0.0, 0.0];
        } else if self.0.iter().all(|solid| matches!(solid.kind, "sphere" | "torus")) {
            let by = theirs.middle(1) - mine.middle(1);
            self = self.moved([0.0, by, 0.0]);
        }
        other.joined(self).grounded()
    }

    /// Places the group to the right of all others.
    #[must_use]
    pub fn beside(self, others: Self) -> Self {
        if others.0.is_empty() { self } else { self.put(Relation::RightOf, others) }
    }

    fn joined(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}
