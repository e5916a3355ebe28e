import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { SqlProfile } from '@tollgate/contracts/agents/v1/sql_pb.js';

export function profileJson(profile: SqlProfile | undefined) {
  const { id, projectId, name, policyJson, createdAt, updatedAt } = profile!;
  return {
    id,
    project_id: projectId,
    name,
    policy: JSON.parse(policyJson),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
  };
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
