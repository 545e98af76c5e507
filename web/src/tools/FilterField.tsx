import { Search, X } from 'lucide-react'
import { IconButton } from '@/design/IconButton'

interface Props {
  label: string
  /** A shorter placeholder for narrow fields, in place of the label. */
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

export function FilterField({ label, placeholder = label, value, onChange }: Props) {
  return (
    <div
      role="search"
      aria-label={label}
      className="focus-within-ring flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] ps-2.5 pe-1 text-muted pointer-coarse:h-11"
    >
      <Search size={15} />
      <input
        aria-label={label}
        placeholder={placeholder}
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        enterKeyHint="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
        className="min-w-0 flex-1 bg-transparent text-13 text-text outline-none pointer-coarse:text-[1rem]"
      />
      {value !== '' && (
        <IconButton size="small" label="Clear the search" onClick={() => onChange('')}>
          <X size={14} />
        </IconButton>
      )}
    </div>
  )
}
