import { readAttachment } from '@/api/chats'
import type { AttachmentInfo } from '@/api/protocol.gen'
import type { ChatSlice, SendSlice } from '@/chat/state'
import { writer } from '@/shell/shelf'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { readDrafts, writeDraft } from './drafts'
import { type DraftFile, FileTrouble, readFile, storedFile, tooMuch } from './files'
import { release, releasePreviews } from './previews'
import { type ComposerSlice, type Draft, EMPTY_DRAFT, type Words } from './state'

/** Returns the unsent message of a place, regardless of an edit in progress there. */
export function unsent(draft: Draft | undefined): Words {
  return draft?.edit?.aside ?? { text: draft?.text ?? '', files: draft?.files ?? [] }
}

function above(first: Words, second: Words): Words {
  return { text: [first.text, second.text].filter(Boolean).join('\n\n'), files: [...first.files, ...second.files] }
}

/**
 * Returns the draft with a file added that was read for it, or for the draft from before the current edit.
 */
function withFile(draft: Draft, edit: string | null, read: DraftFile | FileTrouble): Draft {
  const aside = edit === null ? draft.edit?.aside : undefined
  const rest = aside ? draft : { ...draft, reading: Math.max(0, draft.reading - 1) }
  if (read instanceof FileTrouble) return { ...rest, trouble: read.message }
  const files = [...(aside ?? draft).files, read]
  const trouble = tooMuch(files)
  if (trouble !== null) {
    release(read)
    return { ...rest, trouble }
  }
  return aside && draft.edit ? { ...rest, edit: { ...draft.edit, aside: { ...aside, files } } } : { ...rest, files }
}

async function fetched(attachments: AttachmentInfo[]): Promise<DraftFile[]> {
  const blobs = await Promise.all(attachments.map(async (info) => ({ info, blob: await readAttachment(info.id) })))
  return Promise.all(blobs.map(({ info, blob }) => storedFile(info, blob)))
}

const WITHOUT_FILES = 'Its files could not be fetched, so this version goes without them. Attach them again, or cancel and edit it later.'

function storedDrafts(): Record<string, Draft> {
  return Object.fromEntries(Object.entries(readDrafts()).map(([place, text]) => [place, { ...EMPTY_DRAFT, text }]))
}

export const composerSlice: Slice<ComposerSlice, ChatSlice & SendSlice> = (set, get, store) => {
  releasePreviews(store)
  const { soon: keepSoon, now: keep } = writer((place) => {
    // Incognito conversations leave nothing in the browser either.
    if (get().conversations[place]?.chat?.incognito) return
    const draft = get().drafts[place] ?? EMPTY_DRAFT
    const { text } = unsent(draft)
    const queued = (get().queues[place] ?? []).map((message) => message.text)
    writeDraft(place, text, queued, Date.now())
  })

  const change = (place: string, edit: (draft: Draft) => Draft) =>
    set((state) => ({ drafts: { ...state.drafts, [place]: edit(state.drafts[place] ?? EMPTY_DRAFT) } }))
  /** Returns the id of the edit in this place, or null. */
  const editing = (place: string) => get().drafts[place]?.edit?.id ?? null

  return {
    drafts: storedDrafts(),
    queues: {},
    composerCall: 0,

    setText: (place, text) => {
      change(place, (draft) => ({ ...draft, text, trouble: null }))
      keepSoon(place)
    },

    addFiles: async (place, files) => {
      const edit = editing(place)
      change(place, (draft) => ({ ...draft, reading: draft.reading + files.length, trouble: null }))
      for (const file of files) {
        const read = await readFile(file).catch((error: unknown) =>
          error instanceof FileTrouble ? error : new FileTrouble(`“${file.name}” cannot be read.`),
        )
        const draft = get().drafts[place]
        if (draft && (edit === null || draft.edit?.id === edit)) change(place, () => withFile(draft, edit, read))
        // The draft or edit for which the file was read is gone.
        else if (!(read instanceof FileTrouble)) release(read)
      }
    },

    removeFile: (place, id) =>
      change(place, (draft) => ({ ...draft, trouble: null, files: draft.files.filter((file) => file.id !== id) })),

    startEdit: async (place, message) => {
      const sent = get().sentFiles[message.id]
      const missing = sent ? [] : message.attachments
      const edit = { id: crypto.randomUUID(), message: message.id, aside: unsent(get().drafts[place]) }
      // `reading` blocks sending until the files have loaded, so that the message is not sent without them.
      change(place, () => ({ ...EMPTY_DRAFT, text: message.content, files: sent ?? [], reading: missing.length, edit }))
      get().callComposer()
      if (missing.length === 0) return
      const files = await fetched(missing).catch(() => null)
      if (editing(place) !== edit.id) {
        files?.forEach(release)
        return
      }
      change(place, (draft) => ({
        ...draft,
        reading: draft.reading - missing.length,
        files: [...(files ?? []), ...draft.files],
        editTrouble: files ? null : WITHOUT_FILES,
      }))
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
      change(place, (draft) => ({ ...draft, ...above(message, draft) }))
      keep(place)
      get().callComposer()
    },

    reconsider: (place, id) => {
      const message = get().dequeue(place, id)
      if (message) get().takeBack(place, message)
    },

    setAside: (place) => {
      const outgoing = get().outgoing[place]
      const waiting = [...(outgoing ? [outgoing] : []), ...(get().queues[place] ?? [])]
      if (waiting.length === 0) return
      set((state) => ({ outgoing: omit(state.outgoing, place), queues: omit(state.queues, place) }))
      change(place, (draft) => {
        const words = waiting.reduceRight<Words>((below, message) => above(message, below), unsent(draft))
        return draft.edit ? { ...draft, edit: { ...draft.edit, aside: words } } : { ...draft, ...words }
      })
      keep(place)
    },

    moveDraft: (from, to) => {
      const words = unsent(get().drafts[from])
      set((state) => ({ drafts: omit(state.drafts, from) }))
      keep(from)
      if (words.text !== '' || words.files.length > 0) get().takeBack(to, words)
    },

    follow: (from, to) => {
      const { drafts, queues } = get()
      set({
        drafts: { ...omit(drafts, from), ...(drafts[from] ? { [to]: drafts[from] } : {}) },
        queues: { ...omit(queues, from), ...(queues[from] ? { [to]: queues[from] } : {}) },
      })
      keep(from)
      keep(to)
    },

    callComposer: () => set((state) => ({ composerCall: state.composerCall + 1 })),
  }
}
