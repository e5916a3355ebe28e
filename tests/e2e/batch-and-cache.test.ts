// Batches of requests and cached answers: what an app gets, and what it pays.
import { describe, expect, it } from '@jest/globals';
import { type Json, parseDelivery, responsesBody, startWebhookReceiver, webhookBody } from '@tollgate/testkit';
import { must, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

/** Price of the harness's tiers per token of the sandbox's model. */
const PRICE = { input: 100, output: 300 };

describe('batches and the response cache', () => {
  const system = useSystem();
  const project = useProject(system);

  const readUsage = async ({ api }: TestCustomer): Promise<Json> =>
    must(await api.get('/customers/me/usage'), 200).usage;
  const computeCost = ({ input_tokens: input, output_tokens: output }: Json): number =>
    input * PRICE.input + output * PRICE.output;
  const item = (id: string, text = id, more: Json = {}) => ({ id, ...responsesBody(text, more) });

  describe('POST /responses/batch', () => {
    it('costs what its answers cost, and nothing more when it is repeated under its key', async () => {
      const customer = await project.customerOn('free');
      const tools = [{ type: 'function', function: { name: 'kv.write' } }];
      const requests = [item('a'), item('b', 'fail with 500'), item('c', 'call tool kv.write', { tools })];
      const headers = { 'idempotency-key': 'batch-1' };
      const answer = must(await customer.api.post('/responses/batch', { requests }, headers), 200);
      expect(answer.results).toMatchObject([
        { id: 'a', status: 'success', response: { output: [{ content: [{ text: 'Echo: a' }] }] } },
        { id: 'b', status: 'error', error: { code: 'PROVIDER_ERROR', batch_id: answer.id, item_id: 'b' } },
        { id: 'c', status: 'success', response: { tool_results: [{ name: 'kv.write', output: { ok: true } }] } },
      ]);
      const paid = await readUsage(customer);
      expect(paid.total_cost_microcents).toBe(computeCost(answer.usage));
      expect(must(await customer.api.post('/responses/batch', { requests }, headers), 200)).toEqual(answer);
      expect(await readUsage(customer)).toEqual(paid);
    });

    it('admits as many of its requests as the wallet covers, however many start at once', async () => {
      // 12 characters are 3 tokens, the message 4 more.
      const hold = 7 * PRICE.input + 100 * PRICE.output;
      const customer = await project.customerOn('paygo', { walletMicrocents: BigInt(3 * hold - 1) });
      const requests = Array.from({ length: 12 }, (_, i) => item(`${i}`, 'wait 2000 ms', { max_output_tokens: 100 }));
      const body = { requests, options: { max_concurrent: 12 } };
      const { results } = must(await customer.api.post('/responses/batch', body), 200);
      const outcomes = results.map((result: Json) => result.error?.code ?? result.status);
      expect(outcomes.filter((outcome: string) => outcome === 'success')).toHaveLength(2);
      expect(new Set(outcomes)).toEqual(new Set(['success', 'WALLET_EMPTY']));
      const { reserved_microcents } = must(await customer.api.get('/customers/me/balance'), 200);
      expect(reserved_microcents).toBe(0);
    });
  });

  describe('X-Service-Cache', () => {
    const cached = { 'x-service-cache': '1' };
    const exact = (text: string) => responsesBody(text, { temperature: 0 });

    it('answers an exact repeat at no charge, and its webhook reports the source', async () => {
      const receiver = await startWebhookReceiver();
      try {
        must(await project.owner.post(`/projects/${project.id}/webhooks`, webhookBody(receiver.url)), 201);
        const customer = await project.customerOn('free');
        const first = must(await customer.api.post('/responses', exact('once'), cached), 200);
        const { total_cost_microcents: paid } = await readUsage(customer);
        expect(paid).toBe(computeCost(first.usage));
        expect(must(await customer.api.post('/responses', exact('once'), cached), 200)).toEqual(first);
        const events = await (await customer.api.ndjson('/responses', exact('once'), cached)).all();
        expect(events.at(-1)).toMatchObject({ type: 'completion', content: 'Echo: once', usage: first.usage });
        expect((await readUsage(customer)).total_cost_microcents).toBe(paid);
        const repeat = await receiver.waitFor(
          ({ rawBody }) => rawBody.includes(customer.id) && rawBody.includes('response_cache'),
        );
        expect(parseDelivery(repeat).data).toMatchObject({ execution_origin: 'response_cache', success: true });
        const other = await project.customerOn('free');
        must(await other.api.post('/responses', exact('once'), cached), 200);
        expect((await readUsage(other)).total_cost_microcents).toBe(paid);
      } finally {
        await receiver.stop();
      }
    });

    it('defaults to the setting of the project and bypasses the cache when it is 0', async () => {
      const owned = await system.project();
      must(await owned.owner.put(`/projects/${owned.id}`, { response_cache: true }), 200);
      const customer = await owned.customerOn('free');
      const costs: number[] = [];
      for (const headers of [{}, {}, { 'x-service-cache': '0' }] as Record<string, string>[]) {
        must(await customer.api.post('/responses', exact('again'), headers), 200);
        costs.push((await readUsage(customer)).total_cost_microcents);
      }
      expect(costs).toEqual([costs[0], costs[0], 2 * costs[0]!]);
    });
  });

  it('leaves the ledger without differences, open holds or unreconciled amounts', async () => {
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
  });
});
