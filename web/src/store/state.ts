import type { BodySlice } from '@/body/slice'
import type { ChatSlice, IncognitoSlice, PinSlice, SendSlice } from '@/chat/state'
import type { ChatsSlice } from '@/chats/state'
import type { CodeSlice } from '@/code/slice'
import type { ComposerSlice } from '@/composer/state'
import type { InstallSlice } from '@/install/slice'
import type { SessionSlice } from '@/login/slice'
import type { AssetSlice } from '@/assets/slice'
import type { ModelsSlice } from '@/models/slice'
import type { PaletteSlice } from '@/palette/slice'
import type { PersonalitySlice } from '@/personality/slice'
import type { AccessSlice } from '@/settings/accessSlice'
import type { MusicSlice } from '@/settings/musicSlice'
import type { PhoneSlice } from '@/settings/phoneSlice'
import type { SettingsSlice } from '@/settings/slice'
import type { ShellSlice } from '@/shell/slice'
import type { SkillSlice } from '@/skills/slice'
import type { AuditSlice } from '@/tools/auditSlice'
import type { QuestionSlice } from '@/tools/questionSlice'
import type { RuleSlice } from '@/tools/ruleSlice'
import type { ToolSlice } from '@/tools/slice'
import type { ConsoleSlice } from '@/views/consoleSlice'
import type { ViewSlice } from '@/views/slice'
import type { WhySlice } from '@/why/slice'
import type { TickSlice } from '@/widgets/tickSlice'

/** The state of the app's store. What uses it stands above the slices; a slice names the parts that it uses instead. */
export type AppState = SessionSlice &
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
  SkillSlice &
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
  AssetSlice &
  InstallSlice &
  WhySlice
