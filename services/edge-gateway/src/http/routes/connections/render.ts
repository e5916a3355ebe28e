import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { connectionSchema } from '@tollgate/api/connections';
import type { Connection } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { z } from 'zod';
import type { ConnectionEntry } from '../../../domain/connections/connection-entry.js';

/** Returns the stored settings of a connection. */
export function readEntry({ entryJson }: Connection): ConnectionEntry {
  return JSON.parse(entryJson) as ConnectionEntry;
}

export function toMode(mode: 'prefer' | 'only'): OwnConnections {
  return mode === 'only' ? OwnConnections.ONLY : OwnConnections.PREFER;
}

export function connectionJson(connection: Connection): z.output<typeof connectionSchema> {
  const { id, projectId, name, mode, models, createdAt, updatedAt } = connection;
  return {
    id,
    project_id: projectId,
    name,
    mode: mode === OwnConnections.ONLY ? 'only' : 'prefer',
    ...readEntry(connection),
    models: models.map(({ modelId, upstreamModel }) => ({ model: modelId, upstream_model: upstreamModel })),
    created_at: timestampDate(createdAt!).toISOString(),
    updated_at: timestampDate(updatedAt!).toISOString(),
  };
}
