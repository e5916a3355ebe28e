import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SessionMessageSchema, SessionSchema } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { writeExactJson } from '@tollgate/runtime';
import { type Session, type SessionMessage, visibleMetadata } from '../domain/session.js';

export function sessionToProto(session: Session): MessageInitShape<typeof SessionSchema> {
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

export function messageToProto(message: SessionMessage): MessageInitShape<typeof SessionMessageSchema> {
  const { id, seq, role, contentJson, runId, createdAt } = message;
  return { id, seq, role, contentJson, runId: runId ?? '', createdAt: timestampFromDate(createdAt) };
}
