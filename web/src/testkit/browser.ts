// What the page of the tests lacks of a browser. To be imported before anything that asks for it while it loads.

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
