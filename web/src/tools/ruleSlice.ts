import { errorText } from '@/api/http'
import type { CommandRules } from '@/api/protocol.gen'
import { allowCommands, readCommandRules, removeCommandRule } from '@/api/tools'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'

/** The rules for shell commands. */
export interface RuleSlice {
  commandRules: CommandRules | null
  commandRulesTrouble: string | null

  refreshCommandRules: () => Promise<void>
  /** Adds a rule for similar commands. Returns the reason if that is not possible. */
  allowCommandsLike: (line: string) => Promise<string | null>
  removeCommandRule: (id: string) => Promise<void>
}

export const ruleSlice: Slice<RuleSlice, Notices> = (set, get) => {
  const take = (commandRules: CommandRules) => set({ commandRules, commandRulesTrouble: null })
  return {
    commandRules: null,
    commandRulesTrouble: null,

    refreshCommandRules: async () => {
      try {
        take(await readCommandRules())
      } catch (error) {
        set({ commandRulesTrouble: errorText(error) })
      }
    },

    allowCommandsLike: async (line) => {
      try {
        take(await allowCommands({ line }))
        return null
      } catch (error) {
        return errorText(error)
      }
    },

    removeCommandRule: async (id) => {
      try {
        const { rule } = await removeCommandRule(id)
        await get().refreshCommandRules()
        const putBack = async () => {
          try {
            take(await allowCommands({ rule }))
          } catch (error) {
            get().notify({ tone: 'danger', text: errorText(error) })
          }
        }
        get().notify({ tone: 'plain', text: 'The rule is gone.', about: `rule ${id}`, action: { label: 'Undo', run: () => void putBack() } })
      } catch (error) {
        get().notify({ tone: 'danger', text: errorText(error) })
      }
    },
  }
}
