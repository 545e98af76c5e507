interface Props {
  /** The share that is done, from 0 to 1; null while it is unknown. */
  part: number | null
  label: string
}

export function Progress({ part, label }: Props) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(part === null ? {} : { 'aria-valuenow': Math.round(part * 100) })}
      className="h-1 w-full overflow-hidden rounded-full bg-[color-mix(in_oklab,var(--text)_12%,transparent)]"
    >
      {part === null ? (
        <div className="h-full w-2/5 animate-[drift_1.6s_var(--ease)_infinite] rounded-full bg-accent" />
      ) : (
        <div className="h-full rounded-full bg-accent transition-[width] duration-200" style={{ width: `${Math.max(1, part * 100)}%` }} />
      )}
    </div>
  )
}
