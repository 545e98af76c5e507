//! Figures that a single word names, built from shapes.
//!
//! Each stands on the ground at the centre and has a natural size relative to the others. A colour (`a red house`)
//! applies to the main parts.

use super::arrange::Solid;

const fn block(at: [f64; 3], size: [f64; 3], colour: &'static str) -> Solid {
    Solid::new("box", at, size, colour)
}

const fn ball(at: [f64; 3], diameter: f64, colour: &'static str) -> Solid {
    Solid::new("sphere", at, [diameter, diameter, diameter], colour)
}

/// An upright cylinder.
const fn rod(at: [f64; 3], diameter: f64, height: f64, colour: &'static str) -> Solid {
    Solid::new("cylinder", at, [diameter, height, diameter], colour)
}

const fn cone(at: [f64; 3], diameter: f64, height: f64, colour: &'static str) -> Solid {
    Solid::new("cone", at, [diameter, height, diameter], colour)
}

/// A standing torus, seen from the front as a ring.
const fn ring(at: [f64; 3], diameter: f64, thickness: f64, colour: &'static str) -> Solid {
    Solid::new("torus", at, [diameter, diameter, thickness], colour)
}

/// A cylinder with its axis from left to right.
const fn axle(at: [f64; 3], diameter: f64, length: f64, colour: &'static str) -> Solid {
    rod(at, diameter, length, colour).turned([0.0, 0.0, 90.0])
}

/// A wheel that rolls to the left or right, with its axis towards the viewer.
const fn wheel(at: [f64; 3], diameter: f64) -> Solid {
    rod(at, diameter, 0.25, DARK).turned([90.0, 0.0, 0.0])
}

const WOOD: &str = "#8a5a3b";
const LEAF: &str = "#4f9a5b";
const STONE: &str = "#9aa0a8";
const DARK: &str = "#30343b";
const WHITE: &str = "#f5f5f2";
const RED: &str = "#d64545";
const BLUE: &str = "#4a7fd6";
const GOLD: &str = "#e0b040";
const STEEL: &str = "#b4bac4";
const SNOW: &str = "#f4f7fa";
const MOON: &str = "#d9d5c8";

/// Returns the figure of this name.
pub fn named(name: &str) -> Option<&'static [Solid]> {
    FIGURES.iter().find(|(names, _)| names.contains(&name)).map(|(_, parts)| *parts)
}

type Figure = (&'static [&'static str], &'static [Solid]);

pub const FIGURES: &[Figure] = &[
    (
        &["cube", "box", "block", "square", "crate", "dice"],
        &[block([0.0, 0.5, 0.0], [1.0, 1.0, 1.0], BLUE).main()],
    ),
    (&["sphere", "ball", "globe", "orb", "circle"], &[ball([0.0, 0.5, 0.0], 1.0, BLUE).main()]),
    (&["cylinder", "pillar", "column", "tube"], &[rod([0.0, 0.6, 0.0], 0.8, 1.2, BLUE).main()]),
    (&["cone"], &[cone([0.0, 0.6, 0.0], 1.0, 1.2, BLUE).main()]),
    (&["torus", "ring", "donut", "doughnut", "hoop"], &[ring([0.0, 0.5, 0.0], 1.0, 1.0, GOLD).main()]),
    (
        &["plane", "floor", "ground", "field", "meadow", "lawn"],
        &[block([0.0, 0.02, 0.0], [6.0, 0.04, 6.0], "#6f9a63").main()],
    ),
    (
        &["house", "home", "cottage"],
        &[
            block([0.0, 0.6, 0.0], [1.6, 1.2, 1.4], "#e8dcc4").main(),
            cone([0.0, 1.6, 0.0], 2.4, 0.8, "#a8503c"),
            block([0.0, 0.35, 0.71], [0.36, 0.7, 0.06], WOOD),
            block([-0.5, 0.75, 0.71], [0.34, 0.34, 0.06], "#9cc7e8"),
            block([0.5, 0.75, 0.71], [0.34, 0.34, 0.06], "#9cc7e8"),
            block([0.5, 1.75, -0.2], [0.22, 0.6, 0.22], STONE),
        ],
    ),
    (
        &["tree"],
        &[
            rod([0.0, 0.5, 0.0], 0.28, 1.0, WOOD),
            ball([0.0, 1.45, 0.0], 1.2, LEAF).main(),
            ball([0.35, 1.25, 0.2], 0.8, LEAF).main(),
            ball([-0.35, 1.3, -0.1], 0.85, LEAF).main(),
        ],
    ),
    (
        &["christmas tree", "fir", "fir tree", "pine", "pine tree"],
        &[
            rod([0.0, 0.2, 0.0], 0.25, 0.4, WOOD),
            cone([0.0, 0.8, 0.0], 1.4, 0.9, LEAF).main(),
            cone([0.0, 1.3, 0.0], 1.1, 0.8, LEAF).main(),
            cone([0.0, 1.75, 0.0], 0.75, 0.7, LEAF).main(),
            ball([0.0, 2.15, 0.0], 0.16, GOLD),
        ],
    ),
    (
        &["snowman"],
        &[
            ball([0.0, 0.5, 0.0], 1.0, SNOW).main(),
            ball([0.0, 1.2, 0.0], 0.72, SNOW).main(),
            ball([0.0, 1.72, 0.0], 0.5, SNOW).main(),
            cone([0.0, 1.72, 0.36], 0.1, 0.3, "#f2994a").turned([90.0, 0.0, 0.0]),
            ball([-0.09, 1.8, 0.22], 0.07, DARK),
            ball([0.09, 1.8, 0.22], 0.07, DARK),
            rod([0.0, 1.97, 0.0], 0.6, 0.06, DARK),
            rod([0.0, 2.15, 0.0], 0.38, 0.34, DARK),
        ],
    ),
    (
        &["table", "desk"],
        &[
            block([0.0, 0.76, 0.0], [1.8, 0.08, 1.0], "#a97142").main(),
            block([-0.82, 0.36, -0.42], [0.08, 0.72, 0.08], WOOD).main(),
            block([0.82, 0.36, -0.42], [0.08, 0.72, 0.08], WOOD).main(),
            block([-0.82, 0.36, 0.42], [0.08, 0.72, 0.08], WOOD).main(),
            block([0.82, 0.36, 0.42], [0.08, 0.72, 0.08], WOOD).main(),
        ],
    ),
    (
        &["chair", "stool"],
        &[
            block([0.0, 0.46, 0.0], [0.6, 0.07, 0.6], "#a97142").main(),
            block([0.0, 0.86, -0.27], [0.6, 0.74, 0.06], "#a97142").main(),
            block([-0.26, 0.22, -0.26], [0.07, 0.44, 0.07], WOOD).main(),
            block([0.26, 0.22, -0.26], [0.07, 0.44, 0.07], WOOD).main(),
            block([-0.26, 0.22, 0.26], [0.07, 0.44, 0.07], WOOD).main(),
            block([0.26, 0.22, 0.26], [0.07, 0.44, 0.07], WOOD).main(),
        ],
    ),
    (
        &["car", "automobile"],
        &[
            block([0.0, 0.48, 0.0], [2.0, 0.42, 0.9], RED).main(),
            block([-0.1, 0.84, 0.0], [1.0, 0.36, 0.8], "#9cc7e8"),
            wheel([-0.62, 0.24, 0.42], 0.48),
            wheel([0.62, 0.24, 0.42], 0.48),
            wheel([-0.62, 0.24, -0.42], 0.48),
            wheel([0.62, 0.24, -0.42], 0.48),
            ball([1.0, 0.52, 0.28], 0.14, GOLD),
            ball([1.0, 0.52, -0.28], 0.14, GOLD),
        ],
    ),
    (
        &["rocket", "spaceship"],
        &[
            rod([0.0, 1.35, 0.0], 0.7, 1.8, WHITE).main(),
            cone([0.0, 2.6, 0.0], 0.7, 0.7, RED),
            ball([0.0, 1.7, 0.33], 0.24, BLUE),
            block([-0.45, 0.6, 0.0], [0.4, 0.6, 0.06], RED),
            block([0.45, 0.6, 0.0], [0.4, 0.6, 0.06], RED),
            block([0.0, 0.6, -0.45], [0.06, 0.6, 0.4], RED),
            cone([0.0, 0.22, 0.0], 0.5, 0.45, "#f2994a").turned([180.0, 0.0, 0.0]),
        ],
    ),
    (
        &["castle", "fortress"],
        &[
            block([0.0, 0.6, 0.0], [2.2, 1.2, 2.2], STONE).main(),
            rod([-1.1, 0.9, -1.1], 0.6, 1.8, STONE).main(),
            rod([1.1, 0.9, -1.1], 0.6, 1.8, STONE).main(),
            rod([-1.1, 0.9, 1.1], 0.6, 1.8, STONE).main(),
            rod([1.1, 0.9, 1.1], 0.6, 1.8, STONE).main(),
            cone([-1.1, 2.1, -1.1], 0.8, 0.6, BLUE),
            cone([1.1, 2.1, -1.1], 0.8, 0.6, BLUE),
            cone([-1.1, 2.1, 1.1], 0.8, 0.6, BLUE),
            cone([1.1, 2.1, 1.1], 0.8, 0.6, BLUE),
            block([0.0, 0.4, 1.11], [0.6, 0.8, 0.06], WOOD),
        ],
    ),
    (
        &["tower", "lighthouse"],
        &[
            rod([0.0, 1.3, 0.0], 0.9, 2.6, STONE).main(),
            rod([0.0, 2.7, 0.0], 1.15, 0.2, STONE).main(),
            cone([0.0, 3.15, 0.0], 1.1, 0.7, "#a8503c"),
            block([0.0, 0.35, 0.44], [0.34, 0.7, 0.08], WOOD),
        ],
    ),
    (
        &["moon"],
        &[
            ball([0.0, 0.75, 0.0], 1.5, MOON).main(),
            ball([0.21, 0.96, 0.39], 0.55, "#bcb8ab"),
            ball([-0.13, 0.73, 0.42], 0.65, "#bcb8ab"),
            ball([0.16, 0.49, 0.45], 0.45, "#bcb8ab"),
            ball([0.48, 0.75, 0.19], 0.5, "#bcb8ab"),
            ball([-0.4, 1.0, 0.21], 0.5, "#bcb8ab"),
        ],
    ),
    (&["planet", "earth", "world"], &[ball([0.0, 0.8, 0.0], 1.6, BLUE).main()]),
    (&["sun", "star"], &[ball([0.0, 1.0, 0.0], 2.0, "#ffc94d").main()]),
    (
        &[
            "saturn",
            "ringed planet",
            "planet with ring",
            "planet with a ring",
            "planet with rings",
            "planet with its rings",
        ],
        &[
            ball([0.0, 0.8, 0.0], 1.6, "#e0c08a").main(),
            ring([0.0, 0.8, 0.0], 2.9, 0.12, "#c9a878").turned([75.0, 0.0, 0.0]),
            ring([0.0, 0.8, 0.0], 2.4, 0.12, "#e6d3ae").turned([75.0, 0.0, 0.0]),
        ],
    ),
    (
        &["solar system", "planets of the solar system"],
        &[
            ball([0.0, 0.0, 0.0], 1.8, "#ffc94d").labelled("Sun"),
            ball([1.08, 0.0, 0.0], 0.27, STONE).labelled("Mercury"),
            ball([-1.01, 0.0, 1.01], 0.46, "#e0c08a").labelled("Venus"),
            ball([0.72, 0.0, -1.73], 0.49, BLUE).labelled("Earth"),
            ball([1.87, 0.0, 1.44], 0.38, "#c1553b").labelled("Mars"),
            ball([-3.02, 0.0, -0.72], 1.28, "#d2a679").labelled("Jupiter"),
            ball([2.45, 0.0, -3.02], 1.08, "#e6cf9c").labelled("Saturn"),
            ring([2.45, 0.0, -3.02], 2.03, 0.06, "#cdb58a").turned([80.0, 0.0, 0.0]),
            ball([-2.88, 0.0, 3.6], 0.74, "#8fd0d8").labelled("Uranus"),
            ball([4.75, 0.0, 2.16], 0.74, "#4a6fd6").labelled("Neptune"),
        ],
    ),
    (
        &["lamp", "street lamp", "street light", "lantern"],
        &[
            rod([0.0, 0.05, 0.0], 0.5, 0.1, DARK).main(),
            rod([0.0, 0.75, 0.0], 0.08, 1.4, DARK).main(),
            cone([0.0, 1.6, 0.0], 0.7, 0.45, "#f2c94c"),
            ball([0.0, 1.42, 0.0], 0.22, "#fff3c4"),
        ],
    ),
    (
        &["bridge"],
        &[
            block([0.0, 0.85, 0.0], [4.0, 0.12, 0.9], "#7d8590").main(),
            block([-1.2, 0.9, 0.0], [0.2, 1.8, 1.0], RED).main(),
            block([1.2, 0.9, 0.0], [0.2, 1.8, 1.0], RED).main(),
            block([-0.6, 1.3, 0.45], [1.4, 0.04, 0.04], STEEL).turned([0.0, 0.0, -38.0]),
            block([0.6, 1.3, 0.45], [1.4, 0.04, 0.04], STEEL).turned([0.0, 0.0, 38.0]),
            block([-0.6, 1.3, -0.45], [1.4, 0.04, 0.04], STEEL).turned([0.0, 0.0, -38.0]),
            block([0.6, 1.3, -0.45], [1.4, 0.04, 0.04], STEEL).turned([0.0, 0.0, 38.0]),
        ],
    ),
    (
        &["robot"],
        &[
            block([-0.22, 0.3, 0.0], [0.24, 0.6, 0.28], DARK),
            block([0.22, 0.3, 0.0], [0.24, 0.6, 0.28], DARK),
            block([0.0, 1.0, 0.0], [0.9, 0.8, 0.5], STEEL).main(),
            block([-0.6, 1.0, 0.0], [0.2, 0.7, 0.24], STEEL).main(),
            block([0.6, 1.0, 0.0], [0.2, 0.7, 0.24], STEEL).main(),
            block([0.0, 1.7, 0.0], [0.56, 0.46, 0.46], STEEL).main(),
            ball([-0.13, 1.75, 0.23], 0.12, "#3cc4d8"),
            ball([0.13, 1.75, 0.23], 0.12, "#3cc4d8"),
            rod([0.0, 2.05, 0.0], 0.04, 0.24, DARK),
            ball([0.0, 2.2, 0.0], 0.12, RED),
        ],
    ),
    (
        &["flower", "daisy", "rose", "sunflower"],
        &[
            rod([0.0, 0.5, 0.0], 0.07, 1.0, LEAF),
            ball([0.0, 1.05, 0.06], 0.3, GOLD),
            ball([0.3, 1.05, 0.0], 0.3, "#f28ab2").main(),
            ball([-0.3, 1.05, 0.0], 0.3, "#f28ab2").main(),
            ball([0.15, 1.31, 0.0], 0.3, "#f28ab2").main(),
            ball([-0.15, 1.31, 0.0], 0.3, "#f28ab2").main(),
            ball([0.15, 0.79, 0.0], 0.3, "#f28ab2").main(),
            ball([-0.15, 0.79, 0.0], 0.3, "#f28ab2").main(),
        ],
    ),
    (
        &["mushroom", "toadstool"],
        &[
            rod([0.0, 0.35, 0.0], 0.34, 0.7, "#f0e8d8"),
            Solid::new("sphere", [0.0, 0.78, 0.0], [1.1, 0.7, 1.1], RED).main(),
            ball([0.2, 1.0, 0.32], 0.14, WHITE),
            ball([-0.28, 0.98, 0.26], 0.16, WHITE),
            ball([0.0, 1.1, 0.0], 0.14, WHITE),
        ],
    ),
    (
        &["cup", "mug", "teacup"],
        &[
            rod([0.0, 0.16, 0.0], 0.27, 0.32, WHITE).main(),
            rod([0.0, 0.315, 0.0], 0.23, 0.02, "#6b4a32"),
            ring([0.16, 0.16, 0.0], 0.19, 0.21, WHITE).main(),
        ],
    ),
    (
        &["boat", "ship", "sailboat"],
        &[
            block([0.0, 0.25, 0.0], [1.6, 0.4, 0.7], WOOD).main(),
            cone([1.05, 0.25, 0.0], 0.6, 0.6, WOOD).main().turned([0.0, 0.0, -90.0]),
            rod([0.0, 1.2, 0.0], 0.07, 1.6, "#a97142"),
            block([-0.4, 1.3, 0.0], [0.7, 1.1, 0.03], WHITE),
        ],
    ),
    (
        &["pyramid"],
        &[
            block([0.0, 0.1, 0.0], [2.0, 0.2, 2.0], "#d9b96a").main(),
            block([0.0, 0.3, 0.0], [1.75, 0.2, 1.75], "#d9b96a").main(),
            block([0.0, 0.5, 0.0], [1.5, 0.2, 1.5], "#d9b96a").main(),
            block([0.0, 0.7, 0.0], [1.25, 0.2, 1.25], "#d9b96a").main(),
            block([0.0, 0.9, 0.0], [1.0, 0.2, 1.0], "#d9b96a").main(),
            block([0.0, 1.1, 0.0], [0.75, 0.2, 0.75], "#d9b96a").main(),
            block([0.0, 1.3, 0.0], [0.5, 0.2, 0.5], "#d9b96a").main(),
            block([0.0, 1.5, 0.0], [0.25, 0.2, 0.25], "#d9b96a").main(),
        ],
    ),
    (
        &["atom"],
        &[
            ball([-0.12, 1.2, 0.0], 0.34, RED).main(),
            ball([0.14, 1.28, 0.06], 0.34, BLUE),
            ball([0.04, 1.06, -0.08], 0.34, RED).main(),
            ring([0.0, 1.2, 0.0], 2.2, 0.1, STEEL).turned([80.0, 0.0, 0.0]),
            ring([0.0, 1.2, 0.0], 2.2, 0.1, STEEL).turned([80.0, 60.0, 0.0]),
            ring([0.0, 1.2, 0.0], 2.2, 0.1, STEEL).turned([80.0, -60.0, 0.0]),
            ball([1.0, 1.2, 0.0], 0.2, GOLD),
            ball([-0.5, 2.07, 0.0], 0.2, GOLD),
            ball([-0.5, 0.33, 0.0], 0.2, GOLD),
        ],
    ),
    (
        &["dumbbell", "barbell", "weight"],
        &[
            axle([0.0, 0.4, 0.0], 0.12, 1.2, STEEL),
            axle([-0.65, 0.4, 0.0], 0.8, 0.2, DARK).main(),
            axle([0.65, 0.4, 0.0], 0.8, 0.2, DARK).main(),
            axle([-0.85, 0.4, 0.0], 0.56, 0.18, DARK).main(),
            axle([0.85, 0.4, 0.0], 0.56, 0.18, DARK).main(),
        ],
    ),
    (
        &["traffic light", "stoplight"],
        &[
            rod([0.0, 0.7, 0.0], 0.14, 1.4, STONE),
            block([0.0, 2.0, 0.0], [0.5, 1.3, 0.36], DARK).main(),
            ball([0.0, 2.42, 0.16], 0.32, RED),
            ball([0.0, 2.0, 0.16], 0.32, "#f2c94c"),
            ball([0.0, 1.58, 0.16], 0.32, "#4caf6d"),
        ],
    ),
    (
        &["hammer"],
        &[
            rod([0.0, 0.7, 0.0], 0.14, 1.4, "#a97142"),
            block([0.0, 1.45, 0.0], [0.8, 0.28, 0.28], STEEL).main(),
            axle([-0.48, 1.45, 0.0], 0.34, 0.18, STEEL).main(),
        ],
    ),
    (
        &["train", "locomotive"],
        &[
            axle([0.35, 0.8, 0.0], 0.7, 1.3, RED).main(),
            block([-0.65, 0.95, 0.0], [0.8, 1.1, 0.9], RED).main(),
            block([-0.65, 1.55, 0.0], [0.95, 0.1, 1.05], DARK),
            rod([0.75, 1.3, 0.0], 0.2, 0.5, DARK),
            block([0.0, 0.38, 0.0], [2.2, 0.14, 0.8], DARK),
            wheel([0.7, 0.2, 0.4], 0.4),
            wheel([0.15, 0.2, 0.4], 0.4),
            wheel([-0.65, 0.2, 0.4], 0.4),
            wheel([0.7, 0.2, -0.4], 0.4),
            wheel([0.15, 0.2, -0.4], 0.4),
            wheel([-0.65, 0.2, -0.4], 0.4),
        ],
    ),
];
