import type { Slice } from '@/store/slice'

/**
 * The ways to install the page as an app on this device. `offered`: the browser asks when it is told to.
 * `byHand`: only the user can do it, in the browser's own menu.
 */
export type Installing = 'installed' | 'offered' | 'byHand' | 'impossible'

export interface InstallSlice {
  installing: Installing
  /** Starts to follow the browser's install events. */
  watchInstalling: () => void
  install: () => Promise<void>
}

/** The event that Chromium sends before its install prompt, and that shows the prompt. */
interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface Device {
  standalone: boolean
  agent: string
  touchPoints: number
  secure: boolean
}

/** Returns the way to install on a device. iPads identify as Macs, but Macs have no touch screens. */
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
        // Keeps the browser from showing its own install bar.
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
      // An offer can be used once; the browser decides when to make another.
      offer = null
      const answer = await asking.prompt().catch(() => null)
      if (get().installing === 'offered') set({ installing: answer?.outcome === 'accepted' ? 'installed' : 'impossible' })
    },
  }
}
