// Work of every kind under faults of every kind: nothing is lost, doubled, overspent or left undone. One round of half a
// minute; `CHAOS_MINUTES=30` repeats rounds for that time, and `CHAOS_SEED` repeats the faults and workflows of a run.
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type LocalDatabase, SERVICE_NAMES, startLocalDatabase } from '@tollgate/local';
import { elapsed } from '@tollgate/runtime';
import { startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { type System, startSystem } from '../../system/start-system.js';
import { seeded } from '../random.js';
import { useStoredClock } from '../stored-clock.js';
import { startStorm } from './faults.js';
import { startWork } from './work.js';

const SEED = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
const MINUTES = Number(process.env.CHAOS_MINUTES ?? 0);
const ROUND_MS = MINUTES > 0 ? 90_000 : 30_000;
const REPLICATED = ['billing-ledger', 'gateway-inference', 'edge-gateway', 'workflow-engine'] as const;
const PROCESSES = [...SERVICE_NAMES, ...REPLICATED.map((name) => `${name}-2`)];
/** A round and the rest of its work on a slow machine. */
const TEST_MS = (MINUTES + 15) * 60_000;

let folder: string;
let journalFile: string;
let database: LocalDatabase;
let system: System;
let receiver: WebhookReceiver;

const library = process.env.LIBFAKETIME;
const clockFile = (key: string): string => join(folder, key);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'));
  chmodSync(folder, 0o755); // as root the server runs under another account, which has to enter
  journalFile = join(folder, 'provider.ndjson');
  database = await startLocalDatabase(join(folder, 'postgres'), () => undefined);
  receiver = await startWebhookReceiver();
  system = await startSystem({
    mode: 'separate processes',
    journalFile,
    database: { url: database.url, drop: async () => undefined },
    replicas: Object.fromEntries(REPLICATED.map((name) => [name, 2])),
    env: {
      HOLD_TTL: '8s',
      HOLD_SWEEP_INTERVAL: '250ms',
      WORK_LEASE: '3s',
      WORK_HEARTBEAT: '1s',
      WORK_POLL: '250ms',
      WEBHOOK_LEASE_MARGIN: '500ms',
      RESPONSE_STORAGE: '1',
      // Signed-in users and customers stay signed in for longer than the largest step of a clock.
      ACCESS_TOKEN_TTL: '24h',
      RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
      RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
      RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
    },
    ...(library && { envFor: (key: string) => useStoredClock(library, clockFile(key)) }),
  });
}, TEST_MS);
afterAll(async () => {
  await system?.stop();
  await receiver?.stop();
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
}, TEST_MS);

it(
  `completes all work and charges it once under faults of all kinds (CHAOS_SEED=${SEED})`,
  async () => {
    const endsAt = elapsed() + MINUTES * 60_000;
    for (let round = 0; round === 0 || elapsed() < endsAt; round++) {
      const random = seeded(SEED + round);
      const work = await startWork(system, { journalFile, receiver, random });
      const targets = { system, processes: PROCESSES, clockFile: library ? clockFile : undefined };
      const storm = startStorm(targets, seeded(SEED + round));
      await sleep(ROUND_MS);
      await storm.stop();
      console.info(`round ${round}: ${storm.events.join(', ')}`);
      console.info(await work.finish());
      expect(storm.events.length).toBeGreaterThan(0);
    }
  },
  TEST_MS,
);
