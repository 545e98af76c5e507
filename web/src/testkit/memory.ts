import type { Fact, ForgetReport, MemoryFileView, MemoryItem, Personality, Trait, VectorEntry } from '@/api/protocol.gen'

const AT = '2026-11-14T20:00:00Z'

export function fact(id: string, content: string, more: Partial<Fact> = {}): Fact {
  return {
    id, content, category: 'personal', subject: '', quote: null, source: { kind: 'person' }, confidence: 0.9, halfLifeDays: 90, importance: 0.5, createdAt: AT, updatedAt: AT,
    lastUsedAt: null, useCount: 0, validFrom: null, validTo: null, expiresAt: null, private: false, status: 'current', supersededBy: null, doubt: null, origins: [], ...more,
  }
}

export function factList(facts: Fact[], more: { next?: string | null; unconfirmed?: number } = {}) {
  const kinds = [...new Set(facts.map(({ category }) => category))]
  const categories = kinds.map((category) => ({ category, facts: facts.filter((one) => one.category === category).length }))
  return { facts, next: null, categories, unconfirmed: 0, total: facts.length, ...more }
}

export function item(id: string, text: string, more: Partial<MemoryItem> = {}): MemoryItem {
  return { kind: 'fact', id, text, who: '', at: AT, score: 0.5, parts: [{ name: 'meaning', value: 0.4 }], conversationId: null, messageId: null, title: null, origins: [], ...more }
}

export function forgetReport(more: Partial<ForgetReport> = {}): ForgetReport {
  return { done: false, words: ['The dog is called Max.'], removed: [{ place: 'facts', count: 1, example: null }], historyUntil: null, backups: [], found: [], offered: [], running: 0, ...more }
}

export function fileView(name: string, content: string, more: Partial<MemoryFileView> = {}): MemoryFileView {
  return { file: { name, bytes: content.length, changedAt: AT, origins: [] }, content, history: [], ...more }
}

export function vectorEntry(id: string, content: string, more: Partial<VectorEntry> = {}): VectorEntry {
  return { id, content, metadata: {}, createdAt: AT, updatedAt: AT, origins: [], ...more }
}

export function personality(more: Partial<Personality> = {}, trait: Partial<Trait> = {}): Personality {
  return { traits: [{ dimension: 'mood', value: 0.6, rest: 0.5, locked: false, moves: [{ at: AT, value: 0.6, why: 'you laughed', conversationId: null, messageId: null }], ...trait }], tone: 'You are cheerful.', canUndo: false, ...more }
}
