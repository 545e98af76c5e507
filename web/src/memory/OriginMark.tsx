import { Globe } from 'lucide-react'
import type { Origin } from '@/api/protocol.gen'
import { originWords } from './wording'

/** A mark on content that is based on untrusted text, written by neither the user nor Luna. */
export function OriginMark({ origins }: { origins: Origin[] }) {
  if (origins.length === 0) return null
  const words = `Based on outside text: ${origins.map(originWords).join('; ')}`
  return (
    <span title={words} className="flex shrink-0 items-center gap-1 text-12 text-warn">
      <Globe size={13} />
      <span className="max-sm:sr-only">outside text</span>
      <span className="sr-only">: {origins.map(originWords).join('; ')}</span>
    </span>
  )
}
