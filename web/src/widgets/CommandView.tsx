interface Props {
  id: string
  action: string
  payload: unknown
  pinned?: boolean
  onPin?: (pinned: boolean) => void
  onRun?: (tool: string, args: Record<string, unknown>) => void
}

/** Whether a command of this name has something to show. */
export function opensSomething(action: string): boolean {
  return action !== ''
}

export function CommandView({ id, action, payload, pinned = false, onPin }: Props) {
  return (
    <section data-command={id} aria-label={action} className="rounded-card bg-surface p-4 shadow-lit">
      <pre className="overflow-x-auto font-mono text-12 whitespace-pre-wrap">{JSON.stringify(payload, null, 2)}</pre>
      {onPin && (
        <button type="button" onClick={() => onPin(!pinned)} className="mt-2 text-13 text-muted">
          {pinned ? 'Unpin' : 'Pin'}
        </button>
      )}
    </section>
  )
}
