import { create } from 'zustand'
import { bodySlice } from '@/body/slice'
import { incognitoSlice } from '@/chat/incognitoSlice'
import { pinSlice } from '@/chat/pinSlice'
import { sendSlice } from '@/chat/sendSlice'
import { chatSlice } from '@/chat/slice'
import { chatsSlice } from '@/chats/slice'
import { codeSlice } from '@/code/slice'
import { composerSlice } from '@/composer/slice'
import { installSlice } from '@/install/slice'
import { sessionSlice } from '@/login/slice'
import { assetSlice } from '@/assets/slice'
import { modelsSlice } from '@/models/slice'
import { paletteSlice } from '@/palette/slice'
import { personalitySlice } from '@/personality/slice'
import { accessSlice } from '@/settings/accessSlice'
import { musicSlice } from '@/settings/musicSlice'
import { phoneSlice } from '@/settings/phoneSlice'
import { settingsSlice } from '@/settings/slice'
import { shellSlice } from '@/shell/slice'
import { skillSlice } from '@/skills/slice'
import { auditSlice } from '@/tools/auditSlice'
import { questionSlice } from '@/tools/questionSlice'
import { ruleSlice } from '@/tools/ruleSlice'
import { toolSlice } from '@/tools/slice'
import { consoleSlice } from '@/views/consoleSlice'
import { viewSlice } from '@/views/slice'
import { whySlice } from '@/why/slice'
import { tickSlice } from '@/widgets/tickSlice'
import type { AppState } from './state'

/**
 * The app's store: the session, the pages, the conversations, and what is too small for a store of its own. It is
 * made of slices: components render, slices decide, `api/` communicates.
 */
export const useStore = create<AppState>()((...parts) => ({
  ...sessionSlice(...parts),
  ...shellSlice(...parts),
  ...chatsSlice(...parts),
  ...chatSlice(...parts),
  ...sendSlice(...parts),
  ...pinSlice(...parts),
  ...incognitoSlice(...parts),
  ...questionSlice(...parts),
  ...toolSlice(...parts),
  ...ruleSlice(...parts),
  ...auditSlice(...parts),
  ...skillSlice(...parts),
  ...personalitySlice(...parts),
  ...composerSlice(...parts),
  ...codeSlice(...parts),
  ...modelsSlice(...parts),
  ...settingsSlice(...parts),
  ...accessSlice(...parts),
  ...musicSlice(...parts),
  ...phoneSlice(...parts),
  ...paletteSlice(...parts),
  ...tickSlice(...parts),
  ...bodySlice(...parts),
  ...viewSlice(...parts),
  ...consoleSlice(...parts),
  ...assetSlice(...parts),
  ...installSlice(...parts),
  ...whySlice(...parts),
}))
