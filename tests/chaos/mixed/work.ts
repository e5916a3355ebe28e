// Work of every kind for one owner, and its final comparison.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { customerBody, type Json, type WebhookReceiver, waitUntil, webhookBody } from '@tollgate/testkit';
import { countingOpenAi } from '../../system/library-clients.js';
import { must, type System, type TestCustomer } from '../../system/start-system.js';
import { type ChaosHarness, expectNothingLost, expectRunSucceeds, openHarness, WALLET_MICROCENTS } from '../harness.js';
import { expectResponsesCompleted, expectResponsesPaidOnce, queueResponse } from '../loads/background-load.js';
import { expectBatchAnswered, readPaidHolds, startBatch } from '../loads/batch-load.js';
import { judgeKeys, startKeyedLoad } from '../loads/keyed-load.js';
import { startLoad } from '../loads/load.js';
import { randomWorkflow, startRun, startToolClient } from '../loads/run-load.js';
import type { Random } from '../random.js';
import { expectRunsPaidOnce } from '../run-reckoning.js';

const EDGES = ['edge-gateway', 'edge-gateway-2'] as const;
const BATCH_LINES = 60;
const BACKGROUND_RESPONSES = 20;
/** Between two runs, two background responses, two customers. */
const PAUSE_MS = 1_500;
/** Time of the remaining work after the last fault, on a slow machine. */
const REST_MS = 240_000;
/** The libraries repeat a request for a minute. */
const CLIENT = { maxRetries: 12, waitsAtMostMs: 5_000 };

export interface Work {
  /** Ends all work, and expects that nothing was lost, doubled, overspent or left undone. */
  finish(): Promise<string>;
}

/** Requests with and without keys, runs, a batch, background responses and webhooks, each of a customer of its own. */
export async function startWork(
  system: System,
  { journalFile, receiver, random }: { journalFile: string; receiver: WebhookReceiver; random: Random },
): Promise<Work> {
  const harness = await openHarness(system, journalFile);
  const customer = () => harness.project.customerOn('paygo', { walletMicrocents: WALLET_MICROCENTS });
  const [runner, sender, waiter] = [await customer(), await customer(), await customer()];
  const webhookId = await makeWebhook(harness, receiver);
  const payers = harness.payers.map((payer) => EDGES.map((edge) => payer.at(system.at(edge).baseUrl)));
  const load = startLoad(payers.flat(), 1);
  const keyed = startKeyedLoad(payers, 1);
  const batchClient = countingOpenAi(system, sender.token, CLIENT).client;
  const batchId = await startBatch(batchClient, BATCH_LINES);
  const runs = startRuns(runner, random);
  const responses = startResponses(system, waiter);
  const customers = startCustomers(harness);
  return {
    finish: async () => {
      await Promise.all([load.stop(), keyed.finish(REST_MS), runs.stop(), responses.stop(), customers.stop()]);
      for (const runId of runs.made) await expectRunSucceeds(runner.api, runId, REST_MS);
      await runs.leave();
      const paying = await expectBatchAnswered(batchClient, batchId, BATCH_LINES);
      const ended = await expectResponsesCompleted(responses.client, responses.made);
      await expectNothingLost(system, harness, load.asked, { settlingMs: REST_MS });
      expect(await judgeKeys(system, harness, keyed)).toEqual([]);
      await expectRunsPaidOnce(system, { ...harness, wallet: runner }, runs.made);
      expect(await readPaidHolds(system, sender.id)).toEqual(paying);
      await expectResponsesPaidOnce(system, waiter.id, ended);
      await expectDeliveredOnce(harness, webhookId, customers.made);
      const counts = [load.completed(), load.asked.length, keyed.answered(), keyed.repeats(), runs.made.length];
      return `${counts[0]} of ${counts[1]} requests complete, ${counts[2]} keys answered with ${counts[3]} repeats, ${counts[4]} runs`;
    },
  };
}

interface Series {
  made: string[];
  /** Starts no further one, and waits for the present one. */
  stop(): Promise<void>;
}

/** Makes one after the other until it is stopped, or `most` are made. */
function startMaking(make: (place: number) => Promise<string>, most = Number.POSITIVE_INFINITY): Series {
  const made: string[] = [];
  let isStopping = false;
  const work = async (): Promise<void> => {
    while (!isStopping && made.length < most) {
      made.push(await make(made.length));
      await sleep(PAUSE_MS);
    }
  };
  const working = work();
  working.catch(() => undefined); // Reported when it is stopped.
  return {
    made,
    stop: () => {
      isStopping = true;
      return working;
    },
  };
}

/** `leave` ends the client that answers the runs' tool calls. */
function startRuns({ api }: TestCustomer, random: Random): Series & { leave(): Promise<void> } {
  const runs = startMaking(() => startRun(api, randomWorkflow(random)));
  return { ...runs, leave: startToolClient(api, runs.made).stop };
}

/** Repeats carry the same key, so that each response is queued once. */
function startResponses(system: System, { token }: TestCustomer) {
  const { client } = countingOpenAi(system, token, CLIENT);
  return { client, ...startMaking((place) => queueResponse(client, place), BACKGROUND_RESPONSES) };
}

/** Creates customers; a webhook is delivered for each. */
function startCustomers({ project }: ChaosHarness): Series {
  return startMaking(async () => {
    const externalId = randomUUID();
    const body = { ...customerBody(), external_id: externalId };
    const create = async () => {
      const { status } = await project.api.post('/customers', body);
      // A repeat finds the customer of a request whose answer was lost.
      return status === 201 || status === 409;
    };
    await waitUntil(create, { what: 'a customer', timeoutMs: REST_MS });
    return externalId;
  });
}

async function makeWebhook({ project }: ChaosHarness, receiver: WebhookReceiver): Promise<string> {
  const body = { ...webhookBody(receiver.url), events: ['customer.created'], retry_schedule: 'fast' };
  return must(await project.owner.post(`/projects/${project.id}/webhooks`, body), 201).webhook.id;
}

/** Every customer that was created after the webhook has one delivery, which was delivered. */
async function expectDeliveredOnce(
  { project }: ChaosHarness,
  webhookId: string,
  externalIds: readonly string[],
): Promise<void> {
  const read = async (): Promise<Json[]> => {
    const events: Json[] = [];
    for (let cursor = ''; ; ) {
      const query = `limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = must(await project.owner.get(`/projects/${project.id}/webhooks/${webhookId}/events?${query}`), 200);
      events.push(...page.events);
      cursor = page.next_cursor ?? '';
      if (!cursor) return events;
    }
  };
  const log = await waitUntil(
    async () => {
      const events = await read();
      return events.length >= externalIds.length && events.every(({ status }) => status === 'delivered') && events;
    },
    { what: 'every webhook to be delivered', timeoutMs: REST_MS },
  );
  const delivered: string[] = log.map(({ payload }) => payload.data.customer.external_id);
  expect(delivered.sort()).toEqual([...externalIds].sort());
}
