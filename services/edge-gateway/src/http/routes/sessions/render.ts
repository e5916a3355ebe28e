import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Session, SessionMessage } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { parseExactJson } from '@tollgate/runtime';

export function sessionJson(session: Session | undefined) {
  const { id, projectId, customerId, metadataJson, messageCount, createdAt, updatedAt } = session!;
  return {
    id,
    project_id: projectId,
    customer_id: customerId || undefined,
    metadata: parseExactJson(metadataJson),
    message_count: messageCount,
    created_at: time(createdAt),
    updated_at: time(updatedAt),
  };
}

export function sessionMessageJson(message: SessionMessage | undefined) {
  const { id, seq, role, contentJson, runId, createdAt } = message!;
  return {
    id,
    seq,
    role,
    content: parseExactJson(contentJson),
    run_id: runId || undefined,
    created_at: time(createdAt),
  };
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
