/**
 * Closes unfinished markup at the end of a stream, so that half-written Markdown does not flicker: `**bol` is
 * shown bold at once, and a link's address is not shown while it is typed. Applies only to the unfinished end
 * of a reply.
 */
export function closeUnfinished(tail: string): string {
  if (insideFence(tail)) return tail.replace(/\n[ \t]*[`~]{1,2}$/, '\n')
  const end = tail.lastIndexOf('\n\n')
  const head = end < 0 ? '' : tail.slice(0, end + 2)
  return head + closeParagraph(end < 0 ? tail : tail.slice(end + 2))
}

/** Returns true if the text ends inside a code block. */
export function insideFence(text: string): boolean {
  let open: string | null = null
  for (const line of text.split('\n')) {
    const fence = /^\s{0,3}(?:[-*+>]\s+|\d+[.)]\s+)*\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (!fence) continue
    if (open === null) open = fence
    else if (fence[0] === open[0] && fence.length >= open.length) open = null
  }
  return open !== null
}

function closeParagraph(text: string): string {
  // Such characters may still become a fence, a rule, a list or an underline, so they are held back until
  // more follows.
  let mended = text.replace(/(^|\n)[ \t]*(?:[`~]{1,3}|[-=*_]{1,3}|#{1,6}|\d+[.)]?|[-*+]\s?|>\s?)$/, '$1')
  if (mended === '') return mended

  const ticks = mended.match(/`+/g) ?? []
  if (ticks.filter((run) => run.length === 1).length % 2 === 1) {
    return mended.endsWith('`') ? mended.slice(0, -1) : `${mended}\``
  }
  const prose = mended.replace(/`[^`]*`/g, (code) => '·'.repeat(code.length))

  const link = /!?\[([^\]\n]*)(?:\]\([^)\s]*)?$/.exec(prose)
  if (link && !/^\[[ xX]?$/.test(link[0])) {
    const label = mended.slice(link.index + link[0].indexOf('[') + 1).split('](')[0] ?? ''
    mended = mended.slice(0, link.index) + label
  }
  return closeEmphasis(mended)
}

function closeEmphasis(text: string): string {
  // A marker at the very end opens nothing yet.
  const trimmed = text.replace(/(?:\*{1,3}|_{1,3}|~{1,2})$/, (signs, at: number) =>
    /\s|^$/.test(text.charAt(at - 1)) ? '' : signs,
  )
  const prose = trimmed.replace(/`[^`]*`/g, '').replace(/^\s*[*+-]\s/gm, '')
  let closing = ''
  const bold = prose.match(/\*\*/g)?.length ?? 0
  // Half of the closing marker has arrived.
  if (bold % 2 === 1 && /[^*\s]\*$/.test(trimmed)) return `${trimmed}*`
  const italic = prose.replace(/\*\*/g, '').match(/\*(?=\S)|(?<=\S)\*/g)?.length ?? 0
  const struck = prose.match(/~~/g)?.length ?? 0
  if (struck % 2 === 1) closing += '~~'
  if (italic % 2 === 1 && !/(?:^|[\s\d])\*(?:[\s\d]|$)/.test(prose)) closing += '*'
  if (bold % 2 === 1) closing += '**'
  if (closing === '') return trimmed
  const space = /\s*$/.exec(trimmed)?.[0] ?? ''
  return trimmed.slice(0, trimmed.length - space.length) + closing
}
