import { NODE_OUTPUT_KEY } from '../domain/run/run-event.js';
import type { RunScope } from '../domain/run/run-scope.js';
import type { CallRecord } from '../domain/step/cost.js';
import type { JsonObject } from '../domain/values/json.js';
import type { PrismaClient } from './generated/client.js';

/** The read side of the API. */

const runFields = {
  runId: true,
  projectId: true,
  customerId: true,
  planHash: true,
  name: true,
  status: true,
  sessionId: true,
  lastSeq: true,
  errorCode: true,
  errorMessage: true,
  createdAt: true,
  endedAt: true,
} as const;

export type RunRecord = NonNullable<Awaited<ReturnType<typeof findRun>>>;

export function findRun(prisma: PrismaClient, runId: string) {
  return prisma.run.findUnique({ where: { runId }, select: runFields });
}

/** The values of a run's declared inputs. */
export async function readRunInput(prisma: PrismaClient, runId: string): Promise<JsonObject | undefined> {
  const run = await prisma.run.findUnique({ where: { runId }, select: { input: true } });
  return run?.input == null ? undefined : (JSON.parse(run.input) as JsonObject);
}

/** Newest first; one more than asked for tells whether there is another page. */
export function listRuns(
  prisma: PrismaClient,
  scope: RunScope,
  page: { status: string | undefined; limit: number; offset: number },
) {
  return prisma.run.findMany({
    where: {
      projectId: scope.projectId,
      ...(scope.customerId !== undefined && { customerId: scope.customerId }),
      ...(page.status !== undefined && { status: page.status }),
    },
    orderBy: [{ createdAt: 'desc' }, { runId: 'desc' }],
    select: runFields,
    take: page.limit + 1,
    skip: page.offset,
  });
}

const callFields = {
  nodeId: true,
  holdId: true,
  status: true,
  modelId: true,
  provider: true,
  costMicrocents: true,
  heldMicrocents: true,
  inputTokens: true,
  outputTokens: true,
} as const;

/** In the order of the spec, sub-nodes after their parent. */
const inPlace = [{ position: 'asc' as const }, { itemIndex: { sort: 'asc' as const, nulls: 'first' as const } }];

/** Everything a snapshot shows, as of one moment. */
export async function readSnapshot(prisma: PrismaClient, runId: string) {
  const [run, nodes, calls, tools, artifacts] = await prisma.$transaction(
    [
      prisma.run.findUniqueOrThrow({ where: { runId }, select: { ...runFields, outputs: true } }),
      prisma.runNode.findMany({ where: { runId }, orderBy: inPlace }),
      prisma.runStep.findMany({
        where: { runId },
        select: callFields,
        orderBy: [{ step: 'asc' }, { attempt: 'asc' }],
      }),
      prisma.runToolResult.findMany({
        where: { runId, costMicrocents: { gt: 0 } },
        select: { nodeId: true, modelId: true, costMicrocents: true },
        orderBy: [{ step: 'asc' }, { position: 'asc' }],
      }),
      prisma.runArtifact.findMany({ where: { runId, key: NODE_OUTPUT_KEY }, select: { nodeId: true, body: true } }),
    ],
    { isolationLevel: 'RepeatableRead' },
  );
  const places = new Map(nodes.map((node, place) => [node.nodeId, place]));
  const placeOf = (call: { nodeId: string }): number => places.get(call.nodeId) ?? 0;
  // In the order of the spec; a stable sort keeps the order within a node.
  const sorted = (calls as CallRecord[]).toSorted((a, b) => placeOf(a) - placeOf(b));
  const toolCosts = tools.toSorted((a, b) => placeOf(a) - placeOf(b));
  return { run, nodes, calls: sorted, toolCosts, outputs: new Map(artifacts.map((a) => [a.nodeId, a.body])) };
}

export type Snapshot = Awaited<ReturnType<typeof readSnapshot>>;

/** Steps whose tool calls wait for the client: the latest attempt of each waiting node. */
export async function readWaitingSteps(prisma: PrismaClient, runId: string) {
  const waiting = await prisma.runNode.findMany({
    where: { runId, status: 'waiting' },
    select: { nodeId: true },
    orderBy: inPlace,
  });
  const steps = await prisma.runStep.findMany({
    where: { runId, nodeId: { in: waiting.map((node) => node.nodeId) }, status: 'settled', toolResults: null },
    select: { nodeId: true, step: true, holdId: true, llmResponse: true },
  });
  // Calls of an earlier attempt of the node may have been left open: only the latest step waits.
  return waiting.flatMap(({ nodeId }) => {
    const own = steps.filter((step) => step.nodeId === nodeId).toSorted((a, b) => b.step - a.step);
    return own.slice(0, 1);
  });
}
