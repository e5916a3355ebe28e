import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ConnectionSchema,
  ConnectionService,
  type CreateConnectionRequest,
} from '@tollgate/contracts/billing/v1/connections_pb.js';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import type { ConnectionMode } from '../domain/connections/connection.js';
import {
  createConnection,
  deleteConnection,
  openConnections,
  requireConnection,
  updateConnection,
  type WrittenConnection,
} from '../operations/connections/write-connection.js';
import { toOwnConnections } from '../operations/holds/admit.js';
import { type ProjectConnection, selectConnections } from '../store/connections/connections.js';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** The RPCs on the connections of projects. */
export function connectionService(ctx: Context): Registration {
  return register(ConnectionService, {
    createConnection: async (req, call) => ({
      connection: toMessage(await createConnection(ctx, requireOwned(call), toWritten(req))),
    }),
    getConnection: async ({ id }, call) => ({
      connection: toMessage(await requireConnection(ctx, requireOwned(call), id)),
    }),
    async listConnections({ limit, offset }, call) {
      const size = Math.min(limit > 0 ? limit : PAGE_DEFAULT, PAGE_MAX);
      const page = { limit: size + 1, offset: Math.max(0, offset) };
      const rows = await selectConnections(ctx.pool, requireOwned(call), page);
      return { connections: rows.slice(0, size).map(toMessage), hasMore: rows.length > size };
    },
    updateConnection: async (req, call) => ({
      connection: toMessage(await updateConnection(ctx, requireOwned(call), req, toWritten(req))),
    }),
    async deleteConnection({ id }, call) {
      await deleteConnection(ctx, requireOwned(call), id);
      return {};
    },
    async openConnections(_req, call) {
      const opened = await openConnections(ctx, call.requirePrincipal().projectId);
      return {
        connections: opened.map(({ connection, secretsJson }) => ({ connection: toMessage(connection), secretsJson })),
      };
    },
  });
}

/** Only owners may see or change the connections of their project. */
function requireOwned(call: Call): string {
  const { kind, projectId } = call.requirePrincipal();
  if (kind !== PrincipalKind.OWNER) throw new AppError('FORBIDDEN', 'only the owner of the project may do this');
  if (!projectId) throw new AppError('UNAUTHORIZED', 'the credential has no project');
  return projectId;
}

const MODES: Partial<Record<OwnConnections, ConnectionMode>> = {
  [OwnConnections.PREFER]: 'prefer',
  [OwnConnections.ONLY]: 'only',
};

function toWritten(
  req: Pick<CreateConnectionRequest, 'name' | 'mode' | 'entryJson' | 'models' | 'secretsJson'>,
): WrittenConnection {
  const { name, mode, entryJson, models, secretsJson } = req;
  return { name, mode: MODES[mode], entryJson, models, secretsJson };
}

function toMessage(connection: ProjectConnection): MessageInitShape<typeof ConnectionSchema> {
  const { id, projectId, name, mode, entryJson, models, version, createdAt, updatedAt } = connection;
  return {
    ...{ id, projectId, name, entryJson, version },
    mode: toOwnConnections(mode),
    models: models.map((model) => ({ modelId: model.modelId, upstreamModel: model.upstreamModel })),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}
