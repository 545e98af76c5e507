import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './IconButton'

/** Copies, and shows for a moment that it did. */
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

/** Whether the text is on the clipboard. On plain HTTP beyond this machine the clipboard API does not exist. */
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
