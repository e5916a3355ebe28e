import {
  createSqlProfileBody,
  listSqlProfilesQuery,
  listSqlProfilesResponse,
  sqlProfileResponse,
  sqlProfileSchema,
  updateSqlProfileBody,
  validateSqlBody,
  validateSqlResponse,
} from '@tollgate/api/state';
import { nextCursor } from '@tollgate/api/values';
import type { SqlProfile } from '@tollgate/contracts/agents/v1/sql_pb.js';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { toJson } from '../to-json.js';

const projectParams = z.object({ id: z.string() });
const profileParams = projectParams.extend({ profile_id: z.string() });

export const createSqlProfile = defineRoute({
  method: 'POST',
  path: '/projects/:id/sql-profiles',
  tag: 'SQL',
  summary: 'Create a SQL profile, a policy for statements',
  operationId: 'createSqlProfile',
  description: 'A policy names the tables, columns and functions that statements may use, and limits their rows.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  body: createSqlProfileBody,
  success: { status: 201, schema: sqlProfileResponse },
  idempotent: true,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const request = { name: input.body.name, policyJson: JSON.stringify(input.body.policy) };
    const { profile } = await ctx.clients.sql.createSqlProfile(request, input.call.with({ principal }));
    return { status: 201, body: { profile: profileJson(profile) } };
  },
});

export const listSqlProfiles = defineRoute({
  method: 'GET',
  path: '/projects/:id/sql-profiles',
  tag: 'SQL',
  summary: 'List SQL profiles, oldest first',
  operationId: 'listSqlProfiles',
  description: 'Returns the policies of the project.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  query: listSqlProfilesQuery,
  success: { status: 200, schema: listSqlProfilesResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.sql.listSqlProfiles({ limit, offset }, input.call.with({ principal }));
    const profiles = page.profiles.map(profileJson);
    return { body: { profiles, ...nextCursor(offset, profiles.length, page.hasMore) } };
  },
});

export const getSqlProfile = defineRoute({
  method: 'GET',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Get a SQL profile',
  operationId: 'getSqlProfile',
  description: 'Returns the policy.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  success: { status: 200, schema: sqlProfileResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { profile } = await ctx.clients.sql.getSqlProfile(
      { id: input.params.profile_id },
      input.call.with({ principal }),
    );
    return { body: { profile: profileJson(profile) } };
  },
});

export const updateSqlProfile = defineRoute({
  method: 'PUT',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Update a SQL profile; omitted fields keep their values, a policy is replaced as a whole',
  operationId: 'updateSqlProfile',
  description: 'Statements are judged by the new policy from now on.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  body: updateSqlProfileBody,
  success: { status: 200, schema: sqlProfileResponse },
  async handler(input, ctx) {
    const { name = '', policy } = input.body;
    const principal = await requireProject(ctx, input, input.params.id);
    const request = { id: input.params.profile_id, name, policyJson: policy ? JSON.stringify(policy) : '' };
    const { profile } = await ctx.clients.sql.updateSqlProfile(request, input.call.with({ principal }));
    return { body: { profile: profileJson(profile) } };
  },
});

export const deleteSqlProfile = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Delete a SQL profile',
  operationId: 'deleteSqlProfile',
  description: 'Requests that name the profile are refused from now on.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  success: { status: 204 },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.sql.deleteSqlProfile({ id: input.params.profile_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});

export const validateSql = defineRoute({
  method: 'POST',
  path: '/sql/validate',
  tag: 'SQL',
  summary: 'Validate a statement against a policy; 400 lists the reasons for refusal',
  operationId: 'validateSql',
  description:
    'Nothing is executed. The answer has the statement as it may be run, with the limits that the policy adds.',
  auth: ['secret_key', 'owner', 'customer'],
  body: validateSqlBody,
  success: { status: 200, schema: validateSqlResponse },
  async handler({ body, call }, ctx) {
    const by = body.policy
      ? ({ case: 'policyJson', value: JSON.stringify(body.policy) } as const)
      : ({ case: 'profileId', value: body.profile_id ?? '' } as const);
    const valid = await ctx.clients.sql.validateSql({ sql: body.sql, by }, call);
    return {
      body: {
        valid: true,
        normalized_sql: valid.normalizedSql,
        read_only: valid.readOnly,
        tables: valid.tables,
        limit: toNumber(valid.limit),
        timeout_ms: toNumber(valid.timeoutMs),
      },
    };
  },
});

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function profileJson(profile: SqlProfile | undefined) {
  return toJson(sqlProfileSchema, profile!, { policy: JSON.parse(profile!.policyJson) });
}
