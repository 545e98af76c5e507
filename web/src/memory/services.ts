import type * as memoryApi from '@/api/memory'
import type { Pages } from '@/shell/pages'
import type { Notices } from '@/shell/slice'

/** What the memory uses of the rest of the app. */
export interface MemoryServices {
  api: typeof memoryApi
  notices: Notices
  pages: Pages
  conversations: {
    refreshList: () => void
    /** Loads those again that are loaded, unless a reply is being written there. */
    refreshLoaded: () => void
  }
}
