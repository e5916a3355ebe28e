import { describe, expect, it } from '@jest/globals';
import { toPublicStatus } from './public-status.js';

type States = Record<string, 'up' | 'degraded' | 'down'>;

function statusWith(states: States, status: 'ready' | 'degraded' | 'unavailable' = 'degraded'): Record<string, string> {
  const dependencies = Object.entries(states).map(([name, state]) => ({ name, state }));
  const result = toPublicStatus({ status, dependencies });
  const affected = result.areas.filter((area) => area.status !== 'operational');
  return { all: result.status, ...Object.fromEntries(affected.map((area) => [area.name, area.status])) };
}

describe('toPublicStatus', () => {
  it('reports operational while everything is up', () => {
    expect(statusWith({ database: 'up', kafka: 'up', 'billing-ledger': 'up' }, 'ready')).toEqual({
      all: 'operational',
    });
  });

  it('reports down when the edge takes no requests', () => {
    expect(statusWith({ database: 'down' }, 'unavailable')).toEqual({ all: 'down', API: 'down' });
  });

  it('shows what depends on the ledger as down, and the rest as operational', () => {
    expect(statusWith({ 'billing-ledger': 'down' })).toEqual({
      all: 'degraded',
      Models: 'down',
      Billing: 'down',
      Runs: 'down',
    });
  });

  it.each(['kafka', 'events'])('shows events as down and webhooks as degraded without %s', (name) => {
    expect(statusWith({ [name]: 'down' })).toEqual({ all: 'degraded', Webhooks: 'degraded', Events: 'down' });
  });

  it('shows events and webhooks as degraded while events wait in the outbox', () => {
    expect(statusWith({ outbox: 'degraded' })).toEqual({ all: 'degraded', Webhooks: 'degraded', Events: 'degraded' });
  });

  it('shows an area as degraded while a part of it has failed for a moment', () => {
    expect(statusWith({ 'workflow-engine': 'degraded' })).toEqual({ all: 'degraded', Runs: 'degraded' });
  });

  it('does not show that limits count per process', () => {
    expect(statusWith({ redis: 'down' })).toEqual({ all: 'operational' });
  });
});
