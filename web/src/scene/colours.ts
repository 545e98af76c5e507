/** CSS colour names that users and models are likely to use. */
export const COLOUR_WORDS: Record<string, string> = {
  aqua: '#00ffff', aquamarine: '#7fffd4', azure: '#f0ffff', beige: '#f5f5dc', black: '#000000', blue: '#0000ff', brown: '#a52a2a', chocolate: '#d2691e',
  coral: '#ff7f50', crimson: '#dc143c', cyan: '#00ffff', darkblue: '#00008b', darkgray: '#a9a9a9', darkgreen: '#006400', darkgrey: '#a9a9a9',
  darkorange: '#ff8c00', darkred: '#8b0000', fuchsia: '#ff00ff', gold: '#ffd700', goldenrod: '#daa520', gray: '#808080', green: '#008000', grey: '#808080',
  hotpink: '#ff69b4', indigo: '#4b0082', ivory: '#fffff0', khaki: '#f0e68c', lavender: '#e6e6fa', lightblue: '#add8e6', lightgray: '#d3d3d3',
  lightgreen: '#90ee90', lightgrey: '#d3d3d3', lightyellow: '#ffffe0', lime: '#00ff00', magenta: '#ff00ff', maroon: '#800000', midnightblue: '#191970',
  navy: '#000080', olive: '#808000', orange: '#ffa500', orchid: '#da70d6', pink: '#ffc0cb', plum: '#dda0dd', purple: '#800080', red: '#ff0000',
  rosybrown: '#bc8f8f', royalblue: '#4169e1', salmon: '#fa8072', sienna: '#a0522d', silver: '#c0c0c0', skyblue: '#87ceeb', slategray: '#708090',
  steelblue: '#4682b4', tan: '#d2b48c', teal: '#008080', tomato: '#ff6347', turquoise: '#40e0d0', violet: '#ee82ee', white: '#ffffff', yellow: '#ffff00',
}

/** The colours of shapes without one of their own. */
export const PALETTE = ['#e8cf8e', '#8fa8ea', '#9ccfae', '#dba3b4', '#b3a5dd', '#8cc9d1', '#e0b08a', '#c9cede']

/** The colour of floors, more subdued than the shapes on them. */
export const FLOOR = '#5c6480'
