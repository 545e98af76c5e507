// An MCP server that requires sign-in: streamable HTTP, with the authorization server beside it.

import { createServer } from 'node:http'

const TOOL = { name: 'moon', description: 'Tells how far the moon is.', inputSchema: { type: 'object', properties: {} } }

export class GuardedServer {
  static async start({ port = 0, ...more } = {}) {
    const server = new GuardedServer(more)
    await new Promise((resolve, reject) => server.http.once('error', reject).listen(port, '127.0.0.1', resolve))
    return server
  }

  constructor({ authorize } = {}) {
    /** The valid tokens; all others are refused. */
    this.good = new Set()
    this.refreshes = 0
    this.signIns = 0
    /** The lifetime of a token, in seconds. */
    this.lasts = 3_600
    /** True if the server issues no more tokens. */
    this.forgets = false
    this.wrongAddress = authorize
    this.http = createServer((request, response) => void this.answer(request, response))
  }

  get address() {
    return `http://127.0.0.1:${this.http.address().port}`
  }

  get url() {
    return `${this.address}/mcp`
  }

  stop() {
    this.http.closeAllConnections()
    this.http.close()
  }

  async answer(request, response) {
    const url = new URL(request.url, this.address)
    let body = ''
    for await (const bytes of request) body += bytes
    const json = (value, status = 200, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(value === undefined ? '' : JSON.stringify(value))
    }
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource':
        return json({ resource: this.url, authorization_servers: [this.address] })
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: this.address,
          authorization_endpoint: this.wrongAddress ?? `${this.address}/authorize`,
          token_endpoint: `${this.address}/token`,
          registration_endpoint: `${this.address}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        })
      case '/register':
        return json({ ...JSON.parse(body), client_id: 'perigee-1', client_secret: 'client-secret' }, 201)
      case '/authorize': {
        const back = `${url.searchParams.get('redirect_uri')}?code=code-1&state=${url.searchParams.get('state')}`
        response.setHeader('content-type', 'text/html')
        return response.end(`<title>There</title><h1>Let Perigee in?</h1><a href="${back}">Yes, let it in</a>`)
      }
      case '/token':
        return this.forgets ? json({ error: 'invalid_grant' }, 400) : json(this.token(new URLSearchParams(body)))
      case '/mcp':
        return this.talk(request, body, json)
      default:
        return json({}, 404)
    }
  }

  token(asked) {
    const isRefresh = asked.get('grant_type') === 'refresh_token'
    if (isRefresh) this.refreshes += 1
    else this.signIns += 1
    const access_token = `secret-token-${this.signIns}-${this.refreshes}`
    this.good.add(access_token)
    return { access_token, token_type: 'Bearer', expires_in: this.lasts, refresh_token: 'secret-refresh' }
  }

  talk(request, body, json) {
    const token = request.headers.authorization?.replace('Bearer ', '')
    if (!this.good.has(token)) {
      const challenge = `Bearer resource_metadata="${this.address}/.well-known/oauth-protected-resource"`
      return json({}, 401, { 'www-authenticate': challenge })
    }
    if (request.method !== 'POST') return json(undefined, 405)
    const { id, method, params } = JSON.parse(body)
    if (id === undefined) return json(undefined, 202)
    const results = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'Guarded', version: '1' } }),
      'tools/list': () => ({ tools: [TOOL] }),
      'tools/call': () => ({ content: [{ type: 'text', text: '384,400 km' }] }),
    }
    return json({ jsonrpc: '2.0', id, result: (results[method] ?? (() => ({})))() })
  }
}
