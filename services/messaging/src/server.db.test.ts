import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { GrpcNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { startMessaging } from './server.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});

afterAll(() => database.drop());

describe('startMessaging', () => {
  it('serves over gRPC, keeps its data over a restart, and is unavailable after a stop', async () => {
    const config = configFromEnv({
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: '0',
    });
    const projectId = randomUUID();
    const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId });
    const to = `agent:helper@${projectId}`;

    const first = await startMessaging(config, { logger: silentLogger });
    const network = new GrpcNetwork({ addresses: { [MessagingService.typeName]: first.address! } });
    const client = network.client(MessagingService);
    await client.sendMessage({ to, subject: 'hello', bodyJson: '{}' }, startCall({ principal }));
    await expect(client.getMessage({ id: randomUUID() }, startCall({ principal }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'message not found',
    });
    await first.stop();
    await expect(client.getMessage({ id: randomUUID() }, startCall({ principal }))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await network.close();

    const second = await startMessaging(config, { logger: silentLogger });
    const again = new GrpcNetwork({ addresses: { [MessagingService.typeName]: second.address! } });
    const listed = await again.client(MessagingService).listMessages({ to, limit: 1 }, startCall({ principal }));
    expect(listed.messages).toHaveLength(1);
    await again.close();
    await second.stop();
  });
});
