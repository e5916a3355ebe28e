import { type ResponsesBody, responsesBody } from '@tollgate/api/model-requests';
import { z } from 'zod';
import { failed, ok, type Result } from '../failure.js';
import type { ModelNode, Plan } from '../plan/plan.js';
import { toPointer } from '../values/json-pointer.js';
import { safeParse } from '../values/safe-parse.js';

/** The tools of a node's MCP servers when the node started, as its model gets them. */
export const mcpToolset = z.array(
  z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
);
export type McpToolset = z.output<typeof mcpToolset>;

/** Returns the MCP server of the node whose tool has this name, with underscores. The names of servers have none. */
export function findMcpServer({ mcp_servers: servers = [] }: ModelNode, toolName: string): string | undefined {
  return servers.find((server) => toolName.startsWith(`mcp__${server}__`));
}

/** Adds the tools to a request. Fails when the request declares a tool with a name of theirs, or has too many tools. */
export function withMcpTools(node: ModelNode, request: ResponsesBody, tools: McpToolset): Result<ResponsesBody> {
  const own = request.tools ?? [];
  for (const { function: declared } of own) {
    const server = declared && findMcpServer(node, declared.name.replaceAll('.', '_'));
    if (server !== undefined) {
      return failed(
        'VALIDATION_ERROR',
        `the tool ${declared?.name} has the name of a tool of the MCP server ${server}`,
      );
    }
  }
  const added = tools.map((tool) => ({ type: 'function' as const, function: tool }));
  if (added.length === 0) return ok(request);
  const result = safeParse(responsesBody, { ...request, tools: [...own, ...added] });
  if (result.success) return ok(result.data);
  const faults = result.error.issues.slice(0, 5).map((issue) => `${toPointer(issue.path) || '/'}: ${issue.message}`);
  return failed('VALIDATION_ERROR', `the request is not valid with the tools of its MCP servers: ${faults.join('; ')}`);
}

/** Whether a node of the spec itself names an MCP server. Agents name servers on behalf of their project. */
export function namesMcpServer({ nodes }: Pick<Plan, 'nodes'>): boolean {
  return nodes.some((node) => {
    const asked = node.type === 'map.fanout' ? node.subnode : node;
    return asked.type !== 'agent.run' && 'mcp_servers' in asked;
  });
}
