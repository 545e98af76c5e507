import { useMemoryStore } from '@/memory/useMemoryStore'
import { useServerStore } from '@/servers/useServerStore'
import { useStore } from '@/store'
import type { AppState } from '@/store/state'

/** Puts the stores into the state of a page that was just opened, with these changes to that of the app. */
export function freshStores(changes: Partial<AppState> = {}): void {
  useStore.setState({ ...useStore.getInitialState(), ...changes }, true)
  useMemoryStore.setState(useMemoryStore.getInitialState(), true)
  useServerStore.setState(useServerStore.getInitialState(), true)
}
