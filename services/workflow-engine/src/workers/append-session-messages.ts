import type { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { decodeMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isTransientError } from '@tollgate/errors';
import { type Client, startCall } from '@tollgate/rpc';
import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { sessionMessageId } from '../domain/values/ids.js';
import type { Pool } from '../store/database.js';
import { type DueSessionMessage, deleteSessionMessage, takeSessionMessages } from '../store/queues/session-messages.js';

const INTERVAL_MS = 1_000;
/** Joins the wake-ups of runs that end at the same time. */
const SPACING_MS = 20;
const PER_PASS = 50;
const TIMEOUT_MS = 5_000;
/** With the growing delays this is about half a day. */
const TRIES_MAX = 24;

interface SessionWriterContext {
  pool: Pool;
  logger: Logger;
  clients: { sessions: Client<typeof SessionService> };
}

/**
 * Appends the messages of succeeded runs to their sessions. The queue is written in the run's last transaction, and the
 * message id is derived from the run id, so each message is appended once even after a crash.
 */
export function createSessionWriter(ctx: SessionWriterContext): Loop {
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

async function append({ pool, logger, clients }: SessionWriterContext, message: DueSessionMessage): Promise<void> {
  const { runId, sessionId, content, tries } = message;
  const call = startCall({ principal: decodeMessage(PrincipalSchema, message.principal), timeoutMs: TIMEOUT_MS });
  const contentJson = JSON.stringify(content);
  try {
    const messageId = sessionMessageId(runId);
    await clients.sessions.appendSessionMessage(
      { id: sessionId, role: 'assistant', contentJson, runId, messageId },
      call,
    );
  } catch (error) {
    // Deleted and full sessions do not recover.
    const isFinal = !isTransientError(error) || tries >= TRIES_MAX;
    const fields = { err: error, run_id: runId, session_id: sessionId, tries };
    logger[isFinal ? 'error' : 'warn'](fields, 'session message not appended');
    if (!isFinal) return;
  }
  await deleteSessionMessage(pool, runId);
}
