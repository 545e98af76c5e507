import type { ReactNode } from 'react'

/** A few lines under a small heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel-section">
      <h3 className="label">{title}</h3>
      {children}
    </section>
  )
}

export function Line({ name, value }: { name: string; value: ReactNode }) {
  return (
    <p className="panel-line">
      <span className="text-muted">{name}</span>
      <span className="min-w-0 truncate text-end">{value}</span>
    </p>
  )
}

/** A value from 0 to 1, as a bar and in words. */
export function Bar({ name, value, text }: { name: string; value: number; text: string }) {
  return (
    <div className="py-1">
      <p className="panel-line">
        <span className="text-muted">{name}</span>
        <span className="min-w-0 truncate text-end">{text}</span>
      </p>
      <span className="panel-track" aria-hidden="true">
        <span className="panel-fill" style={{ width: `${Math.round(Math.min(1, Math.max(0, value)) * 100)}%` }} />
      </span>
    </div>
  )
}
