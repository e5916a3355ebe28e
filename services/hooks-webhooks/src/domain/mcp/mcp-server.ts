import type { SealedSecret } from '@tollgate/runtime/secret-box';

export const MCP_SERVERS_PER_PROJECT_MAX = 100;
export const MCP_TIMEOUT_MS_DEFAULT = 30_000;
export const MCP_TIMEOUT_MS_MAX = 120_000;
/** Servers whose tools one request may list. */
export const MCP_SERVERS_PER_LISTING_MAX = 16;
/** Of a server's own message, after redaction. */
export const MCP_MESSAGE_CHARS_MAX = 1_000;

/** The version of the protocol whose requests need no session. */
export const STATELESS_VERSION = '2026-07-28';

/** Versions are dates. */
export function isStatelessVersion(version: string): boolean {
  return version >= STATELESS_VERSION;
}

/** Whether tokens of an authorization server are sent: never, now, or once the owner has connected the server again. */
export type AuthorizationStatus = 'none' | 'authorized' | 'authorization_required';

export type McpHeaders = Readonly<Record<string, string>>;

/** Settings that the owner controls, without the credentials. */
export interface McpServerSettings {
  endpointUrl: string;
  enabled: boolean;
  /** Of each listing and each call. */
  timeoutMs: number;
  /** Names at the server. Empty = every tool. */
  toolsAllowlist: string[];
}

export interface McpServer extends McpServerSettings {
  id: string;
  projectId: string;
  name: string;
  headerNames: string[];
  authorizationStatus: AuthorizationStatus;
  /** JSON of the headers. */
  secret: SealedSecret;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns why agents and runs cannot use the server, or undefined when they can. */
export function mcpServerFault(server: Pick<McpServer, 'enabled'> | undefined): string | undefined {
  if (!server) return 'the MCP server was deleted or never existed';
  return server.enabled ? undefined : 'the MCP server is disabled';
}
