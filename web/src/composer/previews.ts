import type { StoreApi } from 'zustand'
import type { ChatSlice, SendSlice } from '@/chat/state'
import type { DraftFile } from './files'
import type { ComposerSlice } from './state'

type Holders = Pick<ComposerSlice, 'drafts' | 'queues'> & Pick<SendSlice, 'outgoing'> & Pick<ChatSlice, 'sentFiles'>

/** Yields every file that this page holds, in drafts, queues and messages. */
function* held({ drafts, queues, outgoing, sentFiles }: Holders): Generator<DraftFile> {
  for (const draft of Object.values(drafts)) {
    yield* draft.files
    if (draft.edit) yield* draft.edit.aside.files
  }
  for (const message of Object.values(queues).flat()) yield* message.files
  for (const message of Object.values(outgoing)) yield* message.files
  for (const files of Object.values(sentFiles)) yield* files
}

function previews(state: Holders): Set<string> {
  return new Set([...held(state)].flatMap(({ preview }) => preview ?? []))
}

export function release(file: DraftFile): void {
  if (file.preview !== null) URL.revokeObjectURL(file.preview)
}

/**
 * Revokes the object URLs of pictures that no draft, queue or message holds any more: each keeps its whole
 * picture in memory. A file that moves between two places is in neither for a moment, so the check runs in a
 * microtask after the change.
 */
export function releasePreviews(store: Pick<StoreApi<Holders>, 'getState' | 'subscribe'>): void {
  let known = new Set<string>()
  let waiting = false
  const sweep = () => {
    waiting = false
    const inUse = previews(store.getState())
    for (const preview of known) if (!inUse.has(preview)) URL.revokeObjectURL(preview)
    known = inUse
  }
  store.subscribe((state, before) => {
    const same =
      state.drafts === before.drafts && state.queues === before.queues && state.outgoing === before.outgoing && state.sentFiles === before.sentFiles
    if (same || waiting) return
    waiting = true
    queueMicrotask(sweep)
  })
}
