import { errorText } from '@/api/http'
import type { ConversationId, Event, Grant, GrantId, Permission, ToolInfo } from '@/api/protocol.gen'
import { changePermissions, listTools, readPermissions, revokeGrant } from '@/api/tools'
import { followTurn } from '@/api/turns'
import { omit } from '@/store/omit'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import type { QuestionSlice } from './questionSlice'
import { resultText } from './wording'

/** The tools and their permissions. */
export interface ToolSlice {
  tools: ToolInfo[] | null
  toolsTrouble: string | null
  grants: Grant[]
  /** The error in the permissions file. */
  permissionTrouble: string | null
  /** The reason why the last change of a tool's permission failed, by tool. */
  permitTrouble: Record<string, string>
  /**
   * The results of buttons in widgets, by the tool call that opened the widget; each replaces the content of
   * its widget.
   */
  freshPayloads: Record<string, unknown>

  refreshTools: () => Promise<void>
  setPermission: (tool: string, permission: Permission) => Promise<void>
  revokeGrant: (id: GrantId) => Promise<void>
  /**
   * Runs a tool for a button. It needs the same permission as a call by the model. `act` is the tool call
   * that contains the button.
   */
  runTool: (tool: string, args: Record<string, unknown>, from: { chat: ConversationId; act: string }) => Promise<void>
}

export const toolSlice: Slice<ToolSlice, Pick<QuestionSlice, 'followQuestions'> & Notices> = (set, get) => ({
  tools: null,
  toolsTrouble: null,
  grants: [],
  permissionTrouble: null,
  permitTrouble: {},
  freshPayloads: {},

  refreshTools: async () => {
    try {
      const [{ tools }, { grants, trouble }] = await Promise.all([listTools(), readPermissions()])
      set({ tools, grants, permissionTrouble: trouble, toolsTrouble: null })
    } catch (error) {
      set({ toolsTrouble: errorText(error) })
    }
  },

  setPermission: async (name, permission) => {
    const before = get().tools?.find((tool) => tool.name === name)
    if (!before || before.permission === permission) return
    const put = (held: Permission) =>
      set((state) => ({ tools: state.tools?.map((tool) => (tool.name === name ? { ...tool, permission: held } : tool)) ?? null }))
    put(permission)
    set((state) => ({ permitTrouble: omit(state.permitTrouble, name) }))
    try {
      // The file contains only deviations from the defaults.
      await changePermissions({ [name]: permission === before.defaultPermission ? null : permission })
    } catch (error) {
      put(before.permission)
      set((state) => ({ permitTrouble: { ...state.permitTrouble, [name]: errorText(error) } }))
    }
  },

  revokeGrant: async (id) => {
    const before = get().grants
    set({ grants: before.filter((grant) => grant.id !== id) })
    try {
      await revokeGrant(id)
    } catch (error) {
      set({ grants: before })
      get().notify({ tone: 'danger', text: errorText(error) })
    }
  },

  runTool: async (tool, args, { chat, act }) => {
    let message = ''
    const event = (event: Event) => {
      if (event.type === 'metadata') message = event.messageId
      if (event.type === 'command' && event.action === tool) {
        set((state) => ({ freshPayloads: { ...state.freshPayloads, [act]: event.payload } }))
      }
      if (event.type === 'tool' && (event.status === 'failed' || event.status === 'blocked')) {
        get().notify({ tone: 'danger', text: resultText(event.result) || `${tool} did not work.` })
      }
      if (event.type === 'error') get().notify({ tone: 'danger', text: event.message })
      get().followQuestions(chat, message, [event])
    }
    try {
      await followTurn({ kind: 'tool', name: tool, request: { args, conversationId: chat } }, { event, line: () => {} }, new AbortController().signal)
    } catch (error) {
      get().notify({ tone: 'danger', text: errorText(error) })
    }
  },
})
