import { request } from './http'
import type { AuthStatus, LoginRequest, NewTokenRequest, SessionInfo, TokenId, TokenInfo, TokenSecret, User } from './protocol.gen'

export function authStatus(): Promise<AuthStatus> {
  return request('GET', '/api/auth/status')
}

export function login(body: LoginRequest): Promise<AuthStatus> {
  return request('POST', '/api/auth/login', { body })
}

export function logout(): Promise<void> {
  return request('POST', '/api/auth/logout')
}

export function listTokens(): Promise<TokenInfo[]> {
  return request('GET', '/api/tokens')
}

export function newToken(body: NewTokenRequest): Promise<TokenSecret> {
  return request('POST', '/api/tokens', { body })
}

export function revokeToken(id: TokenId): Promise<void> {
  return request('DELETE', `/api/tokens/${id}`)
}

export function listSessions(): Promise<SessionInfo[]> {
  return request('GET', '/api/sessions')
}

export function revokeSession(id: TokenId): Promise<void> {
  return request('DELETE', `/api/sessions/${id}`)
}

export function listPeople(): Promise<User[]> {
  return request('GET', '/api/users')
}
