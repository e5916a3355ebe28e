import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { McpCaller } from './mcp-caller.js';
import type { Progress } from './progress.js';

/** How often a broken stream of events is opened again; the run itself is awaited in any case. */
const ATTEMPTS_MAX = 20;
const PAUSE_MS = 500;

/** The part of a run's events that makes a message; readers ignore what they do not know. */
const reportedEvent = z.object({
  type: z.string(),
  llm_call: z.object({ step: z.int() }).optional().catch(undefined),
  tool_call: z.object({ name: z.string() }).optional().catch(undefined),
  tool_result: z.object({ name: z.string() }).optional().catch(undefined),
});

/** Reports each step of the run until it ends. Never rejects: progress is not the result. */
export async function reportProgress(
  { clients, logger }: McpCaller['ctx'],
  runId: string,
  progress: Progress,
  call: Call,
): Promise<void> {
  let afterSeq = 0;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      for await (const { events } of clients.workflow.streamRunEvents(
        { runId, afterSeq, wait: true, limit: 0 },
        call,
      )) {
        for (const event of events) {
          afterSeq = event.seq;
          const message = toMessage(runId, event.data);
          if (message !== undefined) await progress.report(message);
        }
      }
      return;
    } catch (error) {
      const canRepeat = isAppError(error) && error.retryable && !call.isAborted && call.remainingMs() > 0;
      if (!canRepeat) {
        logger.warn({ err: error, run_id: runId }, 'progress of a run not reported');
        return;
      }
      await sleep(PAUSE_MS);
    }
  }
}

function toMessage(runId: string, data: Uint8Array): string | undefined {
  const event = reportedEvent.parse(JSON.parse(Buffer.from(data).toString()));
  switch (event.type) {
    case 'run_started':
      return `run ${runId} started`;
    case 'node_llm_call':
      return `the model answered step ${event.llm_call?.step ?? 0}`;
    case 'node_tool_call':
      return `calling ${event.tool_call?.name ?? 'a tool'}`;
    case 'node_tool_result':
      return `${event.tool_result?.name ?? 'a tool'} returned`;
    default:
      return undefined;
  }
}
