import type * as codeApi from '@/api/code'
import type { ConversationId } from '@/api/protocol.gen'
import type { followTurn, stopTurn } from '@/api/turns'
import type { Pages } from '@/shell/pages'
import type { Notices } from '@/shell/slice'
import type { QuestionSlice } from '@/tools/questionSlice'
import type { CodeRequestOptions } from './runs'

/** What the workspace uses of the rest of the app. */
export interface CodeServices extends Pick<QuestionSlice, 'followQuestions'> {
  api: typeof codeApi
  followTurn: typeof followTurn
  stopTurn: typeof stopTurn
  notices: Notices
  pages: Pages
  conversations: {
    /** Sends a request in the conversation beside the code. */
    send: (text: string, order: CodeRequestOptions) => void
    /** Loads a conversation again if it is loaded. */
    refresh: (id: ConversationId) => void
    /** Has the confirmation requests of a conversation answered in the workspace. */
    answerHere: (id: ConversationId) => void
  }
}
