// Stubs for browser features that the test environment lacks. To be imported before any module that uses them
// while it loads.

class Watcher {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(window, {
  matchMedia: (media: string) => ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
  ResizeObserver: Watcher,
  IntersectionObserver: Watcher,
  CSS: { supports: () => true },
  IS_REACT_ACT_ENVIRONMENT: true,
})
