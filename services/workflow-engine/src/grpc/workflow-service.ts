import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { cancelRun, findRunByKey } from '../operations/runs/cancel-run.js';
import { compileWorkflow, lintWorkflow } from '../operations/runs/compile-workflow.js';
import { createRun } from '../operations/runs/create-run.js';
import { listPendingTools } from '../operations/runs/pending-tools.js';
import { getRun, listRunSteps, listRuns, listRunTasks } from '../operations/runs/read-runs.js';
import { streamRunEvents } from '../operations/runs/stream-run-events.js';
import { submitToolResults } from '../operations/runs/submit-tool-results.js';
import { snapshotToProto, stepToProto, summaryToProto } from './to-proto.js';

/** All RPCs of WorkflowService. */
export function workflowService(ctx: Context): Registration {
  return register(WorkflowService, {
    createRun: (req, call) =>
      createRun(
        ctx,
        call.requirePrincipal(),
        { ...req, spec: toText(req.specJson), input: toText(req.inputJson) },
        call,
      ),
    getRun: async (req, call) => ({ run: snapshotToProto(await getRun(ctx, call.requirePrincipal(), req.runId)) }),
    listRuns: async (req, call) => {
      const { runs, hasMore } = await listRuns(ctx, call.requirePrincipal(), req);
      return { runs: runs.map(summaryToProto), hasMore };
    },
    cancelRun: async ({ runId, idempotencyKey }, call) => {
      const principal = call.requirePrincipal();
      const isByKey = runId === '' && idempotencyKey !== '';
      const id = isByKey ? await findRunByKey(ctx, principal, idempotencyKey) : runId;
      return { run: snapshotToProto(await cancelRun(ctx, principal, id)) };
    },
    streamRunEvents: async function* (req, call) {
      for await (const page of streamRunEvents(ctx, call.requirePrincipal(), req, call)) {
        yield { events: page.map(({ seq, type, json }) => ({ seq, type, data: Buffer.from(json) })) };
      }
    },

    listPendingTools: async (req, call) => {
      const pending = await listPendingTools(ctx, call.requirePrincipal(), req.runId);
      return {
        runId: req.runId,
        pending: pending.map(({ calls, ...node }) => ({
          ...node,
          toolCalls: calls.map((it) => ({ toolCallId: it.tool_call_id, name: it.name, arguments: it.arguments })),
        })),
      };
    },
    submitToolResults: (req, call) =>
      submitToolResults(ctx, call.requirePrincipal(), {
        ...req,
        results: req.results.map(({ toolCallId, name, output }) => ({ tool_call_id: toolCallId, name, output })),
      }),
    listRunSteps: async (req, call) => {
      const { steps, hasMore } = await listRunSteps(ctx, call.requirePrincipal(), req);
      return { steps: steps.map(stepToProto), hasMore };
    },
    listRunTasks: async (req, call) => ({
      tasksJson: Buffer.from(JSON.stringify(await listRunTasks(ctx, call.requirePrincipal(), req.runId))),
    }),

    compileWorkflow: async (req, call) => {
      const { text, hash } = await compileWorkflow(ctx, call.requirePrincipal(), toText(req.specJson), call);
      return { planJson: Buffer.from(text), planHash: hash };
    },
    lintWorkflow: async (req, call) => ({
      issues: [...(await lintWorkflow(ctx, call.requirePrincipal(), toText(req.specJson), call))],
    }),
  });
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
