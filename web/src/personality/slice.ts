import { errorText } from '@/api/http'
import { patchPersonality, readPersonality, resetPersonality, undoPersonality } from '@/api/memory'
import type { Personality, TraitPatch } from '@/api/protocol.gen'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import { undoneText, type ManualChange, manualState, lastManualChange, changeText } from './manualChanges'

const ABOUT = 'personality'

/** The companion's current personality and its causes. */
export interface PersonalitySlice {
  personality: Personality | null
  personalityTrouble: string | null
  /** The changes made on this page and not undone, oldest first. */
  manualChanges: ManualChange[]

  refreshPersonality: () => Promise<void>
  changeTrait: (patch: TraitPatch) => Promise<void>
  resetPersonality: () => Promise<void>
  undoPersonality: () => Promise<void>
}

export const personalitySlice: Slice<PersonalitySlice, Notices> = (set, get) => {
  /** The number of requests so far; a response that a newer request has overtaken is not shown. */
  let asked = 0
  const ask = async (request: () => Promise<Personality>): Promise<Personality | null> => {
    asked += 1
    const mine = asked
    const before = get().personality
    try {
      const personality = await request()
      if (mine === asked) set({ personality, personalityTrouble: null })
      return personality
    } catch (error) {
      if (mine === asked) set({ personality: before })
      if (before === null) set({ personalityTrouble: errorText(error) })
      else get().notify({ tone: 'danger', text: errorText(error) })
      return null
    }
  }
  const changed = (what: string, personality: Personality) => set(({ manualChanges }) => ({ manualChanges: [...manualChanges, { what, after: manualState(personality) }] }))

  return {
    personality: null,
    personalityTrouble: null,
    manualChanges: [],

    refreshPersonality: async () => {
      await ask(readPersonality)
    },
    changeTrait: async (patch) => {
      const before = get().personality
      const { dimension, ...change } = patch
      get().withdraw(ABOUT)
      const after = await ask(() => {
        if (before) set({ personality: { ...before, traits: before.traits.map((trait) => (trait.dimension === dimension ? { ...trait, ...change } : trait)) } })
        return patchPersonality({ traits: [patch] })
      })
      if (after) changed(changeText(patch), after)
    },
    resetPersonality: async () => {
      get().withdraw(ABOUT)
      const after = await ask(resetPersonality)
      if (!after) return
      changed('Start over', after)
      get().notify({ tone: 'plain', text: 'Her personality was reset.', action: { label: 'Undo', run: () => void get().undoPersonality() }, about: ABOUT })
    },
    undoPersonality: async () => {
      const { personality: before, manualChanges } = get()
      get().withdraw(ABOUT)
      const after = await ask(undoPersonality)
      if (!before || !after) return
      if (lastManualChange(before, manualChanges)) set({ manualChanges: manualChanges.slice(0, -1) })
      get().notify({ tone: 'plain', text: undoneText(before, after), about: ABOUT })
    },
  }
}
