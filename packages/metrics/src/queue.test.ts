import { expect, it } from '@jest/globals';
import { parseMetrics } from '@tollgate/testkit';
import { MetricsRegistry } from './metrics-registry.js';
import { countLeaseLosses, observeQueue } from './queue.js';

it('shows depth, age and lease losses of each queue of each service', async () => {
  const registry = new MetricsRegistry();
  const engine = registry.forService('workflow-engine');
  const ledger = registry.forService('billing-ledger');
  observeQueue(engine, 'runs', async () => ({ count: 3, oldestSeconds: 12.5 }));
  observeQueue(ledger, 'payment_undo', async () => ({ count: 0, oldestSeconds: 0 }));
  countLeaseLosses(engine, 'runs').add(2);
  const page = parseMetrics(await registry.scrape());
  const values = (name: string) =>
    page[name]?.samples.map(({ labels, value }) => [labels.service, labels.queue, value]);
  expect(values('tollgate_queue_depth')).toEqual([
    ['workflow-engine', 'runs', 3],
    ['billing-ledger', 'payment_undo', 0],
  ]);
  expect(values('tollgate_queue_oldest_age_seconds')).toEqual([
    ['workflow-engine', 'runs', 12.5],
    ['billing-ledger', 'payment_undo', 0],
  ]);
  expect(values('tollgate_lease_losses_total')).toEqual([['workflow-engine', 'runs', 2]]);
});
