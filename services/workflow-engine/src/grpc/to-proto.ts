import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  RunSnapshotSchema,
  RunStepSchema,
  RunSummarySchema,
} from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { RunView, StepView } from '../operations/runs/read-runs.js';
import type { RunRecord } from '../store/runs/read-runs.js';

export function snapshotToProto(view: RunView): MessageInitShape<typeof RunSnapshotSchema> {
  const { run, cost } = view;
  return {
    ...summaryToProto(run),
    sessionId: run.sessionId ?? '',
    costSummary: {
      totalMicrocents: cost.totalMicrocents,
      lineItems: cost.lines,
      ambiguousAttempts: cost.lostAttempts,
    },
    nodes: view.nodes.map((node) => ({
      id: node.nodeId,
      type: node.type,
      status: node.status,
      ...times({ startedAt: node.startedAt, endedAt: node.endedAt }),
      outputJson: bytes(view.outputs.get(node.nodeId)),
      ...error(node),
      after: [...(view.after.get(node.nodeId) ?? [])],
    })),
    inputJson: bytes(run.input),
    outputsJson: bytes(run.outputs),
    ...error(run),
  };
}

export function summaryToProto(run: RunRecord) {
  return {
    runId: run.runId,
    status: run.status,
    planHash: run.planHash,
    name: run.name ?? '',
    customerId: run.customerId ?? '',
    createdAt: timestampFromDate(run.createdAt),
    ...times({ endedAt: run.endedAt }),
  } satisfies MessageInitShape<typeof RunSummarySchema>;
}

export function stepToProto(step: StepView): MessageInitShape<typeof RunStepSchema> {
  const { nodeId, attempt, holdId, status } = step;
  return {
    nodeId,
    step: step.step,
    attempt,
    holdId,
    status,
    model: step.modelId ?? '',
    provider: step.provider ?? '',
    llmRequestJson: bytes(step.llmRequest),
    llmResponseJson: bytes(step.llmResponse),
    toolResults: step.toolResults.map(({ tool_call_id: toolCallId, name, output }) => ({ toolCallId, name, output })),
    errorCode: step.errorCode ?? '',
    ...times({ startedAt: step.startedAt, endedAt: step.endedAt }),
  };
}

function times<K extends string>(
  dates: Record<K, Date | null>,
): Partial<Record<K, ReturnType<typeof timestampFromDate>>> {
  const present: Partial<Record<K, ReturnType<typeof timestampFromDate>>> = {};
  for (const [name, date] of Object.entries(dates) as [K, Date | null][]) {
    if (date) present[name] = timestampFromDate(date);
  }
  return present;
}

function error(row: { errorCode: string | null; errorMessage: string | null }) {
  return row.errorCode === null ? {} : { error: { code: row.errorCode, message: row.errorMessage ?? '' } };
}

function bytes(text: string | null | undefined): Uint8Array {
  return Buffer.from(text ?? '');
}
