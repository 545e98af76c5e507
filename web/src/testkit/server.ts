import { vi } from 'vitest'
import type { Act, ChatSummary, ChatView, ConversationId, Event, Message } from '@/api/protocol.gen'

type Handler = (body: Record<string, unknown>) => Response | Promise<Response>

/** The handlers of the routes, keyed as in `POST /api/chats/new`. All other routes respond with 404. */
export const routes: Record<string, Handler> = {}
export const requests: { route: string; body: Record<string, unknown> }[] = []

/** Replaces the network with a server that has no routes yet. */
export function serve(): void {
  for (const route of Object.keys(routes)) delete routes[route]
  requests.length = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    return answer(`${init.method} ${path}`, body)
  })
  vi.stubGlobal('XMLHttpRequest', Upload)
}

async function answer(route: string, body: Record<string, unknown>): Promise<Response> {
  requests.push({ route, body })
  // Routes of the workspace may be registered without the folder parameter.
  const handler = routes[route] ?? routes[route.replace(/[?&]root=[^&]*$/, '')]
  return handler ? handler(body) : refusal(404, 'notFound', `no route ${route}`)
}

/**
 * The upload request. It reports half of the file as sent before the response; a handler that throws acts as
 * a lost connection.
 */
class Upload {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  status = 0
  responseText = ''
  private route = ''

  open(method: string, path: string): void {
    this.route = `${method} ${path}`
  }

  setRequestHeader(): void {}

  async send(file: Blob): Promise<void> {
    this.upload.onprogress?.({ loaded: file.size / 2, total: file.size })
    try {
      const response = await answer(this.route, {})
      this.status = response.status
      this.responseText = await response.text()
    } catch {
      return this.onerror()
    }
    this.onload()
  }

  abort(): void {
    this.onload = () => {}
    this.onabort()
  }
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status })
}

export function refusal(status: number, code: string, message: string): Response {
  return json({ code, message }, status)
}

export function summary(id: ConversationId, more: Partial<ChatSummary> = {}): ChatSummary {
  const at = '2026-11-14T20:00:00Z'
  return { id, title: '', createdAt: at, updatedAt: at, pinned: false, folder: null, tags: [], messageCount: 0, preview: '', incognito: false, ...more }
}

export function message(id: string, role: Message['role'], content: string, more: Partial<Message> = {}): Message {
  return {
    id, role, content, parent: null, reasoning: null, createdAt: '2026-11-14T20:00:00Z', status: 'complete', stopReason: null, error: null, errorCode: null,
    model: null, turnId: null, usage: null, attachments: [], siblings: [id], acts: [], plan: [], memory: [], ...more,
  }
}

export function act(id: string, name: string, more: Partial<Act> = {}): Act {
  return { id, name, args: {}, status: 'done', result: null, ms: null, command: null, at: 0, pinned: false, ...more }
}

export function view(id: ConversationId, messages: Message[], more: Partial<ChatView> = {}): ChatView {
  return { chat: summary(id), messages, before: null, live: null, summary: null, pinned: [], ...more }
}

/** Builds a turn whose events are released one call at a time. */
export function turn(name: string, chat: ConversationId) {
  let controller: ReadableStreamDefaultController<Uint8Array>
  let seq = 0
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) })
  const emit = (event: Event) => {
    seq += 1
    controller.enqueue(new TextEncoder().encode(`id: ${name}:${seq}\ndata: ${JSON.stringify(event)}\n\n`))
  }
  const messageId = `answer of ${name}`
  return {
    response: () => new Response(body),
    begin: (question = 'u2') => emit({ type: 'metadata', conversationId: chat, model: 'm', turnId: name, userMessageId: question, messageId }),
    emit,
    say: (content: string) => emit({ type: 'token', content }),
    end: (stopReason: 'end' | 'stopped' | 'cut' = 'end') => emit({ type: 'done', conversationId: chat, messageId, stopReason }),
    break: () => controller.error(new TypeError('network error')),
  }
}
