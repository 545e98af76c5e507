/// The physical dimension of a unit: the powers of length, mass, time, current, temperature, information and amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhysicalDimension(pub [i8; 7]);

/// The highest power of a base quantity; higher ones have no practical meaning.
const HIGHEST_POWER: u8 = 12;

impl PhysicalDimension {
    pub const NONE: Self = Self([0; 7]);
    pub const LENGTH: Self = Self([1, 0, 0, 0, 0, 0, 0]);
    pub const AREA: Self = Self([2, 0, 0, 0, 0, 0, 0]);
    pub const VOLUME: Self = Self([3, 0, 0, 0, 0, 0, 0]);
    pub const MASS: Self = Self([0, 1, 0, 0, 0, 0, 0]);
    pub const TIME: Self = Self([0, 0, 1, 0, 0, 0, 0]);
    pub const FREQUENCY: Self = Self([0, 0, -1, 0, 0, 0, 0]);
    pub const SPEED: Self = Self([1, 0, -1, 0, 0, 0, 0]);
    pub const ACCELERATION: Self = Self([1, 0, -2, 0, 0, 0, 0]);
    pub const FORCE: Self = Self([1, 1, -2, 0, 0, 0, 0]);
    pub const PRESSURE: Self = Self([-1, 1, -2, 0, 0, 0, 0]);
    pub const ENERGY: Self = Self([2, 1, -2, 0, 0, 0, 0]);
    pub const POWER: Self = Self([2, 1, -3, 0, 0, 0, 0]);
    pub const CURRENT: Self = Self([0, 0, 0, 1, 0, 0, 0]);
    pub const CHARGE: Self = Self([0, 0, 1, 1, 0, 0, 0]);
    pub const VOLTAGE: Self = Self([2, 1, -3, -1, 0, 0, 0]);
    pub const RESISTANCE: Self = Self([2, 1, -3, -2, 0, 0, 0]);
    pub const TEMPERATURE: Self = Self([0, 0, 0, 0, 1, 0, 0]);
    pub const DATA: Self = Self([0, 0, 0, 0, 0, 1, 0]);
    pub const DATA_RATE: Self = Self([0, 0, -1, 0, 0, 1, 0]);
    pub const AMOUNT: Self = Self([0, 0, 0, 0, 0, 0, 1]);

    pub fn times(self, other: Self, power: i8) -> Option<Self> {
        let mut product = self;
        for (place, exponent) in product.0.iter_mut().zip(other.0) {
            *place = place.checked_add(exponent.checked_mul(power)?)?;
            if place.unsigned_abs() > HIGHEST_POWER {
                return None;
            }
        }
        Some(product)
    }

    /// Describes the dimension, as in `3 m is a length`.
    pub fn in_words(self) -> &'static str {
        const WORDS: [(PhysicalDimension, &str); 21] = [
            (PhysicalDimension::NONE, "a plain number"),
            (PhysicalDimension::LENGTH, "a length"),
            (PhysicalDimension::AREA, "an area"),
            (PhysicalDimension::VOLUME, "a volume"),
            (PhysicalDimension::MASS, "a mass"),
            (PhysicalDimension::TIME, "a time"),
            (PhysicalDimension::FREQUENCY, "a frequency"),
            (PhysicalDimension::SPEED, "a speed"),
            (PhysicalDimension::ACCELERATION, "an acceleration"),
            (PhysicalDimension::FORCE, "a force"),
            (PhysicalDimension::PRESSURE, "a pressure"),
            (PhysicalDimension::ENERGY, "an energy"),
            (PhysicalDimension::POWER, "a power"),
            (PhysicalDimension::CURRENT, "a current"),
            (PhysicalDimension::CHARGE, "a charge"),
            (PhysicalDimension::VOLTAGE, "a voltage"),
            (PhysicalDimension::RESISTANCE, "a resistance"),
            (PhysicalDimension::TEMPERATURE, "a temperature"),
            (PhysicalDimension::DATA, "an amount of data"),
            (PhysicalDimension::DATA_RATE, "a data rate"),
            (PhysicalDimension::AMOUNT, "an amount of substance"),
        ];
        WORDS
            .iter()
            .find(|(dimension, _)| *dimension == self)
            .map_or("another kind of quantity", |(_, words)| words)
    }
}
