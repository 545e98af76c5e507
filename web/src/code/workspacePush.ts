import type { Push } from '@/api/protocol.gen'

export type WorkspacePush = Extract<Push, { action: 'code_index' | 'code_changed' | 'resync' }>

let listener: (push: WorkspacePush) => void = () => {}

/**
 * Registers the listener for workspace pushes. The workspace is loaded on demand, so there is none until
 * then.
 */
export function onWorkspacePush(listens: (push: WorkspacePush) => void): void {
  listener = listens
}

export function forwardToWorkspace(push: WorkspacePush): void {
  listener(push)
}
