import { errorText } from '@/api/http'
import type { ConversationId, Event, MessageId, TurnId } from '@/api/protocol.gen'
import type { TurnStart } from '@/api/turns'
import type { CodeServices } from './services'

/** A running command or check that can be stopped. */
export interface RunHandle {
  done: Promise<void>
  stop: () => void
}

interface Watcher {
  event: (event: Event) => void
  /** Called with the conversation of its confirmation requests. */
  begun: (chat: ConversationId) => void
  failed: (message: string) => void
}

type Uses = Pick<CodeServices, 'followTurn' | 'stopTurn' | 'followQuestions' | 'notices' | 'conversations'>

/**
 * Runs a command or a check to its end. Its confirmation requests pass the same gate as a tool call of the
 * model.
 */
export function startRun({ followTurn, stopTurn, followQuestions, notices, conversations }: Uses, start: Extract<TurnStart, { kind: 'work' }>, watcher: Watcher): RunHandle {
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
      conversations.answerHere(chat)
      watcher.begun(chat)
      if (stopped) void stopTurn(turn).catch(() => {})
    }
    watcher.event(event)
    if (chat !== '') followQuestions(chat, message, [event])
  }
  const done = followTurn(start, { event, line: () => {} }, abort.signal).then(
    () => {},
    (error: unknown) => watcher.failed(abort.signal.aborted ? 'Stopped.' : errorText(error)),
  )
  return {
    done,
    stop: () => {
      stopped = true
      // A turn that has no id yet ends with its connection.
      if (turn === null) abort.abort()
      else void stopTurn(turn).catch((error: unknown) => notices.notify({ tone: 'danger', text: errorText(error) }))
    },
  }
}
