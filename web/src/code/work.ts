import { words } from '@/api/http'
import type { ConversationId, Event, MessageId, TurnId } from '@/api/protocol.gen'
import { followTurn, stopTurn, type TurnStart } from '@/api/turns'
import { useStore } from '@/store'

/** Something that runs in the workspace, and can be stopped. */
export interface Work {
  done: Promise<void>
  stop: () => void
}

interface Watcher {
  event: (event: Event) => void
  /** The conversation in which it asks, where it has one. */
  begun: (chat: ConversationId) => void
  failed: (message: string) => void
}

/** Runs a command or a check to its end. What it asks passes the same gate as a call of hers. */
export function begin(start: Extract<TurnStart, { kind: 'work' }>, watcher: Watcher): Work {
  const abort = new AbortController()
  let chat: ConversationId = ''
  let message: MessageId = ''
  let turn: TurnId | null = null
  let stopped = false
  const event = (event: Event) => {
    if (event.type === 'metadata') {
      chat = event.conversationId
      message = event.messageId
      turn = event.turnId
      useStore.getState().askedInWorkspace(chat)
      watcher.begun(chat)
      if (stopped) void stopTurn(turn).catch(() => {})
    }
    watcher.event(event)
    if (chat !== '') useStore.getState().followQuestions(chat, message, [event])
  }
  const done = followTurn(start, { event, line: () => {} }, abort.signal).then(
    () => {},
    (error: unknown) => watcher.failed(abort.signal.aborted ? 'Stopped.' : words(error)),
  )
  return {
    done,
    stop: () => {
      stopped = true
      // One that never got a name ends with its line.
      if (turn === null) abort.abort()
      else void stopTurn(turn).catch((error: unknown) => useStore.getState().notify({ tone: 'danger', text: words(error) }))
    },
  }
}
