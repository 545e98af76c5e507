// Read by hand: the type of a megabyte of numbers helps nobody and costs the compiler a second.
declare module 'world-atlas/countries-110m.json' {
  const topology: object
  export default topology
}

declare module 'world-atlas/countries-50m.json' {
  const topology: object
  export default topology
}
