import { searchChats } from '@/api/chats'
import type { SearchHit } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'

const HITS = 12
/** The shortest query to search for: a single letter is in every conversation. */
const SHORTEST = 2

export interface PaletteSlice {
  /** The server's search results for the current query of the palette. */
  paletteHits: SearchHit[]
  searchPalette: (query: string) => Promise<void>
}

export const paletteSlice: Slice<PaletteSlice> = (set) => {
  let looking = new AbortController()
  return {
    paletteHits: [],
    searchPalette: async (query) => {
      looking.abort()
      looking = new AbortController()
      const { signal } = looking
      const wanted = query.trim()
      if (wanted.length < SHORTEST) {
        set({ paletteHits: [] })
        return
      }
      const found = await searchChats(wanted, null, HITS, signal).catch(() => null)
      if (found && !signal.aborted) set({ paletteHits: found.hits })
    },
  }
}
