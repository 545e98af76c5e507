import { attachmentAddress } from '@/api/chats'
import type { Message, MessageId } from '@/api/protocol.gen'
import type { Slice } from '@/store'
import { readDrafts, writeDraft } from './drafts'
import { type DraftFile, FileTrouble, readFile, tooMuch } from './files'

export interface Draft {
  text: string
  files: DraftFile[]
  /** How many files are still being read. */
  reading: number
  trouble: string | null
  /** The message that this one will replace, and what was being typed before. */
  edit: { message: MessageId; aside: Pick<Draft, 'text' | 'files'> } | null
}

export interface Queued {
  id: string
  text: string
  files: DraftFile[]
}

export interface ComposerSlice {
  drafts: Record<string, Draft>
  /** Messages that wait until the answer before them is finished. */
  queues: Record<string, Queued[]>
  /** Counts up when the composer should take the focus. */
  composerCall: number

  setText: (place: string, text: string) => void
  addFiles: (place: string, files: File[]) => Promise<void>
  removeFile: (place: string, id: string) => void
  startEdit: (place: string, message: Message) => Promise<void>
  cancelEdit: (place: string) => void
  clearDraft: (place: string) => void
  enqueue: (place: string, message: Pick<Queued, 'text' | 'files'>) => void
  dequeue: (place: string, id: string) => Queued | null
  /** Puts a message that was not sent back into the composer, above what stands there. */
  takeBack: (place: string, message: Pick<Queued, 'text' | 'files'>) => void
  /** Takes a queued message back into the composer. */
  reconsider: (place: string, id: string) => void
  callComposer: () => void
}

export const EMPTY_DRAFT: Draft = { text: '', files: [], reading: 0, trouble: null, edit: null }

/** Typing is written down after a short rest. */
const KEEP_AFTER_MS = 300

function storedDrafts(): Record<string, Draft> {
  return Object.fromEntries(Object.entries(readDrafts()).map(([place, text]) => [place, { ...EMPTY_DRAFT, text }]))
}

export const composerSlice: Slice<ComposerSlice> = (set, get) => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const keep = (place: string) => {
    clearTimeout(timers.get(place))
    timers.delete(place)
    const draft = get().drafts[place] ?? EMPTY_DRAFT
    // While an earlier message is edited, the draft that was put aside is the one to keep.
    const text = draft.edit ? draft.edit.aside.text : draft.text
    const queued = (get().queues[place] ?? []).map((message) => message.text)
    writeDraft(place, text, queued, Date.now())
  }
  const keepSoon = (place: string) => {
    clearTimeout(timers.get(place))
    timers.set(place, setTimeout(() => keep(place), KEEP_AFTER_MS))
  }
  window.addEventListener('pagehide', () => [...timers.keys()].forEach(keep))

  const change = (place: string, edit: (draft: Draft) => Draft) =>
    set((state) => ({ drafts: { ...state.drafts, [place]: edit(state.drafts[place] ?? EMPTY_DRAFT) } }))

  return {
    drafts: storedDrafts(),
    queues: {},
    composerCall: 0,

    setText: (place, text) => {
      change(place, (draft) => ({ ...draft, text, trouble: null }))
      keepSoon(place)
    },

    addFiles: async (place, files) => {
      change(place, (draft) => ({ ...draft, reading: draft.reading + files.length, trouble: null }))
      for (const file of files) {
        const read = await readFile(file).catch((error: unknown) =>
          error instanceof FileTrouble ? error : new FileTrouble(`“${file.name}” cannot be read.`),
        )
        change(place, (draft) => {
          const rest = { ...draft, reading: draft.reading - 1 }
          if (read instanceof FileTrouble) return { ...rest, trouble: read.message }
          const trouble = tooMuch([...draft.files, read])
          return trouble ? { ...rest, trouble } : { ...rest, files: [...draft.files, read] }
        })
      }
    },

    removeFile: (place, id) =>
      change(place, (draft) => ({ ...draft, trouble: null, files: draft.files.filter((file) => file.id !== id) })),

    startEdit: async (place, message) => {
      change(place, (draft) => ({
        ...EMPTY_DRAFT,
        text: message.content,
        edit: { message: message.id, aside: draft.edit?.aside ?? { text: draft.text, files: draft.files } },
      }))
      get().callComposer()
      if (message.attachments.length === 0) return
      const files = await Promise.all(
        message.attachments.map(async (attachment) => {
          const blob = await (await fetch(attachmentAddress(attachment.id))).blob()
          return new File([blob], attachment.name, { type: attachment.mime })
        }),
      ).catch(() => null)
      if (get().drafts[place]?.edit?.message !== message.id) return
      if (files) await get().addFiles(place, files)
      else change(place, (draft) => ({ ...draft, trouble: 'The files of this message could not be fetched. Attach them again if she needs them.' }))
    },

    cancelEdit: (place) => change(place, (draft) => ({ ...EMPTY_DRAFT, ...draft.edit?.aside })),

    clearDraft: (place) => {
      change(place, (draft) => ({ ...EMPTY_DRAFT, ...draft.edit?.aside }))
      keep(place)
    },

    enqueue: (place, message) => {
      const queued = { ...message, id: crypto.randomUUID() }
      set((state) => ({ queues: { ...state.queues, [place]: [...(state.queues[place] ?? []), queued] } }))
      keep(place)
    },

    dequeue: (place, id) => {
      const queue = get().queues[place] ?? []
      const found = queue.find((message) => message.id === id) ?? null
      set((state) => ({ queues: { ...state.queues, [place]: queue.filter((message) => message.id !== id) } }))
      keep(place)
      return found
    },

    takeBack: (place, message) => {
      change(place, (draft) => ({
        ...draft,
        text: [message.text, draft.text].filter(Boolean).join('\n\n'),
        files: [...message.files, ...draft.files],
      }))
      keep(place)
      get().callComposer()
    },

    reconsider: (place, id) => {
      const message = get().dequeue(place, id)
      if (message) get().takeBack(place, message)
    },

    callComposer: () => set((state) => ({ composerCall: state.composerCall + 1 })),
  }
}
