import { readAttachment } from '@/api/chats'
import type { AttachmentInfo } from '@/api/protocol.gen'
import type { ChatSlice, SendSlice } from '@/chat/state'
import { delayedWriter } from '@/shell/draftStorage'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import { readDrafts, writeDraft } from './drafts'
import { type DraftFile, FileTrouble, readDraftFile, storedFile, limitTrouble } from './files'
import { release, releasePreviews } from './previews'
import { type ComposerSlice, type Draft, EMPTY_DRAFT, type UnsentMessage } from './state'

/** Returns the unsent message under a key, regardless of an edit in progress there. */
export function unsent(draft: Draft | undefined): UnsentMessage {
  return draft?.edit?.aside ?? { text: draft?.text ?? '', files: draft?.files ?? [] }
}

function joined(first: UnsentMessage, second: UnsentMessage): UnsentMessage {
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
  const trouble = limitTrouble(files)
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
  return Object.fromEntries(Object.entries(readDrafts()).map(([draftKey, text]) => [draftKey, { ...EMPTY_DRAFT, text }]))
}

export const composerSlice: Slice<ComposerSlice, ChatSlice & SendSlice> = (set, get, store) => {
  releasePreviews(store)
  const { soon: keepSoon, now: keep } = delayedWriter((draftKey) => {
    // Incognito conversations leave nothing in the browser either.
    if (get().conversations[draftKey]?.chat?.incognito) return
    const draft = get().drafts[draftKey] ?? EMPTY_DRAFT
    const { text } = unsent(draft)
    const queued = (get().queues[draftKey] ?? []).map((message) => message.text)
    writeDraft(draftKey, text, queued, Date.now())
  })

  const change = (draftKey: string, edit: (draft: Draft) => Draft) =>
    set((state) => ({ drafts: { ...state.drafts, [draftKey]: edit(state.drafts[draftKey] ?? EMPTY_DRAFT) } }))
  /** Returns the id of the edit under this key, or null. */
  const editing = (draftKey: string) => get().drafts[draftKey]?.edit?.id ?? null

  return {
    drafts: storedDrafts(),
    queues: {},
    composerFocus: 0,

    setText: (draftKey, text) => {
      change(draftKey, (draft) => ({ ...draft, text, trouble: null }))
      keepSoon(draftKey)
    },

    addFiles: async (draftKey, files) => {
      const edit = editing(draftKey)
      change(draftKey, (draft) => ({ ...draft, reading: draft.reading + files.length, trouble: null }))
      for (const file of files) {
        const read = await readDraftFile(file).catch((error: unknown) =>
          error instanceof FileTrouble ? error : new FileTrouble(`“${file.name}” cannot be read.`),
        )
        const draft = get().drafts[draftKey]
        if (draft && (edit === null || draft.edit?.id === edit)) change(draftKey, () => withFile(draft, edit, read))
        // The draft or edit for which the file was read is gone.
        else if (!(read instanceof FileTrouble)) release(read)
      }
    },

    removeFile: (draftKey, id) =>
      change(draftKey, (draft) => ({ ...draft, trouble: null, files: draft.files.filter((file) => file.id !== id) })),

    startEdit: async (draftKey, message) => {
      const sent = get().sentFiles[message.id]
      const missing = sent ? [] : message.attachments
      const edit = { id: crypto.randomUUID(), message: message.id, aside: unsent(get().drafts[draftKey]) }
      // `reading` blocks sending until the files have loaded, so that the message is not sent without them.
      change(draftKey, () => ({ ...EMPTY_DRAFT, text: message.content, files: sent ?? [], reading: missing.length, edit }))
      get().focusComposer()
      if (missing.length === 0) return
      const files = await fetched(missing).catch(() => null)
      if (editing(draftKey) !== edit.id) {
        files?.forEach(release)
        return
      }
      change(draftKey, (draft) => ({
        ...draft,
        reading: draft.reading - missing.length,
        files: [...(files ?? []), ...draft.files],
        editTrouble: files ? null : WITHOUT_FILES,
      }))
    },

    cancelEdit: (draftKey) => change(draftKey, (draft) => ({ ...EMPTY_DRAFT, ...draft.edit?.aside })),

    clearDraft: (draftKey) => {
      change(draftKey, (draft) => ({ ...EMPTY_DRAFT, ...draft.edit?.aside }))
      keep(draftKey)
    },

    enqueue: (draftKey, message) => {
      const queued = { ...message, id: crypto.randomUUID() }
      set((state) => ({ queues: { ...state.queues, [draftKey]: [...(state.queues[draftKey] ?? []), queued] } }))
      keep(draftKey)
    },

    dequeue: (draftKey, id) => {
      const queue = get().queues[draftKey] ?? []
      const found = queue.find((message) => message.id === id) ?? null
      set((state) => ({ queues: { ...state.queues, [draftKey]: queue.filter((message) => message.id !== id) } }))
      keep(draftKey)
      return found
    },

    returnToDraft: (draftKey, message) => {
      change(draftKey, (draft) => ({ ...draft, ...joined(message, draft) }))
      keep(draftKey)
      get().focusComposer()
    },

    editQueued: (draftKey, id) => {
      const message = get().dequeue(draftKey, id)
      if (message) get().returnToDraft(draftKey, message)
    },

    moveUnsentToDraft: (draftKey) => {
      const outgoing = get().outgoing[draftKey]
      const waiting = [...(outgoing ? [outgoing] : []), ...(get().queues[draftKey] ?? [])]
      if (waiting.length === 0) return
      set((state) => ({ outgoing: omit(state.outgoing, draftKey), queues: omit(state.queues, draftKey) }))
      change(draftKey, (draft) => {
        const words = waiting.reduceRight<UnsentMessage>((below, message) => joined(message, below), unsent(draft))
        return draft.edit ? { ...draft, edit: { ...draft.edit, aside: words } } : { ...draft, ...words }
      })
      keep(draftKey)
    },

    moveDraft: (from, to) => {
      const words = unsent(get().drafts[from])
      set((state) => ({ drafts: omit(state.drafts, from) }))
      keep(from)
      if (words.text !== '' || words.files.length > 0) get().returnToDraft(to, words)
    },

    moveComposer: (from, to) => {
      const { drafts, queues } = get()
      set({
        drafts: { ...omit(drafts, from), ...(drafts[from] ? { [to]: drafts[from] } : {}) },
        queues: { ...omit(queues, from), ...(queues[from] ? { [to]: queues[from] } : {}) },
      })
      keep(from)
      keep(to)
    },

    focusComposer: () => set((state) => ({ composerFocus: state.composerFocus + 1 })),
  }
}
