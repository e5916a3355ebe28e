// A scrape of a system under load, compared with the list that dashboards, rules and runbooks are checked against.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type MetricFamily,
  parseMetrics,
  responsesBody,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
  webhookBody,
} from '@tollgate/testkit';
import { SANDBOX_MODEL, type System, startSystem, UPSTREAM_MODEL } from '../../system/start-system.js';
import { runbookStatements } from './expressions.js';
import { contract, metricsInCode, RARE } from './metrics-contract.js';

const defined = metricsInCode();
/** Only on the series of failed requests, as the conventions of OpenTelemetry ask. */
const OPTIONAL = new Set(['error_type']);
const expected = Object.entries(contract).filter(([name]) => defined.includes(name) && !RARE.includes(name));

describe('a system under load', () => {
  let system: System;
  let receiver: WebhookReceiver;
  let page: Record<string, MetricFamily>;

  beforeAll(async () => {
    system = await startSystem({ mode: 'one process', env: { LEDGER_VERIFY_INTERVAL: '1s' } });
    receiver = await startWebhookReceiver();
    await load(system, receiver);
    await waitUntil(
      async () => {
        page = await scrape(system);
        return missing(page).length === 0;
      },
      { what: 'every metric', timeoutMs: 60_000 },
    ).catch(() => undefined); // the test below says which one is missing
  }, 180_000);
  afterAll(async () => {
    await system.stop();
    await receiver.stop();
  });

  it('emits every listed metric that the code defines', () => {
    expect(missing(page)).toEqual([]);
  });

  it('emits no metric of its own that is not on the list', () => {
    const own = Object.keys(page).filter((name) => /^(tollgate|process|nodejs)_/.test(name));
    expect(own.filter((name) => !contract[name])).toEqual([]);
  });

  it.each(expected)('emits %s with the listed type, labels and values', (name, { type, labels }) => {
    const family = page[name];
    expect(family?.type).toBe(type);
    for (const sample of family?.samples ?? []) {
      const { service, le, ...others } = sample.labels;
      expect(service).toEqual(expect.any(String));
      expect(le === undefined).toBe(!sample.name.endsWith('_bucket'));
      const always = Object.keys(labels).filter((label) => !OPTIONAL.has(label) || label in others);
      expect(Object.keys(others).toSorted()).toEqual(always.toSorted());
      for (const [label, value] of Object.entries(others)) if (labels[label]) expect(labels[label]).toContain(value);
    }
  });

  it.each(runbookStatements)('runs the SQL of $where', async ({ statement }) => {
    for (const each of statement.split(';').filter((text) => text.trim() !== '')) {
      await expect(system.query(each)).resolves.toEqual(expect.any(Array));
    }
  });
});

/** Causes at least one series of every metric that is not caused by a failure. */
async function load(system: System, receiver: WebhookReceiver): Promise<void> {
  const project = await system.project();
  await project.owner.post(`/projects/${project.id}/webhooks`, webhookBody(receiver.url));
  await project.owner.post('/account/topup', { amount_cents: 1_000 });
  await project.api.post('/responses', responsesBody('say 7 tokens', { model: UPSTREAM_MODEL }));
  await project.api.post('/responses', responsesBody('hello', { model: 'no/such-model' }));
  await (await project.api.ndjson('/responses', responsesBody('hello', { stream: true, model: UPSTREAM_MODEL }))).all();
  const node = { id: 'a', type: 'llm.responses', input: responsesBody('hi', { model: SANDBOX_MODEL }) };
  const spec = { kind: 'workflow.v0', nodes: [node], outputs: [{ name: 'o', from: 'a' }] };
  const run = await project.api.post('/runs', { spec });
  await (await project.api.ndjson(`/runs/${run.body.run_id}/events`)).all();
}

async function scrape(system: System): Promise<Record<string, MetricFamily>> {
  const [place] = Object.values(system.stack.services);
  return parseMetrics(await (await fetch(`${place?.health}/metrics`)).text());
}

function missing(page: Record<string, MetricFamily>): string[] {
  return expected.flatMap(([name]) => (page[name]?.samples.length ? [] : [name]));
}
