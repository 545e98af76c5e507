import { isMissing, errorText } from '@/api/http'
import type { ConversationId, Event, MessageId, TurnId } from '@/api/protocol.gen'
import { followTurn, stopTurn, type TurnStart } from '@/api/turns'
import type { ChatsSlice } from '@/chats/state'
import type { CodeSlice } from '@/code/slice'
import type { SettingsSlice } from '@/settings/slice'
import type { Navigation, Notices } from '@/shell/slice'
import { omit } from '@/store/omit'
import { showToolNotification } from '@/tools/toolNotification'
import type { QuestionSlice } from '@/tools/questionSlice'
import type { ViewSlice } from '@/views/slice'
import { LOADING, upTo } from './conversation'
import { applyEvents, beginLive, type LiveTurn, type TurnOrigin } from './live'
import { EventBuffer } from './eventBuffer'
import type { ChatSlice, SendSlice } from './state'

/**
 * The most turns followed at once, since browsers limit the connections to a host. Beyond it, background
 * turns run without being followed.
 */
const MOST_FOLLOWED = 4

/** What following a turn changes and tells, beside what is sent. */
export type TurnFollowerUses = ChatSlice &
  Pick<ChatsSlice, 'setRunning'> &
  Pick<CodeSlice, 'followCode'> &
  Pick<QuestionSlice, 'followQuestions'> &
  Pick<SettingsSlice, 'companionName'> &
  Pick<ViewSlice, 'followPanels'> &
  Pick<Navigation, 'route'> &
  Pick<Notices, 'notify'>

type State = SendSlice & TurnFollowerUses
type Change = Partial<State> | ((state: State) => Partial<State>)

/** Follows turns from beginning to end, and shows their events. */
export class TurnFollower {
  private readonly following = new Map<ConversationId, AbortController>()
  private readonly set: (change: Change) => void
  private readonly get: () => State

  constructor(set: (change: Change) => void, get: () => State) {
    this.set = set
    this.get = get
  }

  follows(id: ConversationId): boolean {
    return this.following.has(id)
  }

  async run(id: ConversationId, start: TurnStart, opening: TurnOrigin): Promise<void> {
    this.makeRoom(id)
    const abort = new AbortController()
    this.following.set(id, abort)
    this.begin(id, opening)

    const pump = new EventBuffer((events) => {
      if (!abort.signal.aborted) this.show(id, events)
    })
    let finished = false
    let lost = false
    try {
      const watcher = {
        event: (event: Event) => {
          finished = event.type === 'done' && event.stopReason !== 'stopped' && event.stopReason !== 'cut'
          pump.push(event)
        },
        line: (state: 'lost' | 'open') => this.changeLive(id, { lineLost: state === 'lost' }),
      }
      lost = (await followTurn(start, watcher, abort.signal)) === 'unknown'
      pump.flush()
    } catch (error) {
      pump.flush()
      if (!abort.signal.aborted) this.failed(id, error)
    }
    if (this.following.get(id) !== abort) return
    this.following.delete(id)
    const stopped = this.get().live[id]?.stopping ?? false
    this.set((state) => ({ live: omit(state.live, id) }))
    this.get().setRunning(id, false)
    // If the stream was lost, the server has the end of the turn. It also has the files of the message, which
    // this page then need not hold.
    if (lost || this.holdsFiles(id)) await this.get().refreshChat(id)
    if (finished && !stopped) this.get().sendQueued(id)
  }

  /** Stops following a turn, which continues to run. */
  unfollow(id: ConversationId): void {
    this.following.get(id)?.abort()
    this.following.delete(id)
  }

  unfollowAll(): void {
    for (const id of [...this.following.keys()]) this.unfollow(id)
  }

  private holdsFiles(id: ConversationId): boolean {
    const { conversations, sentFiles } = this.get()
    return conversations[id]?.messages.some((message) => sentFiles[message.id] !== undefined) ?? false
  }

  changeLive(id: ConversationId, change: Partial<LiveTurn>): void {
    this.set((state) => {
      const live = state.live[id]
      return live ? { live: { ...state.live, [id]: { ...live, ...change } } } : {}
    })
  }

  private begin(id: ConversationId, opening: TurnOrigin): void {
    const conversation = this.get().conversations[id] ?? LOADING
    const live = beginLive(opening, conversation.messages, Date.now())
    const replaced = opening.kind === 'regenerate' ? opening.message.id : opening.kind === 'send' ? opening.editOf : null
    const messages = replaced ? upTo(conversation.messages, replaced) : conversation.messages
    this.set((state) => ({
      live: { ...state.live, [id]: live },
      conversations: { ...state.conversations, [id]: { ...conversation, messages } },
    }))
    this.get().setRunning(id, true)
  }

  private show(id: ConversationId, events: Event[]): void {
    this.set((state) => {
      const live = state.live[id]
      const conversation = state.conversations[id]
      if (!live || !conversation) return {}
      const scene = applyEvents({ messages: conversation.messages, live }, events, Date.now())
      return {
        live: { ...state.live, [id]: scene.live },
        conversations: { ...state.conversations, [id]: { ...conversation, messages: scene.messages } },
      }
    })
    const metadata = events.find((event) => event.type === 'metadata')
    if (metadata) this.begun(id, metadata.userMessageId ?? null, metadata.turnId)
    const message = this.get().live[id]?.messageId
    if (message) {
      this.get().followQuestions(id, message, events)
      this.get().followCode(id, message, events)
      this.get().followPanels(id, events)
    }
    for (const event of events) if (event.type === 'command' && event.action === 'notify') showToolNotification(event.id, event.payload, this.get().companionName)
  }

  private begun(id: ConversationId, question: MessageId | null, turn: TurnId): void {
    const sent = this.get().outgoing[id]
    if (sent && question) {
      this.set((state) => ({
        outgoing: omit(state.outgoing, id),
        sentFiles: sent.files.length > 0 ? { ...state.sentFiles, [question]: sent.files } : state.sentFiles,
      }))
    }
    // The user pressed stop before the turn had an id.
    if (this.get().live[id]?.stopping) void stopTurn(turn).catch(() => {})
  }

  private failed(id: ConversationId, error: unknown): void {
    const live = this.get().live[id]
    const begun = !live || live.turnId !== null
    if (begun || isMissing(error)) void this.get().refreshChat(id)
    if (begun) return
    this.set((state) => ({
      conversations: { ...state.conversations, [id]: { ...(state.conversations[id] ?? LOADING), messages: live.before } },
    }))
    if (!this.get().markUnsent(id, error)) this.get().notify({ tone: 'danger', text: errorText(error) })
  }

  /** Stops following the oldest turns, except the one on the screen. */
  private makeRoom(opening: ConversationId): void {
    this.following.get(opening)?.abort()
    const { route } = this.get()
    for (const id of [...this.following.keys()]) {
      if (this.following.size < MOST_FOLLOWED) return
      if (id === opening || (route.page === 'chat' && route.id === id)) continue
      this.unfollow(id)
      this.set((state) => ({ live: omit(state.live, id) }))
    }
  }
}
