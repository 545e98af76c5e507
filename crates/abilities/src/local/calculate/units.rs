use super::dimension::PhysicalDimension;
use super::number::Number;

/// A single unit: `km`, `°F`, `cup`.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    pub symbol: String,
    pub dimension: PhysicalDimension,
    /// The factor to the base unit.
    pub factor: Number,
    /// The position of its zero on the scale of the base unit, which is non-zero for temperatures only.
    pub zero: Number,
}

impl Unit {
    /// Returns true if its zero is offset, as with °C. Such a unit cannot be multiplied or divided.
    pub fn has_own_zero(&self) -> bool {
        !self.zero.is_zero()
    }
}

/// The prefixes that a unit accepts.
#[derive(Clone, Copy, PartialEq)]
enum Prefixes {
    No,
    Si,
    /// From kilo upwards, and the binary prefixes: there is no hundredth of a bit.
    Data,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Binary,
    Large,
    Small,
}

struct Known {
    /// The first is the symbol for display. Prefix letters combine only with symbols, prefix words with names.
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    dimension: PhysicalDimension,
    factor: &'static str,
    prefixes: Prefixes,
}

const fn known(
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    dimension: PhysicalDimension,
    factor: &'static str,
    prefixes: Prefixes,
) -> Known {
    Known { symbols, names, dimension, factor, prefixes }
}

use PhysicalDimension as D;
use Prefixes::{Data, No, Si};

#[rustfmt::skip]
const UNITS: &[Known] = &[
    known(&["m"], &["metre", "meter"], D::LENGTH, "1", Si),
    known(&["in", "\""], &["inch", "inches"], D::LENGTH, "0.0254", No),
    known(&["ft", "'"], &["foot", "feet"], D::LENGTH, "0.3048", No),
    known(&["yd"], &["yard"], D::LENGTH, "0.9144", No),
    known(&["mi"], &["mile"], D::LENGTH, "1609.344", No),
    known(&["nmi", "NM"], &["nautical mile"], D::LENGTH, "1852", No),
    known(&["Å"], &["angstrom"], D::LENGTH, "1e-10", No),
    known(&["au", "AU"], &["astronomical unit"], D::LENGTH, "149597870700", No),
    known(&["ly"], &["light year", "lightyear"], D::LENGTH, "9460730472580800", No),
    known(&["pc"], &["parsec"], D::LENGTH, "30856775814913673", No),
    known(&["ha"], &["hectare"], D::AREA, "10000", No),
    known(&["ac"], &["acre"], D::AREA, "4046.8564224", No),
    known(&["L", "l"], &["litre", "liter"], D::VOLUME, "0.001", Si),
    known(&["tsp"], &["teaspoon"], D::VOLUME, "4.92892159375e-6", No),
    known(&["tbsp"], &["tablespoon"], D::VOLUME, "14.78676478125e-6", No),
    known(&["fl oz", "floz"], &["fluid ounce"], D::VOLUME, "29.5735295625e-6", No),
    known(&["cup"], &["cups"], D::VOLUME, "236.5882365e-6", No),
    known(&["pt"], &["pint"], D::VOLUME, "473.176473e-6", No),
    known(&["qt"], &["quart"], D::VOLUME, "946.352946e-6", No),
    known(&["gal"], &["gallon"], D::VOLUME, "3785.411784e-6", No),
    known(&["cc"], &[], D::VOLUME, "1e-6", No),
    known(&["g"], &["gram", "gramme"], D::MASS, "0.001", Si),
    known(&["t"], &["tonne", "metric ton"], D::MASS, "1000", No),
    known(&["oz"], &["ounce"], D::MASS, "0.028349523125", No),
    known(&["lb", "lbs"], &["pound"], D::MASS, "0.45359237", No),
    known(&["st"], &["stone"], D::MASS, "6.35029318", No),
    known(&["ton"], &["short ton", "tons"], D::MASS, "907.18474", No),
    known(&["ct"], &["carat"], D::MASS, "0.0002", No),
    known(&["s", "sec", "secs"], &["second"], D::TIME, "1", Si),
    known(&["min", "mins"], &["minute"], D::TIME, "60", No),
    known(&["h", "hr", "hrs"], &["hour"], D::TIME, "3600", No),
    known(&["d"], &["day"], D::TIME, "86400", No),
    known(&["wk"], &["week"], D::TIME, "604800", No),
    known(&["fortnight"], &[], D::TIME, "1209600", No),
    // A twelfth of, and the whole of, the mean Gregorian year.
    known(&["month"], &["months"], D::TIME, "2629746", No),
    known(&["yr"], &["year"], D::TIME, "31556952", No),
    known(&["decade"], &["decades"], D::TIME, "315569520", No),
    known(&["century"], &["centuries"], D::TIME, "3155695200", No),
    known(&["Hz"], &["hertz"], D::FREQUENCY, "1", Si),
    known(&["rpm"], &[], D::FREQUENCY, "1/60", No),
    known(&["km/h", "kmh", "kph", "kmph"], &[], D::SPEED, "1/3.6", No),
    known(&["mph"], &[], D::SPEED, "0.44704", No),
    known(&["kn", "kt", "kts"], &["knot"], D::SPEED, "1852/3600", No),
    known(&["N"], &["newton"], D::FORCE, "1", Si),
    known(&["lbf"], &[], D::FORCE, "4.4482216152605", No),
    known(&["Pa"], &["pascal"], D::PRESSURE, "1", Si),
    known(&["bar"], &["bars"], D::PRESSURE, "100000", Si),
    known(&["atm"], &["atmosphere"], D::PRESSURE, "101325", No),
    known(&["psi"], &[], D::PRESSURE, "6894.757293168", No),
    known(&["mmHg", "torr"], &[], D::PRESSURE, "133.322387415", No),
    known(&["J"], &["joule"], D::ENERGY, "1", Si),
    known(&["Wh"], &["watt hour"], D::ENERGY, "3600", Si),
    known(&["cal"], &["calorie"], D::ENERGY, "4.184", Si),
    known(&["eV"], &["electronvolt"], D::ENERGY, "1.602176634e-19", Si),
    known(&["BTU", "btu"], &[], D::ENERGY, "1055.05585262", No),
    known(&["W"], &["watt"], D::POWER, "1", Si),
    known(&["hp"], &["horsepower"], D::POWER, "745.69987158227022", No),
    known(&["A"], &["ampere", "amp"], D::CURRENT, "1", Si),
    known(&["Ah"], &["ampere hour", "amp hour"], D::CHARGE, "3600", Si),
    known(&["V"], &["volt"], D::VOLTAGE, "1", Si),
    known(&["Ω", "Ohm"], &["ohm"], D::RESISTANCE, "1", Si),
    known(&["mol"], &["mole"], D::AMOUNT, "1", Si),
    known(&["K"], &["kelvin"], D::TEMPERATURE, "1", Si),
    known(&["°C", "C", "degC"], &["celsius", "centigrade", "degree celsius", "degrees celsius", "degrees c", "deg c"], D::TEMPERATURE, "1", No),
    known(&["°F", "F", "degF"], &["fahrenheit", "degree fahrenheit", "degrees fahrenheit", "degrees f", "deg f"], D::TEMPERATURE, "5/9", No),
    known(&["bit"], &["bits"], D::DATA, "1", Data),
    known(&["B"], &["byte"], D::DATA, "8", Data),
    known(&["bps"], &[], D::DATA_RATE, "1", Data),
    known(&["rad"], &["radian"], D::NONE, "1", Si),
    known(&["°", "deg"], &["degree"], D::NONE, "3.141592653589793/180", No),
    known(&["turn"], &["turns", "revolution"], D::NONE, "6.283185307179586", No),
    known(&["%"], &["percent", "percentage"], D::NONE, "0.01", No),
];

const ZEROES: [(&str, &str); 2] = [("°C", "273.15"), ("°F", "459.67/1.8")];

const PREFIXES: [(&str, &str, &str, Kind); 20] = [
    ("Ki", "kibi", "1024", Kind::Binary),
    ("Mi", "mebi", "1048576", Kind::Binary),
    ("Gi", "gibi", "1073741824", Kind::Binary),
    ("Ti", "tebi", "1099511627776", Kind::Binary),
    ("Pi", "pebi", "1125899906842624", Kind::Binary),
    ("k", "kilo", "1e3", Kind::Large),
    ("M", "mega", "1e6", Kind::Large),
    ("G", "giga", "1e9", Kind::Large),
    ("T", "tera", "1e12", Kind::Large),
    ("P", "peta", "1e15", Kind::Large),
    ("E", "exa", "1e18", Kind::Large),
    ("h", "hecto", "100", Kind::Small),
    ("da", "deca", "10", Kind::Small),
    ("d", "deci", "0.1", Kind::Small),
    ("c", "centi", "0.01", Kind::Small),
    ("m", "milli", "1e-3", Kind::Small),
    ("µ", "micro", "1e-6", Kind::Small),
    ("u", "micro", "1e-6", Kind::Small),
    ("n", "nano", "1e-9", Kind::Small),
    ("p", "pico", "1e-12", Kind::Small),
];

/// Finds a unit by name. Symbols are matched case-sensitively first (`MB` and `Mbit`, `m` and `M`), and then, where
/// this is unambiguous, regardless of case.
pub fn find(name: &str) -> Option<Unit> {
    let name = name.replace('μ', "µ");
    let folded = name.to_lowercase();
    if folded.is_empty() {
        return None;
    }
    by_symbol(&name, Capitals::Matter)
        .or_else(|| by_name(&folded))
        .or_else(|| by_symbol(&folded, Capitals::Ignored))
}

/// Returns every name that is understood without a prefix, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|known| known.symbols.iter().chain(known.names).copied())
}

#[derive(Clone, Copy)]
enum Capitals {
    Matter,
    Ignored,
}

impl Capitals {
    fn same(self, symbol: &str, written: &str) -> bool {
        match self {
            Self::Matter => symbol == written,
            Self::Ignored => symbol.eq_ignore_ascii_case(written),
        }
    }
}

fn by_symbol(written: &str, capitals: Capitals) -> Option<Unit> {
    let of_symbol =
        |known: &&Known, written: &str| known.symbols.iter().any(|symbol| capitals.same(symbol, written));
    if let Some(known) = UNITS.iter().find(|known| of_symbol(known, written)) {
        return known.unit("", "1");
    }
    PREFIXES.iter().find_map(|(prefix, _, factor, kind)| {
        let (begin, rest) = written.split_at_checked(prefix.len())?;
        if !capitals.same(prefix, begin) {
            return None;
        }
        UNITS.iter().find(|known| known.takes(*kind) && of_symbol(known, rest))?.unit(prefix, factor)
    })
}

fn by_name(folded: &str) -> Option<Unit> {
    let singular = folded.strip_suffix('s').unwrap_or(folded);
    let of_name = |name: &str| UNITS.iter().find(|known| known.names.contains(&name));
    if let Some(known) = of_name(folded).or_else(|| of_name(singular)) {
        return known.unit("", "1");
    }
    PREFIXES.iter().find_map(|(symbol, prefix, factor, kind)| {
        let of_rest = |name: &str| of_name(name.strip_prefix(prefix)?);
        let known = of_rest(folded).or_else(|| of_rest(singular))?;
        known.takes(*kind).then(|| known.unit(symbol, factor))?
    })
}

impl Known {
    fn takes(&self, kind: Kind) -> bool {
        match self.prefixes {
            No => false,
            Si => kind != Kind::Binary,
            Data => kind != Kind::Small,
        }
    }

    fn unit(&self, prefix: &str, factor: &str) -> Option<Unit> {
        let symbol = self.symbols.first()?;
        let zero = ZEROES.iter().find(|(name, _)| name == symbol).map_or("0", |(_, zero)| zero);
        Some(Unit {
            symbol: format!("{prefix}{symbol}"),
            dimension: self.dimension,
            factor: Number::read(self.factor)?.times(Number::read(factor)?).ok()?,
            zero: Number::read(zero)?,
        })
    }
}
