// The system with a real Kafka broker: a consumer that knows only the topic, the CloudEvents headers and the
// contract gets the same amounts as the ledger for every request, to the microcent.
import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestCompletedSchema } from '@tollgate/contracts/events/v1/requests_pb.js';
import { type UsageRecorded, UsageRecordedSchema } from '@tollgate/contracts/events/v1/usage_pb.js';
import { responsesBody, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs';
import { must, SANDBOX_MODEL, UPSTREAM_MODEL } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const TOPIC = 'tollgate.usage.v1';
const REQUESTS_TOPIC = 'tollgate.requests.v1';
const REQUESTS = 20;

interface Received {
  headers: Record<string, string>;
  key: string;
  usage: UsageRecorded;
}

describeWith('KAFKA_BROKERS', 'on Kafka', (brokers) => {
  const kafka = new Kafka({ clientId: 'reconciler', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `reconciler-${randomUUID()}` });
  const received: Received[] = [];
  /** Ids of `request.completed` by project. */
  const completed = new Map<string, Set<string>>();
  const system = useSystem({ env: { KAFKA_BROKERS: brokers } });

  beforeAll(async () => {
    await consumer.connect();
    // The system creates a topic with its first event.
    must(await (await system.project()).api.post('/responses', responsesBody()), 200);
    await topicExists();
    await consumer.subscribe({ topics: [TOPIC, REQUESTS_TOPIC], fromBeginning: true });
    await consumer.run({
      eachMessage: async (record) =>
        record.topic === TOPIC ? void received.push(read(record)) : readCompleted(record),
    });
  });
  afterAll(async () => {
    await consumer.disconnect();
  });

  async function topicExists(): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      await waitUntil(
        async () => (await admin.listTopics()).filter((name) => [TOPIC, REQUESTS_TOPIC].includes(name)).length === 2,
        {
          what: 'the topics',
        },
      );
    } finally {
      await admin.disconnect();
    }
  }

  it('publishes every charged request, with the sums of the ledger', async () => {
    const project = await system.project();
    const customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, i) => {
        const model = i % 2 ? UPSTREAM_MODEL : SANDBOX_MODEL;
        return (i % 3 ? customer.api : project.api).post('/responses', responsesBody(`question ${i}`, { model }));
      }),
    );
    for (const answer of answers) must(answer, 200);
    const mine = () => received.filter(({ usage }) => usage.projectId === project.id);
    // Delivery is at least once: events with the same id count once.
    const distinct = () => [...new Map(mine().map((event) => [event.headers.ce_id, event.usage])).values()];
    await waitUntil(() => distinct().length >= REQUESTS, { what: 'the events of all requests' });

    for (const { headers, key, usage } of mine()) {
      expect(headers).toMatchObject({
        ce_specversion: '1.0',
        ce_type: 'usage.recorded',
        ce_source: '/tollgate/billing-ledger',
        'content-type': 'application/protobuf',
        ce_partitionkey: key,
      });
      expect(Number.isNaN(Date.parse(headers.ce_time ?? ''))).toBe(false);
      expect(key).toBe(usage.accountId);
    }
    const ids = new Set(mine().map(({ headers }) => headers.ce_id));
    await waitUntil(() => completed.get(project.id)?.size === REQUESTS, { what: 'request.completed of all requests' });
    expect(completed.get(project.id)).toEqual(ids);

    const events = distinct();
    expect(new Set(events.map(({ holdId }) => holdId)).size).toBe(events.length);

    const rows = await system.query<{ request_id: string; customer: string; owner: string; tokens: string }>(
      `SELECT request_id, coalesce(customer_microcents, 0) AS customer, owner_microcents AS owner,
         input_tokens + output_tokens AS tokens
       FROM billing_ledger.holds WHERE terms->>'projectId' = $1 AND state = 1`,
      [project.id],
    );
    const announced = events.map((event) => [
      event.holdId,
      event.customerMicrocents,
      event.providerMicrocents,
      (event.usage?.inputTokens ?? 0n) + (event.usage?.outputTokens ?? 0n),
    ]);
    const posted = rows.map((row) => [row.request_id, BigInt(row.customer), BigInt(row.owner), BigInt(row.tokens)]);
    expect(announced.sort(byId)).toEqual(posted.sort(byId));
    expect(posted).toHaveLength(REQUESTS);

    const sum = (amounts: bigint[]) => Number(amounts.reduce((total, amount) => total + amount, 0n));
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(sum(events.map((event) => event.customerMicrocents))).toBe(usage.total_cost_microcents);
    const balance = must(await project.owner.get('/account/balance'), 200).balance_microcents;
    expect(sum(events.map((event) => event.providerMicrocents))).toBe(100_000 * 1_000_000 - balance);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
  });

  function byId(a: unknown[], b: unknown[]): number {
    return String(a[0]).localeCompare(String(b[0]));
  }

  function readCompleted({ message }: EachMessagePayload): void {
    const { projectId } = fromBinary(RequestCompletedSchema, message.value ?? new Uint8Array());
    const ids = completed.get(projectId) ?? new Set();
    completed.set(projectId, ids.add(String(message.headers?.ce_id)));
  }

  function read({ message }: EachMessagePayload): Received {
    const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
    return {
      headers: Object.fromEntries(headers),
      key: String(message.key),
      usage: fromBinary(UsageRecordedSchema, message.value ?? new Uint8Array()),
    };
  }
});
