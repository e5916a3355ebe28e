import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed } from '@tollgate/runtime';
import { McpOAuthError } from '../../../clients/mcp-oauth.js';
import type { Context } from '../../../context.js';
import type { McpServer } from '../../../domain/mcp/mcp-server.js';
import {
  claimRefresh,
  endRefresh,
  findMcpAuthorization,
  type McpAuthorization,
  markAuthorizationLost,
  storeRefreshed,
} from '../../../store/mcp/mcp-authorizations.js';
import { openConnection, sealConnection } from './authorize-mcp-server.js';

/** Tokens are refreshed so long before they expire. */
const EARLY_MS = 60_000;
/** Longer than a refresh may take. After that, its process has died. */
const LEASE_MS = 25_000;
const POLL_MS = 200;

export type AccessTokenContext = Pick<Context, 'clock' | 'keyring' | 'logger' | 'mcpOAuth' | 'pool'>;

export type AccessToken =
  | { kind: 'token'; token: string; generation: number }
  /** The owner has to connect the server again. */
  | { kind: 'required' }
  /** The authorization server is unavailable. */
  | { kind: 'unavailable' };

/**
 * Returns an access token that has not expired. One process at a time refreshes the tokens, because their refresh token may work
 * once; the others wait for it. `rejected` is the generation of the token that the server has refused.
 */
export async function readAccessToken(
  ctx: AccessTokenContext,
  server: Pick<McpServer, 'id' | 'endpointUrl'>,
  waitMs: number,
  rejected?: number,
): Promise<AccessToken> {
  const deadline = elapsed() + waitMs;
  for (;;) {
    const known = await findMcpAuthorization(ctx.pool, server.id);
    // Tokens of one host must not reach another.
    const isUsable = known?.status === 'authorized' && known.endpointOrigin === new URL(server.endpointUrl).origin;
    if (!isUsable) return { kind: 'required' };
    const isRejected = known.generation === rejected;
    const isOld = known.expiresAt !== undefined && known.expiresAt.getTime() - ctx.clock.nowMs() < EARLY_MS;
    if (!isRejected && !isOld) return toToken(ctx, known);
    const outcome = (await claimRefresh(ctx.pool, known, LEASE_MS)) ? await refresh(ctx, known, isRejected) : undefined;
    if (outcome) return outcome;
    if (elapsed() + POLL_MS > deadline) return { kind: 'unavailable' };
    await sleep(POLL_MS);
  }
}

/** Returns undefined when the tokens are to be read again, because the owner has connected the server again. */
async function refresh(
  ctx: AccessTokenContext,
  known: McpAuthorization,
  isRejected: boolean,
): Promise<AccessToken | undefined> {
  const connection = openConnection(ctx, known);
  const isExpired = known.expiresAt !== undefined && known.expiresAt.getTime() <= ctx.clock.nowMs();
  try {
    const now = ctx.clock.now();
    const tokens = await ctx.mcpOAuth.refresh(connection);
    const sealed = sealConnection(ctx, known.id, { ...connection, tokens }, now);
    const isStored = await storeRefreshed(ctx.pool, known, sealed);
    // Not read again: a token with a short life would be refreshed without end.
    return isStored ? { kind: 'token', token: tokens.access_token, generation: known.generation + 1 } : undefined;
  } catch (error) {
    if (!(error instanceof McpOAuthError)) {
      await endRefresh(ctx.pool, known);
      throw error;
    }
    // A token that still works is used to its end, even if no other can follow.
    if (error.isFinal && (isRejected || isExpired)) {
      await markAuthorizationLost(ctx.pool, known);
      ctx.logger.warn({ mcp_server_id: known.id }, 'MCP authorization lost');
      return { kind: 'required' };
    }
    await endRefresh(ctx.pool, known);
    return isRejected || isExpired ? { kind: 'unavailable' } : toToken(ctx, known);
  }
}

function toToken(ctx: AccessTokenContext, known: McpAuthorization): AccessToken {
  return { kind: 'token', token: openConnection(ctx, known).tokens.access_token, generation: known.generation };
}
