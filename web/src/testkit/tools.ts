import type { AuditEntry, Confirmation, McpServerInfo, McpToolInfo, SkillInfo, ToolInfo, WaitingConfirmation } from '@/api/protocol.gen'

export function tool(name: string, more: Partial<ToolInfo> = {}): ToolInfo {
  return {
    name, description: 'Does something.', parameters: {}, risk: 'risky', readsPrivate: false, bringsUntrusted: false, sendsOut: false, changes: false, group: null,
    on: true, tags: [], permission: 'confirm', defaultPermission: 'confirm', timeLimitSeconds: 30, ...more,
  }
}

/** The same deadline for all: it distinguishes a confirmation from another one of the same call. */
const UNTIL = new Date(Date.now() + 120_000).toISOString()

export function confirmation(id: string, more: Partial<Confirmation> = {}): Confirmation {
  return {
    id, tool: 'write_file', description: 'Writes a file.', args: { path: 'a.md' }, risk: 'risky', why: 'It acts outside.', tainted: false, everyTime: false,
    until: UNTIL, ...more,
  }
}

export function waiting(id: string, chat: string, more: Partial<Confirmation> = {}): WaitingConfirmation {
  return { conversationId: chat, messageId: 'a1', confirmation: confirmation(id, more) }
}

export function auditEntry(more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: '2026-11-14T20:00:00Z', user: 'u', conversationId: null, tool: 'web_search', args: { query: 'tides' }, result: 'Twice a day.', risk: 'safe',
    decision: 'allowed', why: null, ...more,
  }
}

export function skill(name: string, more: Partial<SkillInfo> = {}): SkillInfo {
  return { name, description: 'What it is for.', allowedTools: null, shipped: true, licence: null, files: [], trouble: null, ...more }
}

export function serverTool(name: string, more: Partial<McpToolInfo> = {}): McpToolInfo {
  return { name, fullName: `notes__${name}`, description: 'Does something.', parameters: { type: 'object', properties: {} }, standing: 'approved', was: null, ...more }
}

export function server(name: string, more: Partial<McpServerInfo> = {}): McpServerInfo {
  return {
    name, kind: 'configured', state: 'ready', trouble: null, reach: 'python3 notes.py', description: null, version: null, tools: [], leftOut: [], hasResources: false,
    hasPrompts: false, signIn: null, asks: null, made: null, ...more,
  }
}
