import { chooseBackground, chooseBody, listAnimations, listBackgrounds, readBody } from '@/api/body'
import { words } from '@/api/http'
import type { AnimationInfo, BackgroundList, BodyChoice, BodyReport, BodyState } from '@/api/protocol.gen'
import type { QualityName } from '@/avatar/quality'
import type { Notices } from '@/shell/slice'
import { recall, remember } from '@/shell/storage'
import type { Slice } from '@/store/slice'

/** The rendering quality of the avatar on this device. */
export type Quality = (typeof QUALITIES)[number]
export const QUALITIES = ['auto', 'low', 'high'] as const

/** The avatar's body, its animations and its background. */
export interface BodySlice {
  body: BodyReport | null
  animations: AnimationInfo[]
  backgrounds: BackgroundList | null
  bodyTrouble: string | null
  /** The avatar's current state. */
  herState: BodyState
  /** True if speech is played on this page and not on another one. */
  speaks: boolean
  quality: Quality
  /** The quality at which the avatar is being drawn, or null if it is not drawn. */
  drawnAs: QualityName | null

  /** Loads everything that a page with the avatar needs. */
  refreshBody: () => Promise<void>
  bodyChanged: () => void
  backgroundChanged: (filename: string) => void
  herStateChanged: (state: BodyState) => void
  speaksHere: (speaks: boolean) => void
  wear: (choice: BodyChoice) => Promise<void>
  setBackground: (filename: string) => Promise<void>
  setQuality: (quality: Quality) => void
  drawsAs: (name: QualityName | null) => void
}

/**
 * Returns true if minor effects around the avatar are left out as well, because low quality was chosen or
 * this device is too slow for them.
 */
export const isPlain = ({ quality, drawnAs }: BodySlice): boolean => quality === 'low' || drawnAs === 'least' || drawnAs === 'still'

export const bodySlice: Slice<BodySlice, Notices> = (set, get) => ({
  body: null,
  animations: [],
  backgrounds: null,
  bodyTrouble: null,
  herState: 'idle',
  speaks: false,
  quality: QUALITIES.find((quality) => quality === recall('quality')) ?? 'auto',
  drawnAs: null,

  refreshBody: async () => {
    try {
      const [body, { animations }, backgrounds] = await Promise.all([readBody(), listAnimations(), listBackgrounds()])
      set({ body, animations, backgrounds, bodyTrouble: null })
    } catch (error) {
      set({ bodyTrouble: words(error) })
    }
  },
  bodyChanged: () => {
    if (get().body) void get().refreshBody()
  },
  backgroundChanged: (filename) => set(({ backgrounds }) => ({ backgrounds: backgrounds && { ...backgrounds, current: filename } })),
  herStateChanged: (herState) => set({ herState }),
  speaksHere: (speaks) => set({ speaks }),

  wear: async (choice) => {
    try {
      set({ body: await chooseBody(choice) })
    } catch (error) {
      get().notify({ tone: 'danger', text: words(error) })
    }
  },
  setBackground: async (filename) => {
    try {
      set({ backgrounds: await chooseBackground(filename) })
    } catch (error) {
      get().notify({ tone: 'danger', text: words(error) })
    }
  },

  setQuality: (quality) => {
    remember('quality', quality === 'auto' ? null : quality)
    set({ quality })
  },
  drawsAs: (drawnAs) => set({ drawnAs }),
})
