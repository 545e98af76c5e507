import { create, type StateCreator } from 'zustand'
import { type BodySlice, bodySlice } from '@/body/slice'
import { type IncognitoSlice, incognitoSlice } from '@/chat/incognitoSlice'
import { type PinSlice, pinSlice } from '@/chat/pinSlice'
import { type SendSlice, sendSlice } from '@/chat/sendSlice'
import { type ChatSlice, chatSlice } from '@/chat/slice'
import { type ChatsSlice, chatsSlice } from '@/chats/slice'
import { type CodeSlice, codeSlice } from '@/code/slice'
import { type ComposerSlice, composerSlice } from '@/composer/slice'
import { type InstallSlice, installSlice } from '@/install/slice'
import { type SessionSlice, sessionSlice } from '@/login/slice'
import { type LooksSlice, looksSlice } from '@/looks/slice'
import { type MemoryDraftSlice, memoryDraftSlice } from '@/memory/draftSlice'
import { type EntrySlice, entrySlice } from '@/memory/entrySlice'
import { type FactSlice, factSlice } from '@/memory/factSlice'
import { type MemoryFileSlice, memoryFileSlice } from '@/memory/fileSlice'
import { type ForgetSlice, forgetSlice } from '@/memory/forgetSlice'
import { type MemorySlice, memorySlice } from '@/memory/slice'
import { type ModelsSlice, modelsSlice } from '@/models/slice'
import { type PersonalitySlice, personalitySlice } from '@/personality/slice'
import { type ServerSlice, serverSlice } from '@/servers/slice'
import { type TrySlice, trySlice } from '@/servers/trySlice'
import { type SettingsSlice, settingsSlice } from '@/settings/slice'
import { type AccessSlice, accessSlice } from '@/settings/accessSlice'
import { type MusicSlice, musicSlice } from '@/settings/musicSlice'
import { type PhoneSlice, phoneSlice } from '@/settings/phoneSlice'
import { type ShellSlice, shellSlice } from '@/shell/slice'
import { type SkillSlice, skillSlice } from '@/skills/slice'
import { type AuditSlice, auditSlice } from '@/tools/auditSlice'
import { type QuestionSlice, questionSlice } from '@/tools/questionSlice'
import { type RuleSlice, ruleSlice } from '@/tools/ruleSlice'
import { type ToolSlice, toolSlice } from '@/tools/slice'
import { type PaletteSlice, paletteSlice } from '@/palette/slice'
import { type TickSlice, tickSlice } from '@/widgets/tickSlice'
import { type ConsoleSlice, consoleSlice } from '@/views/consoleSlice'
import { type ViewSlice, viewSlice } from '@/views/slice'
import { type WhySlice, whySlice } from '@/why/slice'

export type State = SessionSlice &
  ShellSlice &
  ChatsSlice &
  ChatSlice &
  SendSlice &
  PinSlice &
  IncognitoSlice &
  QuestionSlice &
  ToolSlice &
  RuleSlice &
  AuditSlice &
  ServerSlice &
  TrySlice &
  SkillSlice &
  FactSlice &
  MemorySlice &
  MemoryFileSlice &
  EntrySlice &
  MemoryDraftSlice &
  ForgetSlice &
  PersonalitySlice &
  ComposerSlice &
  CodeSlice &
  ModelsSlice &
  SettingsSlice &
  AccessSlice &
  MusicSlice &
  PhoneSlice &
  PaletteSlice &
  TickSlice &
  BodySlice &
  ViewSlice &
  ConsoleSlice &
  LooksSlice &
  InstallSlice &
  WhySlice

export type Slice<T> = StateCreator<State, [], [], T>

/** The state of the whole app, made of slices: components render, slices decide, `api/` communicates. */
export const useStore = create<State>()((...parts) => ({
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
  ...serverSlice(...parts),
  ...trySlice(...parts),
  ...skillSlice(...parts),
  ...factSlice(...parts),
  ...memorySlice(...parts),
  ...memoryFileSlice(...parts),
  ...entrySlice(...parts),
  ...memoryDraftSlice(...parts),
  ...forgetSlice(...parts),
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
  ...looksSlice(...parts),
  ...installSlice(...parts),
  ...whySlice(...parts),
}))
