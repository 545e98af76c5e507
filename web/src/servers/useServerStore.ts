import * as api from '@/api/servers'
import { followTurn } from '@/api/turns'
import { useStore } from '@/store'
import { notices, pages } from '@/store/services'
import { holdUserData } from '@/store/userData'
import { createServerStore } from './store'

/** The servers as this page shows them. */
export const useServerStore = createServerStore({
  api,
  followTurn,
  notices,
  pages,
  followQuestions: (chat, message, events) => useStore.getState().followQuestions(chat, message, events),
})

holdUserData({ reset: () => useServerStore.setState(useServerStore.getInitialState(), true) })
