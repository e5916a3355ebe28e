import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { GrpcNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { startAgentRegistry } from './server.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});

afterAll(() => database.drop());

describe('startAgentRegistry', () => {
  it('serves over gRPC, keeps its data over a restart, and refuses calls after stop', async () => {
    const config = configFromEnv({
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: '0',
    });
    const projectId = randomUUID();
    const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId });

    const first = await startAgentRegistry(config, { logger: silentLogger });
    const network = new GrpcNetwork({ addresses: { [AgentService.typeName]: first.address! } });
    const client = network.client(AgentService);
    await client.createAgent({ slug: 'helper', values: { name: 'Helper' } }, startCall({ principal }));
    await expect(client.getAgent({ slug: 'nobody' }, startCall({ principal }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'agent not found',
    });
    await first.stop();
    await expect(client.getAgent({ slug: 'nobody' }, startCall({ principal }))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await network.close();

    const second = await startAgentRegistry(config, { logger: silentLogger });
    const again = new GrpcNetwork({ addresses: { [AgentService.typeName]: second.address! } });
    const listed = await again.client(AgentService).listAgents({ limit: 1 }, startCall({ principal }));
    expect(listed.agents).toHaveLength(1);
    await again.close();
    await second.stop();
  });
});
