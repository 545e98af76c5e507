import { Braces, File, FileCode, FileText, Image, Lock, type LucideIcon, Settings2, Terminal } from 'lucide-react'
import { nameOf } from './tree'

const ICONS: [RegExp, LucideIcon][] = [
  [/\.(?:md|mdx|txt|rst|adoc)$|^(?:README|LICENSE|COPYING|CHANGELOG)/i, FileText],
  [/\.(?:png|jpe?g|gif|svg|webp|ico|avif|bmp)$/i, Image],
  [/\.(?:json|ya?ml|toml|xml|ini|cfg|conf|env|properties|lock)$/i, Braces],
  [/\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$|^(?:Makefile|Dockerfile|Justfile)/i, Terminal],
  [/\.(?:pem|key|crt|cer)$/i, Lock],
  [/^\.|rc$/, Settings2],
  [/\.[A-Za-z]\w*$/, FileCode],
]

/** The icon of a file by its type, as unobtrusive as its row. */
export function FileIcon({ path, size = 14 }: { path: string; size?: number }) {
  const name = nameOf(path)
  const Icon = ICONS.find(([sign]) => sign.test(name))?.[1] ?? File
  return <Icon size={size} className="text-faint" />
}
