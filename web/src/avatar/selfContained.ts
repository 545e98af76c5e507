import { LoadingManager } from 'three'

const NOTHING = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/**
 * A loading manager for self-contained files: a reference to any other file, local or remote, loads a single
 * pixel instead.
 */
export function selfContainedManager(): LoadingManager {
  const manager = new LoadingManager()
  manager.setURLModifier((url) => (/^(blob|data):/.test(url) ? url : NOTHING))
  return manager
}
