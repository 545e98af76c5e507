export interface CommandProps {
  /** The id of the tool call. */
  id: string
  /** The name of the tool. */
  action: string
  /** The data written by the model, unchecked. */
  payload: unknown
  pinned?: boolean
  onPin?: (pinned: boolean) => void
  /**
   * Runs a tool for a button, through the gate. The result is the next payload; the promise resolves once it
   * has arrived or will not come.
   */
  onRun?: (tool: string, args: Record<string, unknown>) => Promise<void>
}

const SHOWN = new Set(['widget', 'map', 'scene', 'spotify', 'web_search', 'web_fetch', 'web_research', 'weather', 'notify', 'open', 'pictures'])

/** Returns true if a command of this tool shows something on the screen. */
export function opensSomething(action: string): boolean {
  return SHOWN.has(action)
}
