import type { StateCreator } from 'zustand'

/**
 * A part of a store. `Own` is what it adds to the state; `Uses` is what it needs of the other parts, so that it
 * depends on those and not on the store as a whole.
 */
export type Slice<Own, Uses = unknown> = StateCreator<Own & Uses, [], [], Own>
