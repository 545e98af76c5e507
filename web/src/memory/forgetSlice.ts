import { errorText } from '@/api/http'
import type { FactId, ForgetReport, MemoryItem, MessageId } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'
import type { MemoryDraftSlice } from './draftSlice'
import type { FactSlice } from './factSlice'
import type { MemoryServices } from './services'
import type { MemorySlice } from './slice'

/** The target of forgetting: a fact, a message, or words wherever they occur. */
export type ForgetTarget = { fact: FactId } | { message: MessageId } | { words: string }

/** Returns the target for a recalled item: the id of a fact or message, otherwise its text. */
export function targetOf({ kind, id, text }: Pick<MemoryItem, 'kind' | 'id' | 'text'>): ForgetTarget {
  if (kind === 'fact') return { fact: id }
  return kind === 'message' ? { message: id } : { words: text }
}

export interface Forgetting {
  /** Null until the words are entered. */
  target: ForgetTarget | null
  /** Offered words that the user chose to forget as well. */
  also: string[]
  /** Words that the user chose to keep. */
  leave: string[]
  state: 'asking' | 'looking' | 'ready' | 'removing' | 'done'
  report: ForgetReport | null
  trouble: string | null
}

/** Forgetting in two steps: a preview, then the removal with its check. */
export interface ForgetSlice {
  forgetting: Forgetting | null
  /** Opens the dialog, which asks for the words if there are none. Removes nothing. */
  askToForget: (target: ForgetTarget) => Promise<void>
  /** Includes or excludes words and updates the preview. */
  chooseWords: (words: string, go: boolean) => Promise<void>
  confirmForget: () => Promise<void>
  /** Called when something was forgotten, on this page or elsewhere. */
  forgotten: () => void
  closeForget: () => void
}

type Uses = Pick<FactSlice, 'factGone'> & Pick<MemoryDraftSlice, 'memoryDrafts' | 'dropAllDrafts'> & Pick<MemorySlice, 'memoryChanged'>

export const forgetSlice = ({ api, notices, pages, conversations }: MemoryServices): Slice<ForgetSlice, Uses> => (set, get) => {
  const change = (target: ForgetTarget, part: Partial<Forgetting>) =>
    set(({ forgetting }) => (forgetting?.target === target ? { forgetting: { ...forgetting, ...part } } : {}))

  const look = async (target: ForgetTarget) => {
    const { also, leave } = get().forgetting ?? { also: [], leave: [] }
    try {
      const report = await api.forget({ ...target, also, leave, confirm: false })
      // Another choice made meanwhile has sent a newer request.
      if (get().forgetting?.also === also && get().forgetting?.leave === leave) change(target, { report, state: 'ready', trouble: null })
    } catch (error) {
      change(target, { trouble: errorText(error), state: 'ready' })
    }
  }

  return {
    forgetting: null,
    askToForget: async (target) => {
      const empty = 'words' in target && target.words.trim() === ''
      set({ forgetting: { target: empty ? null : target, also: [], leave: [], state: empty ? 'asking' : 'looking', report: null, trouble: null } })
      pages.show({ kind: 'forget' })
      if (!empty) await look(target)
    },
    chooseWords: async (chosen, go) => {
      const { forgetting } = get()
      if (!forgetting?.target || forgetting.state !== 'ready') return
      const without = (list: string[]) => list.filter((one) => one !== chosen)
      const { also, leave, target } = forgetting
      const wasLeft = leave.includes(chosen)
      const wasTaken = also.includes(chosen)
      change(target, { also: go && !wasLeft ? [...also, chosen] : without(also), leave: go || wasTaken ? without(leave) : [...leave, chosen] })
      await look(target)
    },
    confirmForget: async () => {
      const { forgetting } = get()
      const target = forgetting?.target
      if (!target || forgetting.state !== 'ready') return
      change(target, { state: 'removing', trouble: null })
      try {
        const { also, leave } = forgetting
        change(target, { report: await api.forget({ ...target, also, leave, confirm: true }), state: 'done' })
        if ('fact' in target) get().factGone(target.fact)
        get().forgotten()
      } catch (error) {
        change(target, { trouble: errorText(error), state: 'ready' })
      }
    },
    forgotten: () => {
      // Pages are not told which words were removed, so all drafts are dropped in case they contain them.
      const begun = Object.keys(get().memoryDrafts).length > 0
      get().dropAllDrafts()
      if (begun) notices.notify({ tone: 'plain', text: 'Your unsaved changes to her memory were removed, too: they could have contained the words.' })
      get().memoryChanged()
      // A placeholder has replaced the words in every message that contained them.
      conversations.refreshLoaded()
    },
    closeForget: () => {
      set({ forgetting: null })
      pages.close('forget')
    },
  }
}
