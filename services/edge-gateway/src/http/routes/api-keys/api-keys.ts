import {
  type ApiKeyRecord,
  apiKeyResponse,
  createApiKeyBody,
  listApiKeysQuery,
  listApiKeysResponse,
  rotateApiKeyBody,
  updateApiKeyBody,
} from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { isLimitedToProject, requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { redactApiKey } from '../../../domain/api-key.js';
import { issueApiKey } from '../../../operations/api-keys/issue-api-key.js';
import { readKeySpend } from '../../../operations/api-keys/key-spend.js';
import { revokeApiKey } from '../../../operations/api-keys/revoke-api-key.js';
import { rotateApiKey as rotate } from '../../../operations/api-keys/rotate-api-key.js';
import { type ApiKey, isKeyOfProject, listApiKeys as readApiKeys } from '../../../store/api-keys.js';
import { updateApiKeyRow } from '../../../store/gen/api-keys.js';
import { toMemberTwin } from '../../exchange/owner-sessions.js';
import { defineRoute, type Route } from '../../exchange/route.js';

const apiKeyParams = z.object({ id: z.string() });

/** @throws AppError NOT_FOUND for text that cannot be the id of a key */
function requireKeyId(params: z.output<typeof apiKeyParams>): string {
  const id = z.guid().toLowerCase().safeParse(params.id);
  if (!id.success) throw new AppError('NOT_FOUND', 'API key not found');
  return id.data;
}

/** @throws AppError VALIDATION_ERROR for a moment that has passed */
function requireExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const expiresAt = new Date(text);
  if (expiresAt > now) return expiresAt;
  const message = 'must be in the future';
  throw new AppError('VALIDATION_ERROR', `expires_at: ${message}`, { fields: [{ field: 'expires_at', message }] });
}

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List the account’s keys, newest first',
  operationId: 'listApiKeys',
  description: 'Returns keys without their values, with what each has spent.',
  auth: ['owner'],
  query: listApiKeysQuery,
  success: { status: 200, schema: listApiKeysResponse },
  handler: async ({ query: { limit, offset, project_id: projectId }, principal, call }, ctx) => {
    const filter = { accountId: principal.accountId, projectId };
    const [found, spend] = await Promise.all([
      readApiKeys(ctx.pool, filter, { limit: limit + 1, offset }),
      readKeySpend(ctx, call),
    ]);
    const page = found.slice(0, limit);
    const keys = page.map((key) => {
      const spentMicrocents = spend && key.kind === 'secret' ? (spend.get(key.id) ?? 0n) : undefined;
      return apiKeyJson(key, ctx.config.keyPrefix, { spentMicrocents });
    });
    return { body: { api_keys: keys, ...nextCursor(offset, page.length, found.length > limit) } };
  },
});

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'Create a key; only this response contains its value',
  operationId: 'createApiKey',
  description:
    'Store the value: it is not shown again. A key belongs to one project, and may have an expiry and a spend limit.',
  auth: ['owner'],
  body: createApiKeyBody,
  success: { status: 201, schema: apiKeyResponse },
  refusals: [404],
  audit: 'api_key.created',
  handler: async (input, ctx) => {
    const { body, principal } = input;
    const { projectId } = await requireProject(ctx, input, body.project_id ?? principal.projectId);
    const expiresAt = requireExpiry(body.expires_at, ctx.clock.now());
    const { key, secret } = await issueApiKey(ctx, ctx.pool, {
      projectId,
      kind: body.kind,
      label: body.label,
      spendLimitCents: body.spend_limit_cents === undefined ? undefined : BigInt(body.spend_limit_cents),
      expiresAt,
      issuedBy: principal.userId,
    });
    const spentMicrocents = body.kind === 'secret' ? 0n : undefined;
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix, { secret, spentMicrocents }) } };
  },
});

export const updateApiKey = defineRoute({
  method: 'PATCH',
  path: '/api-keys/:id',
  tag: 'API keys',
  summary: "Change a key's label or expiry; edges apply it within five seconds",
  auth: ['owner'],
  params: apiKeyParams,
  body: updateApiKeyBody,
  success: { status: 200, schema: apiKeyResponse },
  audit: 'api_key.updated',
  handler: async ({ params, body, principal }, ctx) => {
    const expiresAt = body.expires_at === null ? null : requireExpiry(body.expires_at, ctx.clock.now());
    const key = await updateApiKeyRow(ctx.pool, {
      accountId: principal.accountId,
      keyId: requireKeyId(params),
      label: body.label ?? null,
      setsExpiry: expiresAt !== undefined,
      expiresAt: expiresAt ?? null,
    });
    if (!key) throw new AppError('NOT_FOUND', 'API key not found');
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix) } };
  },
});

export const rotateApiKey = defineRoute({
  method: 'POST',
  path: '/api-keys/:id/rotate',
  tag: 'API keys',
  summary: 'Replace a key by a new one of the same label and kind; the old one keeps working for the overlap',
  operationId: 'rotateApiKey',
  auth: ['owner'],
  params: apiKeyParams,
  body: rotateApiKeyBody,
  success: { status: 201, schema: apiKeyResponse },
  refusals: [409],
  audit: 'api_key.rotated',
  handler: async ({ params, body, principal }, ctx) => {
    const { key, secret } = await rotate(ctx, {
      accountId: principal.accountId,
      keyId: requireKeyId(params),
      userId: principal.userId,
      isGuest: await isLimitedToProject(ctx, principal),
      overlapMs: body.overlap_seconds * 1_000,
      expiresAt: requireExpiry(body.expires_at, ctx.clock.now()),
    });
    const spentMicrocents = key.kind === 'secret' ? 0n : undefined;
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix, { secret, spentMicrocents }) } };
  },
});

export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api-keys/:id',
  tag: 'API keys',
  summary: 'Revoke a key; every edge rejects it within five seconds',
  operationId: 'deleteApiKey',
  description: 'A revoked key cannot be restored.',
  auth: ['owner'],
  params: apiKeyParams,
  success: { status: 204 },
  audit: 'api_key.revoked',
  handler: async ({ params, principal }, ctx) => {
    await revokeApiKey(ctx, principal.accountId, requireKeyId(params));
    return { status: 204 };
  },
});

interface KeyExtras {
  /** Only in the response that creates the key. */
  secret?: string;
  spentMicrocents?: bigint | undefined;
}

const listInProject: Route = {
  ...listApiKeys,
  summary: 'List the project’s keys, newest first',
  query: listApiKeysQuery.omit({ project_id: true }),
  handler: (input, ctx) => {
    const { projectId } = input.principal;
    return listApiKeys.handler({ ...input, query: { ...input.query, project_id: projectId } }, ctx);
  },
};

const createInProject: Route = {
  ...createApiKey,
  handler: (input, ctx) => {
    const { projectId } = input.principal;
    const named = input.body.project_id ?? projectId;
    if (named.toLowerCase() !== projectId) throw new AppError('NOT_FOUND', 'project not found');
    return createApiKey.handler({ ...input, body: { ...input.body, project_id: projectId } }, ctx);
  },
};

/** The account's keys, as far as they belong to the project of the path, for the members of that project. */
export const apiKeyRoutesInProject: Route[] = [
  listInProject,
  createInProject,
  ...[updateApiKey, rotateApiKey, deleteApiKey].map(ofProject),
].map(toMemberTwin);

function ofProject(route: Route): Route {
  return {
    ...route,
    handler: async (input, ctx) => {
      await requireKeyOfProject(ctx, input.principal, input.params);
      return route.handler(input, ctx);
    },
  };
}

async function requireKeyOfProject(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  params: { id: string },
): Promise<void> {
  if (await isKeyOfProject(ctx.pool, requireKeyId(params), projectId)) return;
  throw new AppError('NOT_FOUND', 'API key not found');
}

export function apiKeyJson(key: ApiKey, prefix: string, extras: KeyExtras = {}): ApiKeyRecord {
  return {
    id: key.id,
    project_id: key.projectId,
    kind: key.kind,
    label: key.label,
    redacted_key: redactApiKey(prefix, key.kind, key.last4),
    ...(key.spendLimitCents !== null && { spend_limit_cents: Number(key.spendLimitCents) }),
    ...(extras.spentMicrocents !== undefined && { spent_microcents: Number(extras.spentMicrocents) }),
    ...(key.expiresAt && { expires_at: key.expiresAt.toISOString() }),
    ...(key.lastUsedAt && { last_used_at: key.lastUsedAt.toISOString() }),
    created_at: key.createdAt.toISOString(),
    ...(extras.secret !== undefined && { secret_key: extras.secret }),
  };
}
