import { LoadingManager } from 'three'

const NOTHING = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** A file brings all that it needs: one that names another, here or elsewhere, gets a single point instead. */
export function sealed(): LoadingManager {
  const manager = new LoadingManager()
  manager.setURLModifier((url) => (/^(blob|data):/.test(url) ? url : NOTHING))
  return manager
}
