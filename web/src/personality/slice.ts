import { words } from '@/api/http'
import { patchPersonality, readPersonality, resetPersonality, undoPersonality } from '@/api/memory'
import type { Personality, TraitPatch } from '@/api/protocol.gen'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import { broughtBack, type HandChange, handOf, lastByHand, whatChanged } from './hand'

const ABOUT = 'personality'

/** The companion's current personality and its causes. */
export interface PersonalitySlice {
  personality: Personality | null
  personalityTrouble: string | null
  /** The changes made on this page and not undone, oldest first. */
  handChanges: HandChange[]

  refreshPersonality: () => Promise<void>
  changeTrait: (patch: TraitPatch) => Promise<void>
  resetPersonality: () => Promise<void>
  undoPersonality: () => Promise<void>
}

export const personalitySlice: Slice<PersonalitySlice, Notices> = (set, get) => {
  /** The number of requests so far; a response that a newer request has overtaken is not shown. */
  let asked = 0
  const ask = async (door: () => Promise<Personality>): Promise<Personality | null> => {
    asked += 1
    const mine = asked
    const before = get().personality
    try {
      const personality = await door()
      if (mine === asked) set({ personality, personalityTrouble: null })
      return personality
    } catch (error) {
      if (mine === asked) set({ personality: before })
      if (before === null) set({ personalityTrouble: words(error) })
      else get().notify({ tone: 'danger', text: words(error) })
      return null
    }
  }
  const changed = (what: string, personality: Personality) => set(({ handChanges }) => ({ handChanges: [...handChanges, { what, after: handOf(personality) }] }))

  return {
    personality: null,
    personalityTrouble: null,
    handChanges: [],

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
      if (after) changed(whatChanged(patch), after)
    },
    resetPersonality: async () => {
      get().withdraw(ABOUT)
      const after = await ask(resetPersonality)
      if (!after) return
      changed('Start over', after)
      get().notify({ tone: 'plain', text: 'Her personality was reset.', action: { label: 'Undo', run: () => void get().undoPersonality() }, about: ABOUT })
    },
    undoPersonality: async () => {
      const { personality: before, handChanges } = get()
      get().withdraw(ABOUT)
      const after = await ask(undoPersonality)
      if (!before || !after) return
      if (lastByHand(before, handChanges)) set({ handChanges: handChanges.slice(0, -1) })
      get().notify({ tone: 'plain', text: broughtBack(before, after), about: ABOUT })
    },
  }
}
