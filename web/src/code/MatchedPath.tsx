import { plain } from '@/tools/wording'

/** A path with the matched letters marked: the file name first, since that is what users look for. */
export function MatchedPath({ path, marked }: { path: string; marked: number[] }) {
  const cut = path.lastIndexOf('/') + 1
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-2" title={path}>
      <bdi className="min-w-0 max-w-full shrink-0 truncate text-text">
        <Letters text={path} from={cut} to={path.length} marked={marked} />
      </bdi>
      {cut > 0 && (
        <bdi className="min-w-0 truncate text-12 text-muted">
          <Letters text={path} from={0} to={cut - 1} marked={marked} />
        </bdi>
      )}
    </span>
  )
}

function Letters({ text, from, to, marked }: { text: string; from: number; to: number; marked: number[] }) {
  const own = new Set(marked.filter((at) => at >= from && at < to))
  const parts: { text: string; hit: boolean }[] = []
  for (let at = from; at < to; at += 1) {
    const hit = own.has(at)
    const last = parts.at(-1)
    if (last && last.hit === hit) last.text += text.charAt(at)
    else parts.push({ text: text.charAt(at), hit })
  }
  return parts.map((part, index) => (part.hit ? <span key={index} className="font-medium text-accent-text">{plain(part.text)}</span> : <span key={index}>{plain(part.text)}</span>))
}
