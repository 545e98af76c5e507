import { type KeyboardEvent, type Ref, type TextareaHTMLAttributes, useEffect, useImperativeHandle, useRef } from 'react'
import { matches } from '@/actions/keys'
import { Button } from '@/design/Button'
import { Keys } from '@/design/Keys'
import { classNames } from '@/design/classNames'

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  label: string
  value: string
  onChange: (value: string) => void
  /** Takes the focus on mount. */
  focus?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

/** A text field that grows with its content. */
export function EditText({ label, value, onChange, className, focus = false, ref, ...rest }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement)
  useEffect(() => {
    if (!focus) return
    field.current?.focus()
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [focus])
  return (
    <textarea
      ref={field}
      aria-label={label}
      dir="auto"
      rows={1}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(
        'field-sizing-content max-h-[60vh] w-full resize-none rounded-control bg-well px-3 py-2 text-15 shadow-[inset_0_0_0_1px_var(--hairline)] outline-offset-0 pointer-coarse:text-[1rem]',
        className,
      )}
      {...rest}
    />
  )
}

/** The buttons that save or cancel inline editing. */
export function EditButtons({ onSave, onCancel, cancel = 'Cancel' }: { onSave: () => void; onCancel: () => void; cancel?: string }) {
  return (
    <>
      <CancelButton onCancel={onCancel}>{cancel}</CancelButton>
      <Button variant="primary" onClick={onSave}>
        Save
      </Button>
    </>
  )
}

export function CancelButton({ onCancel, children }: { onCancel: () => void; children: string }) {
  return (
    <Button variant="quiet" onClick={onCancel}>
      {children}
      <span className="touch:hidden">
        <Keys keys="escape" />
      </span>
    </Button>
  )
}

/** Returns a handler for the keys that save or cancel inline editing. */
export function editKeys(onSave: () => void, onCancel: () => void) {
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (matches(event.nativeEvent, 'mod+s') || matches(event.nativeEvent, 'mod+enter')) onSave()
    else if (event.key === 'Escape') onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
