import { expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { parseMetrics } from '@tollgate/testkit';
import { type IsUp, observeDependencies } from './observe-dependencies.js';

it('reports 1, 0 for failed and late checks, and nothing for what is not known', async () => {
  let calls = 0;
  const hang = () => {
    calls++;
    return new Promise<boolean>(() => undefined);
  };
  const registry = new MetricsRegistry();
  const dependencies = new Map<string, IsUp>([
    ['database', async () => true],
    ['redis', () => false],
    ['kafka', () => Promise.reject(new Error('unavailable'))],
    ['billing-ledger', () => undefined],
    ['messaging', hang],
  ]);
  observeDependencies(registry.forService('edge-gateway'), dependencies, { answerMs: 5 });
  for (let scrapes = 0; scrapes < 3; scrapes++) {
    const { tollgate_dependency_up: up } = parseMetrics(await registry.scrape());
    const values = up?.samples.map(({ labels, value }) => [labels.dependency, value]);
    expect(values).toEqual([
      ['database', 1],
      ['redis', 0],
      ['kafka', 0],
      ['messaging', 0],
    ]);
  }
  expect(calls).toBe(1);
});
