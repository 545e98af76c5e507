import type { Slice } from '@/store'

/**
 * Whether the page can become an app of this device. `offered`: the browser asks when it is told to. `byHand`: only
 * the person can do it, by the browser's own menu.
 */
export type Installing = 'installed' | 'offered' | 'byHand' | 'impossible'

export interface InstallSlice {
  installing: Installing
  /** From here on it is known what the browser offers. */
  watchInstalling: () => void
  install: () => Promise<void>
}

/** What Chromium sends ahead of its question, and what asks it. */
interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface Device {
  standalone: boolean
  agent: string
  touchPoints: number
  secure: boolean
}

/** iPads say that they are Macs, which have no touch screens. */
export function installingOn({ standalone, agent, touchPoints, secure }: Device): Installing {
  if (standalone) return 'installed'
  const apple = /iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)
  return apple && secure ? 'byHand' : 'impossible'
}

function here(): Device {
  const { userAgent: agent, maxTouchPoints: touchPoints } = navigator
  const standalone = window.matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)
  return { standalone, agent, touchPoints, secure: window.isSecureContext }
}

export const installSlice: Slice<InstallSlice> = (set, get) => {
  let offer: InstallOffer | null = null

  return {
    installing: 'impossible',

    watchInstalling: () => {
      set({ installing: installingOn(here()) })
      window.addEventListener('beforeinstallprompt', (event) => {
        // The browser's own bar would come in between.
        event.preventDefault()
        offer = event as InstallOffer
        set({ installing: 'offered' })
      })
      window.addEventListener('appinstalled', () => {
        offer = null
        set({ installing: 'installed' })
      })
    },

    install: async () => {
      const asking = offer
      if (!asking) return
      // It can be asked once; the browser makes another offer when it likes.
      offer = null
      const answer = await asking.prompt().catch(() => null)
      if (get().installing === 'offered') set({ installing: answer?.outcome === 'accepted' ? 'installed' : 'impossible' })
    },
  }
}
