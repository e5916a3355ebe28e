import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  agentResponse,
  agentSchema,
  agentVersionSchema,
  type CreateAgentBody,
  createAgentBody,
  getAgentQuery,
  listAgentsQuery,
  listAgentsResponse,
  listAgentVersionsQuery,
  listAgentVersionsResponse,
  type UpdateAgentBody,
  updateAgentBody,
} from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import type { AgentSnapshot, AgentValuesSchema, AgentVersion } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { compareRecords } from '../../../domain/reports/compare-records.js';
import { defineRoute } from '../../exchange/route.js';
import { toJson } from '../to-json.js';
import { checkAgentReferences } from './check-references.js';

const projectParams = z.object({ id: z.string() });
export const agentParams = projectParams.extend({ slug: z.string() });

/** Maps a field of the body to its name in an update mask. */
const maskNames = {
  name: 'name',
  description: 'description',
  system: 'system',
  model: 'model',
  tools: 'tools_json',
  fragments: 'fragments_json',
  input_schema: 'input_schema_json',
  max_steps: 'max_steps',
  max_duration_sec: 'max_duration_sec',
  step_timeout_sec: 'step_timeout_sec',
  tool_failure_policy: 'tool_failure_policy',
  tool_retry_count: 'tool_retry_count',
} as const;

/** Converts the given fields; omits `null` and absent ones, which the registry sets to their defaults. */
function agentValues(body: CreateAgentBody | UpdateAgentBody): MessageInitShape<typeof AgentValuesSchema> {
  const { tools, fragments } = body;
  return {
    name: body.name ?? '',
    description: body.description ?? '',
    system: body.system ?? '',
    model: body.model ?? '',
    toolsJson: tools ? JSON.stringify(tools) : '',
    fragmentsJson: fragments ? JSON.stringify(fragments) : '',
    inputSchemaJson: body.input_schema ? JSON.stringify(body.input_schema) : '',
    toolFailurePolicy: body.tool_failure_policy ?? '',
    ...(body.max_steps != null && { maxSteps: body.max_steps }),
    ...(body.max_duration_sec != null && { maxDurationSec: body.max_duration_sec }),
    ...(body.step_timeout_sec != null && { stepTimeoutSec: body.step_timeout_sec }),
    ...(body.tool_retry_count != null && { toolRetryCount: body.tool_retry_count }),
  };
}

/** Returns the fields that a change contains, including `null` ones. */
function updateMask(body: UpdateAgentBody): string[] {
  return Object.entries(maskNames).flatMap(([field, name]) =>
    body[field as keyof typeof maskNames] === undefined ? [] : [name],
  );
}

export const createAgent = defineRoute({
  method: 'POST',
  path: '/projects/:id/agents',
  tag: 'Agents',
  summary: 'Create an agent',
  operationId: 'createAgent',
  description: 'An agent is a model with instructions, tools and limits, under a slug that is unique in the project.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  body: createAgentBody,
  bodyClass: 'documents',
  success: { status: 201, schema: agentResponse },
  refusals: [409],
  audit: 'agent.created',
  idempotent: true,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const call = input.call.with({ principal });
    await checkAgentReferences(ctx, input.body, call);
    const request = { slug: input.body.slug, values: agentValues(input.body) };
    const { snapshot } = await ctx.clients.agents.createAgent(request, call);
    return { status: 201, body: { agent: snapshotJson(snapshot) }, audited: { subjectId: input.body.slug } };
  },
});

export const listAgents = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents',
  tag: 'Agents',
  summary: 'List agents with their current revisions, oldest first',
  operationId: 'listAgents',
  description: 'Returns each agent with the revision that runs use now.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  query: listAgentsQuery,
  success: { status: 200, schema: listAgentsResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.agents.listAgents({ limit, offset }, input.call.with({ principal }));
    const agents = page.agents.map(snapshotJson);
    return { body: { agents, ...nextCursor(offset, agents.length, page.hasMore) } };
  },
});

export const getAgent = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Get an agent with its current or a named revision',
  operationId: 'getAgent',
  description: '`revision` selects an earlier configuration.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  query: getAgentQuery,
  success: { status: 200, schema: agentResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { revision } = input.query;
    const request = { slug: input.params.slug, ...(revision !== undefined && { revision }) };
    const { snapshot } = await ctx.clients.agents.getAgent(request, input.call.with({ principal }));
    return { body: { agent: snapshotJson(snapshot) } };
  },
});

export const listAgentVersions = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents/:slug/versions',
  tag: 'Agents',
  summary: "List an agent's revisions, newest first",
  operationId: 'listAgentVersions',
  description: 'Each change of the configuration is a revision.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  query: listAgentVersionsQuery,
  success: { status: 200, schema: listAgentVersionsResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const request = { slug: input.params.slug, limit, offset };
    const page = await ctx.clients.agents.listAgentVersions(request, input.call.with({ principal }));
    const versions = page.versions.map(versionJson);
    return { body: { versions, ...nextCursor(offset, versions.length, page.hasMore) } };
  },
});

export const updateAgent = defineRoute({
  method: 'PATCH',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Update an agent; a changed configuration makes a new revision',
  operationId: 'updateAgent',
  description: 'Runs that have started keep their revision.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  body: updateAgentBody,
  bodyClass: 'documents',
  success: { status: 200, schema: agentResponse },
  refusals: [409],
  audit: 'agent.updated',
  async handler(input, ctx) {
    const { body, params } = input;
    const principal = await requireProject(ctx, input, params.id);
    if (body.slug !== undefined && body.slug !== params.slug) throw slugIsFixed();
    const call = input.call.with({ principal });
    await checkAgentReferences(ctx, body, call);
    const request = {
      slug: params.slug,
      values: agentValues(body),
      updateMask: updateMask(body),
      ...(body.expected_revision !== undefined && { expectedRevision: body.expected_revision }),
    };
    const { snapshot: before } = await ctx.clients.agents.getAgent({ slug: params.slug }, call);
    const { snapshot } = await ctx.clients.agents.updateAgent(request, call);
    const changes = compareRecords(agentFields(before), agentFields(snapshot));
    return { body: { agent: snapshotJson(snapshot) }, audited: { changes } };
  },
});

function slugIsFixed(): AppError {
  const message = 'cannot be changed';
  return new AppError('VALIDATION_ERROR', `slug: ${message}`, { fields: [{ field: 'slug', message }] });
}

export const deleteAgent = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Delete an agent; runs that have pinned a revision continue',
  operationId: 'deleteAgent',
  description: 'New runs of the agent are refused from now on.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  success: { status: 204 },
  audit: 'agent.deleted',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.agents.deleteAgent({ slug: input.params.slug }, input.call.with({ principal }));
    return { status: 204 };
  },
});

function snapshotJson(snapshot: AgentSnapshot | undefined) {
  const { agent, version } = snapshot!;
  return { agent: toJson(agentSchema, agent!, {}), version: versionJson(version!) };
}

/** Returns what people set of an agent, as the audit log compares it. */
function agentFields(snapshot: AgentSnapshot | undefined): Record<string, unknown> {
  const { agent, version } = snapshotJson(snapshot);
  const { revision: _, created_at: _at, ...settings } = version;
  const { name, description, current_revision } = agent;
  return { name, description, current_revision, ...settings };
}

function versionJson(version: AgentVersion) {
  const { toolsJson, fragmentsJson, inputSchemaJson } = version;
  return toJson(agentVersionSchema, version, {
    tools: JSON.parse(toolsJson),
    fragments: fragmentsJson ? JSON.parse(fragmentsJson) : undefined,
    input_schema: inputSchemaJson ? JSON.parse(inputSchemaJson) : undefined,
  });
}
