// The file is parsed by hand: the type of a megabyte of numbers is of no use and costs the compiler a second.
declare module 'world-atlas/countries-110m.json' {
  const topology: object
  export default topology
}

declare module 'world-atlas/countries-50m.json' {
  const topology: object
  export default topology
}
