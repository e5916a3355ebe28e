import type { AuthResponse, AuthTokens, BrowserSession, UserRecord } from '@tollgate/api/identity';
import type { SessionTokens } from '../../../operations/tokens/start-session.js';
import type { User } from '../../../store/users.js';

export function tokensJson(tokens: SessionTokens): AuthTokens {
  return {
    access_token: tokens.accessToken,
    expires_at: tokens.expiresAt.toISOString(),
    refresh_token: tokens.refreshToken,
  };
}

/** Leaves out the refresh token: it is in a cookie. */
export function browserSessionJson(tokens: Omit<SessionTokens, 'refreshToken'>): BrowserSession {
  return { access_token: tokens.accessToken, expires_at: tokens.expiresAt.toISOString() };
}

export function userJson(user: User, projectId: string): UserRecord {
  return { id: user.id, email: user.email, project_id: projectId, created_at: user.createdAt.toISOString() };
}

/** Contains the tokens at the top level and under `tokens`. */
export function authResponseJson(tokens: SessionTokens, user: User, projectId: string): AuthResponse {
  return { ...tokensJson(tokens), tokens: tokensJson(tokens), user: userJson(user, projectId) };
}
