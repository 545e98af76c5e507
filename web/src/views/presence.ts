import type { BodyState } from '@/api/protocol.gen'
import { useStore } from '@/store'

/** What she does, as far as this page knows: the answer that is followed here tells more than the line. */
export function usePresence(): BodyState {
  return useStore((state) => {
    const live = state.route.page === 'chat' ? state.live[state.route.id] : undefined
    if (live) return live.phase === 'writing' ? 'answering' : 'thinking'
    const waits = state.outgoing[state.route.page === 'chat' ? state.route.id : 'new']
    return waits && !waits.trouble ? 'thinking' : state.herState
  })
}

const WORDS: Record<BodyState, string> = { idle: 'here', thinking: 'thinking', answering: 'answering' }

export function presenceWords(presence: BodyState): string {
  return WORDS[presence]
}
