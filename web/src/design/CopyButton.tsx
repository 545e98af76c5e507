import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './IconButton'

/** A button that copies a text and confirms it for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : label}
      onClick={() => {
        void copy(text).then(setCopied)
      }}
    >
      {copied ? <Check size={15} className="text-ok" /> : <Copy size={15} />}
    </IconButton>
  )
}

/**
 * Copies a text and returns true on success. Over plain HTTP from another machine the clipboard API does not
 * exist.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'sr-only'
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}
