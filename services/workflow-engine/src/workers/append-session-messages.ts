import { fromBinary } from '@bufbuild/protobuf';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isTransientError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { createLoop, type Loop } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { sessionMessageId } from '../domain/values/ids.js';
import { type DueSessionMessage, deleteSessionMessage, takeSessionMessages } from '../store/session-messages.js';

const INTERVAL_MS = 1_000;
/** Joins the wake-ups of runs that end at the same time. */
const SPACING_MS = 20;
const PER_PASS = 50;
const TIMEOUT_MS = 5_000;
/** About half a day with the growing pauses. */
const TRIES_MAX = 24;

type Deps = Pick<Context, 'pool' | 'logger' | 'clients'>;

/**
 * Appends what succeeded runs have to say to their sessions. The queue is written in the run's last transaction and the
 * message's id follows from the run's, so that each is appended once, whatever crashes in between.
 */
export function createSessionWriter(ctx: Deps): Loop {
  return createLoop({
    name: 'sessions.append',
    intervalMs: INTERVAL_MS,
    spacingMs: SPACING_MS,
    logger: ctx.logger,
    run: async () => {
      const due = await takeSessionMessages(ctx.pool, PER_PASS);
      for (const message of due) await append(ctx, message);
      return due.length === PER_PASS;
    },
  });
}

async function append({ pool, logger, clients }: Deps, message: DueSessionMessage): Promise<void> {
  const { runId, sessionId, content, tries } = message;
  const call = startCall({ principal: fromBinary(PrincipalSchema, message.principal), timeoutMs: TIMEOUT_MS });
  const contentJson = JSON.stringify(content);
  try {
    const messageId = sessionMessageId(runId);
    await clients.sessions.appendSessionMessage(
      { id: sessionId, role: 'assistant', contentJson, runId, messageId },
      call,
    );
  } catch (error) {
    // A session that was deleted or is full stays so.
    const isFinal = !isTransientError(error) || tries >= TRIES_MAX;
    const facts = { err: error, run_id: runId, session_id: sessionId, tries };
    logger[isFinal ? 'error' : 'warn'](facts, 'session message not appended');
    if (!isFinal) return;
  }
  await deleteSessionMessage(pool, runId);
}
