// `kill -9` of the service that delivers webhooks, repeated during deliveries: none is lost, none has a
// sixth attempt, and the delivery log shows each attempt that was made.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  customerBody,
  type Delivery,
  type Json,
  parseDelivery,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
  webhookBody,
} from '@tollgate/testkit';
import { must, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const CUSTOMERS = 90;
const ENDPOINTS = 3;
/** The counts of received requests at which the service is killed. */
const KILLS = [10, 60, 120, 200];
const ATTEMPTS_MAX = 5;

const system = useSystem({
  mode: 'separate processes',
  // With the five seconds of the fast schedule: a dead worker's deliveries are taken back after five and a half.
  env: { WEBHOOK_LEASE_MARGIN: '500ms', WEBHOOK_POLL_INTERVAL: '100ms', RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000' },
});
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver?.stop();
});

it('loses no delivery and repeats none more than five times when hooks-webhooks is killed', async () => {
  const project = await system.project();
  // Slow enough that attempts are in flight at every kill; every seventh request fails.
  let arrivals = 0;
  receiver.answerWith(() => ({ delayMs: 60, status: ++arrivals % 7 === 0 ? 503 : 200 }));
  const webhookIds = await makeWebhooks(project);
  const creating = createCustomers(project);
  for (const count of KILLS) {
    await receiver.waitForCount(count, 60_000);
    await system.kill('hooks-webhooks');
  }
  const customerIds = await creating;

  const log = await waitUntil(() => finishedLog(project, webhookIds), {
    what: 'every delivery to end',
    timeoutMs: 120_000,
  });
  expect(log).toHaveLength(CUSTOMERS * ENDPOINTS);
  const sent = arrivalsByDelivery(receiver.deliveries, webhookIds);
  for (const delivery of log) {
    const { status, attempt_count: count, attempts, webhook_config_id: webhookId, event_id: eventId } = delivery;
    const requests = sent.get(`${webhookId} ${eventId}`) ?? 0;
    expect(status).toBe('delivered');
    expect(requests).toBeGreaterThanOrEqual(1);
    // Attempts are counted before they are sent: some may not have been sent, but no request is uncounted.
    expect(requests).toBeLessThanOrEqual(count);
    expect(count).toBeLessThanOrEqual(ATTEMPTS_MAX);
    expect(attempts.map((attempt: Json) => attempt.attempt)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  }
  for (const webhookId of webhookIds) {
    const told = log
      .filter(({ webhook_config_id: id }) => id === webhookId)
      .map(({ payload }) => payload.data.customer.id);
    expect(told.sort()).toEqual([...customerIds].sort());
  }
  const outcomes = log.flatMap(({ attempts }) => attempts.map(({ outcome }: Json) => outcome));
  expect(outcomes).toContain('interrupted');
}, 600_000);

/** In the order of their paths: /0, /1 … */
async function makeWebhooks(project: TestProject): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < ENDPOINTS; n++) {
    const body = { ...webhookBody(`${receiver.url}${n}`), events: ['customer.created'], retry_schedule: 'fast' };
    ids.push(must(await project.owner.post(`/projects/${project.id}/webhooks`, body), 201).webhook.id);
  }
  return ids;
}

async function createCustomers(project: TestProject): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < CUSTOMERS; n++) {
    ids.push(must(await project.api.post('/customers', customerBody()), 201).customer.id);
  }
  return ids;
}

/** Returns the delivery logs that the owner sees once nothing is pending. */
async function finishedLog(project: TestProject, webhookIds: readonly string[]): Promise<Json[] | undefined> {
  const log: Json[] = [];
  for (const id of webhookIds) {
    const path = `/projects/${project.id}/webhooks/${id}/events?limit=200`;
    const { events } = must(await project.owner.get(path), 200);
    log.push(...events);
  }
  const isFinished = ({ status }: Json) => status === 'delivered' || status === 'failed';
  return log.length >= CUSTOMERS * ENDPOINTS && log.every(isFinished) ? log : undefined;
}

function arrivalsByDelivery(arrived: readonly Delivery[], webhookIds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const delivery of arrived) {
    const key = `${webhookIds[Number(delivery.path.slice(1))]} ${parseDelivery(delivery).event_id}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
