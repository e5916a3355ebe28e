import { randomUUID } from 'node:crypto';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Call, LocalNetwork, startCall } from '@tollgate/rpc';
import { elapsed, silentLogger } from '@tollgate/runtime';
import { configFromEnv } from '../config.js';
import { startAgentRegistry } from '../server.js';

/** A clock that advances by a millisecond on each read. */
export interface TestClock {
  ms: number;
  now(): Date;
  nowMs(): number;
  elapsed(): number;
}

export interface TestService {
  network: LocalNetwork;
  database: TestDatabase;
  clock: TestClock;
  stop(): Promise<void>;
}

/** Starts the service on its own schema. */
export async function startTestService(name: string): Promise<TestService> {
  const database = await testDatabase(name);
  const network = new LocalNetwork();
  const clock: TestClock = {
    ms: Date.parse('2030-01-01T00:00:00.000Z'),
    now: () => new Date(clock.ms++),
    nowMs: () => clock.ms,
    elapsed,
  };
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  const service = await startAgentRegistry(config, { network, logger: silentLogger, clock });
  return {
    network,
    database,
    clock,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

/** Callers with access to one project, and one without. */
export interface Callers {
  projectId: string;
  byProject: Call;
  byAnn: Call;
  byBob: Call;
  byStranger: Call;
}

export function newCallers(): Callers {
  const projectId = randomUUID();
  return {
    projectId,
    byProject: projectCall(projectId),
    byAnn: projectCall(projectId, randomUUID()),
    byBob: projectCall(projectId, randomUUID()),
    byStranger: projectCall(randomUUID()),
  };
}

/** Returns a call with a customer's token, or with the project's secret key when there is no customer. */
export function projectCall(projectId: string, customerId = ''): Call {
  const kind = customerId ? PrincipalKind.CUSTOMER : PrincipalKind.SECRET_KEY;
  return startCall({ principal: createMessage(PrincipalSchema, { kind, projectId, customerId }), timeoutMs: 60_000 });
}
