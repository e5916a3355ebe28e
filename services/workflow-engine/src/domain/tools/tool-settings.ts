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
