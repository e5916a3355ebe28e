import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { controllableClock } from '@tollgate/testkit';
import { defineConfig } from '../define-config.js';
import { openParts } from '../parts.js';
import { DOWN_AFTER_MS } from './dependency.js';
import { startHealth } from './start-health.js';

const configFromEnv = defineConfig({ name: 'messaging', fields: {}, toConfig: () => ({}) });

/** Returns the health of a service whose database has failed for long. */
async function healthWithoutDatabase(servesWithoutDatabase?: boolean) {
  const clock = controllableClock();
  const config = configFromEnv({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  const parts = openParts('messaging', config, { logger: silentLogger, clock });
  startHealth(parts, { rpc: [], ...(servesWithoutDatabase !== undefined && { servesWithoutDatabase }) });
  await parts.health.refresh();
  clock.advance({ ms: DOWN_AFTER_MS });
  await parts.health.refresh();
  const { status, dependencies } = parts.health.report;
  await parts.stop();
  return [status, dependencies.map(({ name, state }) => `${name} ${state}`)];
}

describe('startHealth', () => {
  it('reports a service without its database as unavailable', async () => {
    expect(await healthWithoutDatabase()).toEqual(['unavailable', ['database down', 'descriptors up']]);
  });

  it('reports a service that serves without its database as degraded', async () => {
    expect(await healthWithoutDatabase(true)).toEqual(['degraded', ['database down', 'descriptors up']]);
  });
});
