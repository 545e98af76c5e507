import { create } from 'zustand'
import { type MemoryDraftSlice, memoryDraftSlice } from './draftSlice'
import { type EntrySlice, entrySlice } from './entrySlice'
import { type FactSlice, factSlice } from './factSlice'
import { type MemoryFileSlice, memoryFileSlice } from './fileSlice'
import { type ForgetSlice, forgetSlice } from './forgetSlice'
import type { MemoryServices } from './services'
import { type MemorySlice, memorySlice } from './slice'

export type MemoryState = FactSlice & MemoryFileSlice & EntrySlice & MemoryDraftSlice & ForgetSlice & MemorySlice

/** Creates the state of the memory pages. */
export function createMemoryStore(services: MemoryServices) {
  return create<MemoryState>()((...parts) => ({
    ...factSlice(services)(...parts),
    ...memoryFileSlice(services)(...parts),
    ...entrySlice(services)(...parts),
    ...memoryDraftSlice(...parts),
    ...forgetSlice(services)(...parts),
    ...memorySlice(services)(...parts),
  }))
}
