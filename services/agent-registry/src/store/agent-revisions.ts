import { agentInputSchema, fragmentsSchema, toolFailurePolicies, toolRefsSchema } from '@tollgate/api/runs';
import { z } from 'zod';
import type { AgentVersion } from '../domain/agent.js';
import type { Db, Tx } from './db.js';
import { Prisma, type AgentRevision as Row } from './generated/client.js';
import { parseStored, toJson } from './json-columns.js';

const storedConfig = z.object({
  tools: toolRefsSchema,
  fragments: fragmentsSchema,
  inputSchema: agentInputSchema.nullable().transform((schema) => schema ?? undefined),
  toolFailurePolicy: z.enum(toolFailurePolicies),
});

export async function insertRevision(tx: Tx, agentId: string, version: AgentVersion): Promise<void> {
  const { revision, config, createdAt } = version;
  await tx.agentRevision.create({
    data: {
      ...config,
      agentId,
      revision,
      createdAt,
      tools: toJson(config.tools),
      fragments: toJson(config.fragments),
      inputSchema: config.inputSchema === undefined ? Prisma.DbNull : toJson(config.inputSchema),
      toolRetryCount: config.toolRetryCount ?? null,
    },
  });
}

export async function findRevision(db: Db, agentId: string, revision: number): Promise<AgentVersion | undefined> {
  const row = await db.agentRevision.findUnique({ where: { agentId_revision: { agentId, revision } } });
  return row ? toVersion(row) : undefined;
}

export async function findRevisions(
  db: Db,
  wanted: { agentId: string; revision: number }[],
): Promise<Map<string, AgentVersion>> {
  if (wanted.length === 0) return new Map();
  const rows = await db.agentRevision.findMany({ where: { OR: wanted } });
  return new Map(rows.map((row) => [row.agentId, toVersion(row)]));
}

/** Newest first. */
export async function listRevisions(
  db: Db,
  agentId: string,
  page: { take: number; skip: number },
): Promise<AgentVersion[]> {
  const rows = await db.agentRevision.findMany({ where: { agentId }, orderBy: { revision: 'desc' }, ...page });
  return rows.map(toVersion);
}

function toVersion(row: Row): AgentVersion {
  const { agentId, revision, createdAt } = row;
  const parsed = parseStored(storedConfig, row, `revision ${revision} of agent ${agentId}`);
  return {
    revision,
    createdAt,
    config: {
      system: row.system,
      model: row.model,
      ...parsed,
      maxSteps: row.maxSteps,
      maxDurationSec: row.maxDurationSec,
      stepTimeoutSec: row.stepTimeoutSec,
      toolRetryCount: row.toolRetryCount ?? undefined,
    },
  };
}
