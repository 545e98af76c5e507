import type { BodyState } from '@/api/protocol.gen'
import { useStore } from '@/store'

/**
 * Returns the activity of the companion. A turn followed on this page is more precise than the state pushed
 * by the server.
 */
export function useAvatarState(): BodyState {
  return useStore((state) => {
    const live = state.route.page === 'chat' ? state.live[state.route.id] : undefined
    if (live) return live.phase === 'writing' ? 'answering' : 'thinking'
    const waits = state.outgoing[state.route.page === 'chat' ? state.route.id : 'new']
    return waits && !waits.trouble ? 'thinking' : state.avatarState
  })
}

const WORDS: Record<BodyState, string> = { idle: 'here', thinking: 'thinking', answering: 'answering' }

export function avatarStateWords(presence: BodyState): string {
  return WORDS[presence]
}
