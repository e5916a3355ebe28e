import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createSqlProfileBody, type SqlPolicy, sqlPolicySchema } from '@tollgate/api/state';
import { type SqlProfileSchema, SqlService, type ValidateSqlRequest } from '@tollgate/contracts/agents/v1/sql_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../context.js';
import type { SqlProfile } from '../domain/sql-profile.js';
import { notFound, requireFound } from '../operations/not-found.js';
import { readPage } from '../operations/page.js';
import { createSqlProfile, updateSqlProfile } from '../operations/sql/sql-profiles.js';
import { deleteProfile, findProfile, listProfiles } from '../store/sql-profiles.js';
import { readValue } from './read-json.js';
import { requireManagedProject, requireScope } from './require-scope.js';

export function sqlService(ctx: Context): Registration {
  return register(SqlService, {
    async createSqlProfile({ name, policyJson }, call) {
      const projectId = requireManagedProject(call);
      const values = { name: readName(name), policy: readPolicy(policyJson) };
      return { profile: toProto(await createSqlProfile(ctx, projectId, values)) };
    },
    async getSqlProfile({ id }, call) {
      return { profile: toProto(await requireProfile(ctx, requireManagedProject(call), id)) };
    },
    async listSqlProfiles(req, call) {
      const projectId = requireManagedProject(call);
      const { rows, hasMore } = await readPage(req, (page) => listProfiles(ctx.prisma, projectId, page));
      return { profiles: rows.map(toProto), hasMore };
    },
    async updateSqlProfile({ id, name, policyJson }, call) {
      const change = {
        name: name === '' ? undefined : readName(name),
        policy: policyJson === '' ? undefined : readPolicy(policyJson),
      };
      return { profile: toProto(await updateSqlProfile(ctx, requireManagedProject(call), id, change)) };
    },
    async deleteSqlProfile({ id }, call) {
      if (!(await deleteProfile(ctx.prisma, requireManagedProject(call), id))) throw notFound('SQL profile');
      return {};
    },
    async validateSql(req, call) {
      const { projectId } = requireScope(call);
      const policy = await requirePolicy(ctx, req, call);
      const { isReadOnly, limit, timeoutMs, ...valid } = await ctx.sqlChecks.check(projectId, req.sql, policy);
      return {
        ...valid,
        readOnly: isReadOnly,
        ...(limit !== undefined && { limit: BigInt(limit) }),
        ...(timeoutMs !== undefined && { timeoutMs: BigInt(timeoutMs) }),
      };
    },
  });
}

async function requireProfile(ctx: Pick<Context, 'prisma'>, projectId: string, id: string): Promise<SqlProfile> {
  return requireFound(await findProfile(ctx.prisma, projectId, id), 'SQL profile');
}

async function requirePolicy(ctx: Pick<Context, 'prisma'>, { by }: ValidateSqlRequest, call: Call): Promise<SqlPolicy> {
  const { projectId } = requireScope(call);
  if (by.case === 'policyJson') return readPolicy(by.value);
  if (by.case === 'profileId') return (await requireProfile(ctx, projectId, by.value)).policy;
  throw new AppError('INVALID_INPUT', 'a profile or a policy is required');
}

function readName(name: string): string {
  return parsed(createSqlProfileBody.shape.name, name, 'name');
}

function readPolicy(json: string): SqlPolicy {
  return parsed(sqlPolicySchema, readValue(json, 'policy'), 'policy');
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = [field, ...(issue?.path ?? [])].join('.');
  const message = issue?.message ?? 'is malformed';
  throw new AppError('VALIDATION_ERROR', `${path}: ${message}`, { fields: [{ field: path, message }] });
}

function toProto(profile: SqlProfile): MessageInitShape<typeof SqlProfileSchema> {
  const { id, projectId, name, policy, createdAt, updatedAt } = profile;
  return {
    id,
    projectId,
    name,
    policyJson: JSON.stringify(policy),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}
