import { chooseBackground, chooseBody, listAnimations, listBackgrounds, readBody } from '@/api/body'
import { words } from '@/api/http'
import type { AnimationInfo, BackgroundList, BodyChoice, BodyReport, BodyState } from '@/api/protocol.gen'
import type { QualityName } from '@/avatar/quality'
import { recall, remember } from '@/shell/storage'
import type { Slice } from '@/store'

/** How finely she is drawn on this device. */
export type Quality = (typeof QUALITIES)[number]
export const QUALITIES = ['auto', 'low', 'high'] as const

/** What she looks like, what she can do with it, and what is behind her. */
export interface BodySlice {
  body: BodyReport | null
  animations: AnimationInfo[]
  backgrounds: BackgroundList | null
  bodyTrouble: string | null
  /** What she does. */
  herState: BodyState
  /** Whether she is heard from this page, and not from another one. */
  speaks: boolean
  quality: Quality
  /** How she is drawn at the moment; null where she is not. */
  drawnAs: QualityName | null

  /** What a page needs that shows her. */
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

/** Whether what is seen least is left out around her, too: that was asked for, or this device is too slow for it. */
export const isPlain = ({ quality, drawnAs }: BodySlice): boolean => quality === 'low' || drawnAs === 'least' || drawnAs === 'still'

export const bodySlice: Slice<BodySlice> = (set, get) => ({
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
