import { spoken } from '@/chat/Announcer'

/** What is read at a glance. */
const LONGEST = 120
/** Shorter than this is not worth a caption of its own: "Sure." waits for what follows. */
const SHORTEST = 36

/** Code is not read out. One that is still open reaches to the end. */
const FENCED = /^[^\S\n]*(```|~~~)[\s\S]*?(?:^[^\S\n]*\1[^\S\n]*$|$(?![\s\S]))/gm
/** One that has ended: by its sign, or with its line. */
const SENTENCE = /[^\n]+?(?:[.!?…]+["'”’)\]*_]*(?=\s)|(?=\n))/g

/**
 * Her words as captions, each a sentence or a part of one that can be taken in at once. Those of a text that
 * goes on stay as they are: more of it only adds to them, so that nothing jumps.
 */
export function captions(text: string, ended: boolean): string[] {
  const said = text.replace(FENCED, '')
  // The end of an answer ends its last sentence; before that it may go on.
  const sentences = [...(ended ? `${said}\n` : said).matchAll(SENTENCE)].map(([found]) => spoken(found).replace(/\s+/g, ' ')).filter((found) => found !== '')
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

/** A long sentence in parts of about the same length, at a pause where there is one. */
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
/** So many behind her, she is caught up with. */
const FAR_BEHIND = 3

/** How long a caption stands before the next. */
export function dwell(caption: string, behind: number): number {
  const calm = Math.max(LEAST_MS, caption.length * PER_SIGN_MS)
  return behind > FAR_BEHIND ? calm / 2 : calm
}
