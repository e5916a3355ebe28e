// The deployment files set what the services read: the environments of the chart and of the compose file go
// through each service's own configuration.
import { describe, expect, it } from '@jest/globals';
import { type Environment, minimal, objects, render, services, toolsFromEnv } from './chart.js';
import { composeEnvironment } from './compose.js';
import { configReader } from './config-reader.js';

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

  it('reads every setting of the compose file, which sets every address that it needs', async () => {
    await expectUnderstood(service, composeEnvironment(service));
  });

  if (tools) {
    it('reads every setting of the chart, which sets every address that it needs', async () => {
      await expectUnderstood(service, await chartEnvironment(tools.helm, service));
    });
  }
});

async function expectAccepted(service: string, environment: Environment): Promise<void> {
  const configFromEnv = await configReader(service);
  expect(() => configFromEnv(environment)).not.toThrow();
}

/** An address that is set and not read is not a fault: addresses follow from the calls that the network allows. */
async function expectUnderstood(service: string, environment: Environment): Promise<void> {
  const read = new Set((await configReader(service)).variables);
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
