import { openSecret } from '@tollgate/runtime/secret-box';
import { z } from 'zod';
import type { Context } from '../../context.js';
import type { McpHeaders, McpServer } from '../../domain/mcp/mcp-server.js';
import { resealSecret } from '../signing-secrets.js';

const storedHeaders = z.record(z.string(), z.string());

export function sealHeaders(
  { keyring }: Pick<Context, 'keyring'>,
  headers: McpHeaders,
  serverId: string,
): Pick<McpServer, 'headerNames' | 'secret'> {
  const secret = resealSecret(keyring, JSON.stringify(headers), serverId);
  return { headerNames: Object.keys(headers), secret };
}

/** @throws Error when no configured key opens the secret */
export function openHeaders({ keyring }: Pick<Context, 'keyring'>, server: McpServer): McpHeaders {
  return storedHeaders.parse(JSON.parse(openSecret(keyring, server.secret, server.id)));
}
