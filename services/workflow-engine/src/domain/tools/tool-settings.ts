import type { ResponsesBody } from '@tollgate/api/model-requests';
import type { ModelNode } from '../plan/plan.js';
import { pointerTokens } from '../values/json-pointer.js';

/** The fields of a model request that decide how its tool calls are executed. */
export type ToolSettings = Pick<ResponsesBody, 'tools' | 'state_id' | 'session_id'>;

const FIELDS: readonly string[] = ['tools', 'state_id', 'session_id'] satisfies (keyof ToolSettings)[];

/** Returns the settings of a node's requests; undefined when they differ per run: by a binding, or tools of MCP servers. */
export function plannedToolSettings({ request, bindings, mcp_servers: servers }: ModelNode): ToolSettings | undefined {
  if (servers) return undefined;
  if (bindings.some(({ to }) => to !== undefined && FIELDS.includes(pointerTokens(to)[0] ?? ''))) return undefined;
  return request as ToolSettings;
}

/** Where the key-value and task tools of a node store their data. */
export type StateScope = { kind: 'state'; id: string } | { kind: 'session'; id: string } | { kind: 'run' };

/** Returns the request's state handle or session, otherwise the run's session, otherwise the run itself. */
export function findStateScope(settings: Omit<ToolSettings, 'tools'>, sessionId: string | null): StateScope {
  if (settings.state_id !== undefined) return { kind: 'state', id: settings.state_id };
  const session = settings.session_id ?? sessionId;
  return session === null ? { kind: 'run' } : { kind: 'session', id: session };
}
