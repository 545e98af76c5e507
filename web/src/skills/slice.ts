import { isMissing, errorText } from '@/api/http'
import type { SkillInfo } from '@/api/protocol.gen'
import { listSkills, readSkill } from '@/api/tools'
import type { Slice } from '@/store/slice'

export interface SkillSlice {
  skills: SkillInfo[] | null
  /** The folder for the user's own skills. */
  skillFolder: string
  skillsTrouble: string | null
  /** The open skill. */
  skill: { name: string; info: SkillInfo | null; body: string | null; trouble: string | null; gone: boolean } | null

  refreshSkills: () => Promise<void>
  openSkill: (name: string) => Promise<void>
}

export const skillSlice: Slice<SkillSlice> = (set, get) => ({
  skills: null,
  skillFolder: '',
  skillsTrouble: null,
  skill: null,

  refreshSkills: async () => {
    try {
      const { skills, folder } = await listSkills()
      set({ skills, skillFolder: folder, skillsTrouble: null })
    } catch (error) {
      set({ skillsTrouble: errorText(error) })
    }
  },

  openSkill: async (name) => {
    const known = get().skill
    // A skill that is loaded again stays visible meanwhile.
    if (known?.name !== name) set({ skill: { name, info: null, body: null, trouble: null, gone: false } })
    try {
      const { skill, body } = await readSkill(name)
      if (get().skill?.name === name) set({ skill: { name, info: skill, body, trouble: null, gone: false } })
    } catch (error) {
      if (get().skill?.name === name) set({ skill: { name, info: null, body: null, trouble: errorText(error), gone: isMissing(error) } })
    }
  },
})
