import type { Push } from '@/api/protocol.gen'

export type WorkspacePush = Extract<Push, { action: 'code_index' | 'code_changed' | 'resync' }>

let listener: (push: WorkspacePush) => void = () => {}

/** The workspace is fetched when somebody goes there: until then nobody listens. */
export function onWorkspacePush(listens: (push: WorkspacePush) => void): void {
  listener = listens
}

export function tellWorkspace(push: WorkspacePush): void {
  listener(push)
}
