import { ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { agentSlugSchema, agentToolArguments } from '@tollgate/api/runs';
import type { RunnableAgent } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { lazy } from '@tollgate/runtime';
import { z } from 'zod';
import type { McpCaller } from './mcp-caller.js';
import { toToolName } from './tool-names.js';

const TOOLS_PER_PAGE = 50;

/** Of agents that declare no input. */
const freeText = lazy(() => z.toJSONSchema(agentToolArguments, { io: 'input' }) as Tool['inputSchema']);

/** Returns a page of the project's agents as tools, by slug. The cursor is the last slug of a page, encoded. */
export async function listAgentTools(
  { ctx, call }: Pick<McpCaller, 'ctx' | 'call'>,
  cursor: string | undefined,
): Promise<{ tools: Tool[]; nextCursor?: string }> {
  const afterSlug = cursor === undefined ? '' : readCursor(cursor);
  const { agents, hasMore } = await ctx.clients.agents.listRunnableAgents({ limit: TOOLS_PER_PAGE, afterSlug }, call);
  const tools = agents.map(toTool);
  const last = agents.at(-1);
  return { tools, ...(hasMore && last && { nextCursor: Buffer.from(last.slug).toString('base64url') }) };
}

function toTool({ slug, name, description, inputSchemaJson }: RunnableAgent): Tool {
  const inputSchema = inputSchemaJson === '' ? freeText() : (JSON.parse(inputSchemaJson) as Tool['inputSchema']);
  return { name: toToolName(slug), title: name, description: description || `Runs the agent “${name}”.`, inputSchema };
}

function readCursor(cursor: string): string {
  const slug = agentSlugSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (slug.success) return slug.data;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'cursor is not a nextCursor of tools/list: list again without one',
  );
}
