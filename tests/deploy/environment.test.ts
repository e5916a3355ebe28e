// The deployment files set what the services read: the environments of the chart and of the compose file go
// through each service's own configuration.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventsFields } from '@tollgate/events';
import { type Environment, minimal, objects, render, root, services, toolsFromEnv } from './chart.js';
import { composeEnvironment } from './compose.js';

const tools = toolsFromEnv(process.env);

describe.each(services)('%s', (service) => {
  it('starts from the environment of the compose file', async () => {
    await expectAccepted(service, composeEnvironment(service));
  });

  if (tools) {
    it('starts from the settings and the secret of the chart', async () => {
      await expectAccepted(service, await chartEnvironment(tools.helm, service));
    });
  }

  it('reads what the compose file sets, which has every address it needs', () => {
    expectUnderstood(service, composeEnvironment(service));
  });

  if (tools) {
    it('reads what the chart sets, which has every address it needs', async () => {
      expectUnderstood(service, await chartEnvironment(tools.helm, service));
    });
  }
});

async function expectAccepted(service: string, environment: Environment): Promise<void> {
  const { configFromEnv } = (await import(`@tollgate/${service}`)) as { configFromEnv(env: Environment): object };
  expect(() => configFromEnv(environment)).not.toThrow();
}

/** Addresses follow from who may call whom, so a service may get an address that it does not use yet. */
function expectUnderstood(service: string, environment: Environment): void {
  const source = readFileSync(`${root}services/${service}/src/config.ts`, 'utf8');
  const read = new Set(source.match(/\b[A-Z][A-Z0-9_]+\b/g));
  if (source.includes('eventsFields')) for (const name of Object.keys(eventsFields)) read.add(name);
  const set = Object.keys(environment);
  const ignored = set.filter((name) => !read.has(name) && !name.endsWith('_ADDR') && !name.startsWith('OTEL_'));
  const unset = [...read].filter((name) => name.endsWith('_ADDR') && !set.includes(name));
  expect({ ignored, unset }).toEqual({ ignored: [], unset: [] });
}

async function chartEnvironment(helm: string, service: string): Promise<Environment> {
  const { manifests } = await render(helm, minimal);
  const name = `release-tollgate-${service}`;
  const secret = Object.entries<string>(objects(manifests, 'Secret').get(name)?.data ?? {});
  return {
    ...objects(manifests, 'ConfigMap').get(name)?.data,
    ...Object.fromEntries(secret.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
  };
}
