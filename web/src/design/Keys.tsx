import { keyNames } from '@/actions/keys'

/** A keyboard shortcut, written as on this platform. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className="grid h-5 min-w-5 place-items-center rounded-[4px] bg-[color-mix(in_oklab,var(--text)_8%,transparent)] px-1 font-sans text-12 text-muted"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}
