import { create } from 'zustand'
import type { ServerServices } from './services'
import { type ServerSlice, serverSlice } from './slice'
import { type TrySlice, trySlice } from './trySlice'

/** Creates the state of the servers that bring tools. */
export function createServerStore(services: ServerServices) {
  return create<ServerSlice & TrySlice>()((...parts) => ({
    ...serverSlice(services)(...parts),
    ...trySlice(services)(...parts),
  }))
}
