import { words } from '@/api/http'
import { patchPersonality, readPersonality, resetPersonality, undoPersonality } from '@/api/memory'
import type { Personality, TraitPatch } from '@/api/protocol.gen'
import type { Slice } from '@/store'

/** How she is at the moment, and what made her so. */
export interface PersonalitySlice {
  personality: Personality | null
  personalityTrouble: string | null

  refreshPersonality: () => Promise<void>
  changeTrait: (patch: TraitPatch) => Promise<void>
  resetPersonality: () => Promise<void>
  undoPersonality: () => Promise<void>
}

export const personalitySlice: Slice<PersonalitySlice> = (set, get) => {
  /** Counts what was asked: an answer that something newer has overtaken is not shown. */
  let asked = 0
  const ask = async (door: () => Promise<Personality>): Promise<boolean> => {
    asked += 1
    const mine = asked
    const before = get().personality
    try {
      const personality = await door()
      if (mine === asked) set({ personality, personalityTrouble: null })
      return true
    } catch (error) {
      if (mine === asked) set({ personality: before })
      if (before === null) set({ personalityTrouble: words(error) })
      else get().notify({ tone: 'danger', text: words(error) })
      return false
    }
  }

  return {
    personality: null,
    personalityTrouble: null,

    refreshPersonality: async () => {
      await ask(readPersonality)
    },
    changeTrait: async (patch) => {
      const before = get().personality
      const { dimension, ...change } = patch
      await ask(() => {
        if (before) set({ personality: { ...before, traits: before.traits.map((trait) => (trait.dimension === dimension ? { ...trait, ...change } : trait)) } })
        return patchPersonality({ traits: [patch] })
      })
    },
    resetPersonality: async () => {
      if (await ask(resetPersonality)) get().notify({ tone: 'plain', text: 'She is as on the first day.', action: { label: 'Undo', run: () => void get().undoPersonality() } })
    },
    undoPersonality: async () => {
      await ask(undoPersonality)
    },
  }
}
