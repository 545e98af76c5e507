import { plain } from './wording'

/** The parameters of a tool by its schema, one per line. */
export function Parameters({ schema }: { schema: unknown }) {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown }
  const names = typeof properties === 'object' && properties !== null ? Object.entries(properties as Record<string, unknown>) : []
  const needed = new Set(Array.isArray(required) ? (required as unknown[]) : [])
  if (names.length === 0) return <p>It takes no arguments.</p>
  return (
    <ul aria-label="Arguments" className="flex flex-col gap-0.5">
      {names.map(([name, about]) => {
        const { description } = (about ?? {}) as { description?: unknown }
        return (
          <li key={name} className="wrap-anywhere">
            <code className="font-mono text-text">{plain(name)}</code>
            {!needed.has(name) && <span className="text-faint"> optional</span>}
            {typeof description === 'string' && ` ${plain(description)}`}
          </li>
        )
      })}
    </ul>
  )
}
