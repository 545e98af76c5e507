import { spoken } from '@/chat/Announcer'

/** The longest caption that can be read at a glance. */
const LONGEST = 120
/** The shortest caption: shorter sentences such as "Sure." are joined with the next. */
const SHORTEST = 36

/** A code block, which is not read out. An unclosed one reaches to the end. */
const FENCED = /^[^\S\n]*(```|~~~)[\s\S]*?(?:^[^\S\n]*\1[^\S\n]*$|$(?![\s\S]))/gm
/** A complete sentence, ended by punctuation or by its line. */
const SENTENCE = /[^\n]+?(?:[.!?…]+["'”’)\]*_]*(?=\s)|(?=\n))/g

/**
 * Splits a reply into captions, each a sentence or a part of one that can be read at a glance. As the text
 * grows, captions are only added, so that nothing jumps.
 */
export function captions(text: string, ended: boolean): string[] {
  const prose = text.replace(FENCED, '')
  // The end of the reply ends its last sentence, which until then may continue.
  const sentences = [...(ended ? `${prose}\n` : prose).matchAll(SENTENCE)].map(([found]) => spoken(found).replace(/\s+/g, ' ')).filter((found) => found !== '')
  const made: string[] = []
  let short = ''
  for (const sentence of sentences) {
    const joined = short === '' ? sentence : `${short} ${sentence}`
    if (joined.length < SHORTEST) short = joined
    else {
      made.push(...cut(joined))
      short = ''
    }
  }
  return short !== '' && ended ? [...made, short] : made
}

/** Splits a long sentence into parts of similar length, at a pause if possible. */
function cut(sentence: string): string[] {
  if (sentence.length <= LONGEST) return [sentence]
  const parts = Math.ceil(sentence.length / LONGEST)
  const at = breakNear(sentence, Math.round(sentence.length / parts))
  return [sentence.slice(0, at).trimEnd(), ...cut(sentence.slice(at).trimStart())]
}

function breakNear(sentence: string, wanted: number): number {
  const within = sentence.slice(0, LONGEST)
  const near = (sign: RegExp) => [...within.matchAll(sign)].map((found) => found.index + found[0].length).filter((at) => at > LONGEST / 3)
  const closest = (places: number[]) => places.reduce<number | null>((best, at) => (best === null || Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best), null)
  return closest(near(/[,;:–—]\s/g)) ?? closest(near(/\s/g)) ?? LONGEST
}

const LEAST_MS = 1400
const PER_SIGN_MS = 42
/** The backlog of captions above which they are shown faster. */
const FAR_BEHIND = 3

/** Returns the time for which a caption is shown, in milliseconds. */
export function dwell(caption: string, behind: number): number {
  const calm = Math.max(LEAST_MS, caption.length * PER_SIGN_MS)
  return behind > FAR_BEHIND ? calm / 2 : calm
}
