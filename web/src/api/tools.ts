import { query, request } from './http'
import type {
  AllowCommandRequest,
  AuditPage,
  CommandRules,
  ConfirmReply,
  ConfirmRequest,
  Confirmations,
  ConversationId,
  GrantId,
  PermissionList,
  PermissionPatch,
  PinRequest,
  SkillList,
  SkillView,
  TakenBack,
  ToolList,
} from './protocol.gen'

export function listTools(): Promise<ToolList> {
  return request('GET', '/api/tools')
}

export function readPermissions(): Promise<PermissionList> {
  return request('GET', '/api/permissions')
}

export function changePermissions(body: PermissionPatch): Promise<unknown> {
  return request('PUT', '/api/permissions', { body })
}

export function revokeGrant(id: GrantId): Promise<unknown> {
  return request('DELETE', `/api/permissions/grants/${encodeURIComponent(id)}`)
}

export function readCommandRules(): Promise<CommandRules> {
  return request('GET', '/api/commands/rules')
}

export function allowCommands(body: AllowCommandRequest): Promise<CommandRules> {
  return request('POST', '/api/commands/rules', { body })
}

export function removeCommandRule(id: string): Promise<TakenBack> {
  return request('DELETE', `/api/commands/rules/${encodeURIComponent(id)}`)
}

export function waitingQuestions(): Promise<Confirmations> {
  return request('GET', '/api/chat/confirmations')
}

export function confirm(id: string, body: ConfirmRequest): Promise<ConfirmReply> {
  return request('POST', `/api/chat/confirm/${encodeURIComponent(id)}`, { body })
}

export interface AuditFilter {
  tool: string
  decision: string
  q: string
}

export function readAudit(filter: AuditFilter, cursor: string | null, limit: number, signal: AbortSignal): Promise<AuditPage> {
  return request('GET', `/api/audit${query({ ...filter, limit, cursor })}`, { signal })
}

export function listSkills(): Promise<SkillList> {
  return request('GET', '/api/skills')
}

export function readSkill(name: string): Promise<SkillView> {
  return request('GET', `/api/skills/${encodeURIComponent(name)}`)
}

export function pinAct(chat: ConversationId, body: PinRequest): Promise<unknown> {
  return request('PUT', `/api/chats/${chat}/pins`, { body })
}
