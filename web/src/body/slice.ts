import { chooseBackground, chooseBody, listAnimations, listBackgrounds, readBody } from '@/api/body'
import { errorText } from '@/api/http'
import type { AnimationInfo, BackgroundList, BodyChoice, BodyReport, BodyState } from '@/api/protocol.gen'
import type { QualityName } from '@/avatar/quality'
import type { Notices } from '@/shell/slice'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'

/** The rendering quality of the avatar on this device. */
export type QualityChoice = (typeof QUALITY_CHOICES)[number]
export const QUALITY_CHOICES = ['auto', 'low', 'high'] as const

/** The avatar's body, its animations and its background. */
export interface BodySlice {
  body: BodyReport | null
  animations: AnimationInfo[]
  backgrounds: BackgroundList | null
  bodyTrouble: string | null
  /** The avatar's current state. */
  avatarState: BodyState
  /** True if speech is played on this page and not on another one. */
  speaks: boolean
  quality: QualityChoice
  /** The quality at which the avatar is being drawn, or null if it is not drawn. */
  drawnQuality: QualityName | null

  /** Loads everything that a page with the avatar needs. */
  refreshBody: () => Promise<void>
  bodyChanged: () => void
  backgroundChanged: (filename: string) => void
  avatarStateChanged: (state: BodyState) => void
  setSpeaks: (speaks: boolean) => void
  chooseBody: (choice: BodyChoice) => Promise<void>
  setBackground: (filename: string) => Promise<void>
  setQuality: (quality: QualityChoice) => void
  setDrawnQuality: (name: QualityName | null) => void
}

/**
 * Returns true if minor effects around the avatar are left out as well, because low quality was chosen or
 * this device is too slow for them.
 */
export const reducesEffects = ({ quality, drawnQuality }: BodySlice): boolean => quality === 'low' || drawnQuality === 'least' || drawnQuality === 'still'

export const bodySlice: Slice<BodySlice, Notices> = (set, get) => ({
  body: null,
  animations: [],
  backgrounds: null,
  bodyTrouble: null,
  avatarState: 'idle',
  speaks: false,
  quality: QUALITY_CHOICES.find((quality) => quality === storedValue('quality')) ?? 'auto',
  drawnQuality: null,

  refreshBody: async () => {
    try {
      const [body, { animations }, backgrounds] = await Promise.all([readBody(), listAnimations(), listBackgrounds()])
      set({ body, animations, backgrounds, bodyTrouble: null })
    } catch (error) {
      set({ bodyTrouble: errorText(error) })
    }
  },
  bodyChanged: () => {
    if (get().body) void get().refreshBody()
  },
  backgroundChanged: (filename) => set(({ backgrounds }) => ({ backgrounds: backgrounds && { ...backgrounds, current: filename } })),
  avatarStateChanged: (avatarState) => set({ avatarState }),
  setSpeaks: (speaks) => set({ speaks }),

  chooseBody: async (choice) => {
    try {
      set({ body: await chooseBody(choice) })
    } catch (error) {
      get().notify({ tone: 'danger', text: errorText(error) })
    }
  },
  setBackground: async (filename) => {
    try {
      set({ backgrounds: await chooseBackground(filename) })
    } catch (error) {
      get().notify({ tone: 'danger', text: errorText(error) })
    }
  },

  setQuality: (quality) => {
    storeValue('quality', quality === 'auto' ? null : quality)
    set({ quality })
  },
  setDrawnQuality: (drawnQuality) => set({ drawnQuality }),
})
