import type * as serverApi from '@/api/servers'
import type { followTurn } from '@/api/turns'
import type { Pages } from '@/shell/pages'
import type { Notices } from '@/shell/slice'
import type { QuestionSlice } from '@/tools/questionSlice'

/** What the servers of tools use of the rest of the app. */
export interface ServerServices extends Pick<QuestionSlice, 'followQuestions'> {
  api: typeof serverApi
  followTurn: typeof followTurn
  notices: Notices
  pages: Pages
}
