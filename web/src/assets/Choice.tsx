import { Plus, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'

interface Props {
  /** The name of the radio group. */
  group: string
  title: string
  /** A note below the title. */
  note?: ReactNode
  chosen: boolean
  onChoose: () => void
  onRemove?: () => void
  /** The class that sets the shape. */
  shape: string
  children: ReactNode
}

/** One of several options, chosen by its picture. */
export function Choice({ group, title, note, chosen, onChoose, onRemove, shape, children }: Props) {
  return (
    <div className="group/choice relative min-w-0">
      <label className="block">
        <input type="radio" name={group} checked={chosen} onChange={onChoose} className="peer sr-only" />
        <span
          className={classNames(
            'relative block overflow-hidden rounded-card bg-[radial-gradient(90%_70%_at_50%_18%,var(--moonlight),transparent),var(--well)] transition-shadow after:absolute after:inset-0 after:rounded-card after:transition-shadow',
            'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-blue',
            chosen ? 'after:shadow-[inset_0_0_0_2px_var(--accent)]' : 'after:shadow-[inset_0_0_0_1px_var(--hairline)] group-hover/choice:after:shadow-[inset_0_0_0_1px_var(--faint)]',
            shape,
          )}
        >
          {children}
        </span>
        <span className={classNames('mt-1.5 block truncate text-13', chosen ? 'text-text' : 'text-muted')} title={title}>
          {title}
        </span>
        {note && <span className="mt-0.5 block text-12 text-faint">{note}</span>}
      </label>
      {onRemove && (
        <span className="absolute end-1.5 top-1.5 rounded-control bg-[color-mix(in_oklab,var(--ground)_78%,transparent)] opacity-0 transition-opacity group-focus-within/choice:opacity-100 group-hover/choice:opacity-100 touch:opacity-100">
          <IconButton size="small" label={`Remove ${title}`} onClick={onRemove}>
            <X size={15} />
          </IconButton>
        </span>
      )}
    </div>
  )
}

interface AddProps {
  label: string
  /** The rest of the accessible label, where the visible one has no room for it. */
  about?: string
  accept: string
  note: string
  shape: string
}

/** The last card of a group: an empty place that says what can be added there and how. */
export function AddCard({ label, about = '', accept, note, shape }: AddProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="min-w-0">
      <FileInput inputRef={input} accept={accept} label={`${label} ${about}: files`} />
      <button
        type="button"
        onClick={() => input.current?.click()}
        className={classNames(
          'flex w-full items-center justify-center gap-2 rounded-card text-center text-13 text-muted outline-1 -outline-offset-1 outline-dashed outline-[color-mix(in_oklab,var(--text)_22%,transparent)] transition-colors hover:bg-hover hover:text-text focus-visible:outline-2 focus-visible:outline-solid focus-visible:outline-blue',
          shape,
        )}
      >
        <Plus size={about === '' ? 18 : 14} />
        <span>
          {label}
          {about !== '' && <span className="sr-only"> {about}</span>}
        </span>
        <span className="text-12 text-faint touch:hidden">{note}</span>
      </button>
    </div>
  )
}

export function FileInput({ inputRef, accept, label }: { inputRef: React.RefObject<HTMLInputElement | null>; accept: string; label: string }) {
  return (
    <input
      ref={inputRef}
      type="file"
      multiple
      hidden
      accept={accept}
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        event.target.value = ''
        if (files.length > 0) void useStore.getState().addAssets(files)
      }}
    />
  )
}

/** A titled part of the section. */
export function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 border-t border-hairline pt-5 pb-7 first:border-0 first:pt-3">
      <legend className="contents">
        <span className="block text-15">{title}</span>
      </legend>
      <p className="mt-0.5 max-w-[36rem] text-13 text-muted">{about}</p>
      <div className="mt-4">{children}</div>
    </fieldset>
  )
}
