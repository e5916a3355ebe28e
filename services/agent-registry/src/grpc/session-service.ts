import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { appendSessionMessageBody } from '@tollgate/api/state';
import {
  type SessionMessageSchema,
  type SessionSchema,
  SessionService,
} from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { AppError } from '@tollgate/errors';
import { type Registration, register } from '@tollgate/rpc';
import { writeExactJson } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { type Session, type SessionMessage, visibleMetadata } from '../domain/session.js';
import { notFound } from '../operations/not-found.js';
import { readPage } from '../operations/page.js';
import { appendSessionMessage } from '../operations/sessions/append-session-message.js';
import { clearSession, createSession, getSession, updateSession } from '../operations/sessions/sessions.js';
import { deleteSession, listSessions } from '../store/sessions.js';
import { readObject, readValue } from './read-json.js';
import { requireScope } from './require-scope.js';

export function sessionService(ctx: Context): Registration {
  return register(SessionService, {
    async createSession({ customerId, metadataJson }, call) {
      const metadata = readObject(metadataJson, 'metadata');
      return {
        session: sessionToProto(await createSession(ctx, requireScope(call), customerId || undefined, metadata)),
      };
    },
    async getSession({ id }, call) {
      const { session, messages } = await getSession(ctx, requireScope(call), id);
      return { session: sessionToProto(session), messages: messages.map(messageToProto) };
    },
    async listSessions(req, call) {
      const scope = requireScope(call);
      const { rows, hasMore } = await readPage(req, (page) => listSessions(ctx.pool, scope, page));
      return { sessions: rows.map(sessionToProto), hasMore };
    },
    async updateSession({ id, metadataJson }, call) {
      const metadata = readObject(metadataJson, 'metadata');
      return { session: sessionToProto(await updateSession(ctx, requireScope(call), id, metadata)) };
    },
    async deleteSession({ id }, call) {
      if (!(await deleteSession(ctx.pool, requireScope(call), id))) throw notFound('session');
      return {};
    },
    async appendSessionMessage({ id, role, contentJson, runId, messageId }, call) {
      const values = { role, content: readValue(contentJson, 'content'), run_id: runId || undefined };
      const { success, error } = appendSessionMessageBody.safeParse(values);
      if (!success) throw new AppError('VALIDATION_ERROR', error.issues[0]?.message ?? 'the message is malformed');
      const message = { id: messageId || undefined, role, contentJson, runId: values.run_id };
      return { message: messageToProto(await appendSessionMessage(ctx, requireScope(call), id, message)) };
    },
    async clearSession({ id }, call) {
      return { session: sessionToProto(await clearSession(ctx, requireScope(call), id)) };
    },
  });
}

function sessionToProto(session: Session): MessageInitShape<typeof SessionSchema> {
  return {
    id: session.id,
    projectId: session.projectId,
    customerId: session.customerId ?? '',
    metadataJson: writeExactJson(visibleMetadata(session)),
    messageCount: session.messageCount,
    createdAt: timestampFromDate(session.createdAt),
    updatedAt: timestampFromDate(session.updatedAt),
  };
}

function messageToProto(message: SessionMessage): MessageInitShape<typeof SessionMessageSchema> {
  const { id, seq, role, contentJson, runId, createdAt } = message;
  return { id, seq, role, contentJson, runId: runId ?? '', createdAt: timestampFromDate(createdAt) };
}
