import type { Dimension } from '@/api/protocol.gen'

interface Side {
  title: string
  about: string
  /** The words for the two ends of the scale. */
  low: string
  high: string
}

export const SIDES: Record<Dimension, Side> = {
  mood: { title: 'Mood', about: 'How the world looks to her', low: 'subdued', high: 'bright' },
  energy: { title: 'Energy', about: 'How much drive she has; she recovers overnight', low: 'calm', high: 'lively' },
  formality: { title: 'Formality', about: 'How she addresses you', low: 'casual', high: 'formal' },
  humor: { title: 'Humour', about: 'How often she jokes', low: 'earnest', high: 'playful' },
  supportNeed: { title: 'Comfort', about: 'Whether she listens first or solves first', low: 'practical', high: 'comforting' },
  verbosity: { title: 'Length', about: 'How much she says', low: 'brief', high: 'talkative' },
  depth: { title: 'Depth', about: 'How far she goes into a subject', low: 'light', high: 'deep' },
  questionFrequency: { title: 'Questions', about: 'How often she asks you questions', low: 'seldom', high: 'often' },
}

/** Describes the position of a value between the two ends, in a word or two. */
export function positionWords({ low, high }: Pick<Side, 'low' | 'high'>, value: number): string {
  if (value < 0.3) return low
  if (value < 0.45) return `rather ${low}`
  if (value <= 0.55) return 'in between'
  return value <= 0.7 ? `rather ${high}` : high
}
