// The deployment files set what the services read: the environments of the chart and of the compose file go
// through each service's own configuration.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { chartFolder, type Environment, full, minimal, objects, render, services, toolsFromEnv } from './chart.js';
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

async function chartEnvironment(helm: string, service: string, values = minimal): Promise<Environment> {
  const { manifests } = await render(helm, values);
  const name = `release-tollgate-${service}`;
  const secret = Object.entries<string>(objects(manifests, 'Secret').get(name)?.data ?? {});
  return {
    ...objects(manifests, 'ConfigMap').get(name)?.data,
    ...Object.fromEntries(secret.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
  };
}

/** Settings of one process, which differ between services on purpose. */
const OWN_SETTINGS = /^(DATABASE_|HEALTH_|GRPC_|HTTP_|LOG_LEVEL$)/;

it('gives each service the shared parts in the chart whose settings it reads, and no others', async () => {
  const topology = readTopology();
  expect(Object.keys(topology).sort()).toEqual([...services].sort());
  for (const service of services) {
    const { variables } = await configReader(service);
    const own = topology[service]!;
    const reads = {
      modelCatalog: variables.includes('MODEL_CATALOG_FILE'),
      kafka: variables.includes('KAFKA_BROKERS'),
      redis: variables.includes('REDIS_URL'),
      postgres: variables.includes('DATABASE_URL'),
      publicBaseUrl: variables.includes('PUBLIC_BASE_URL'),
    };
    expect({ service, ...reads }).toEqual({
      service,
      modelCatalog: own.modelCatalog,
      kafka: own.needs.includes('kafka'),
      redis: own.needs.includes('redis'),
      postgres: own.needs.includes('postgres'),
      publicBaseUrl: ['edge-gateway', 'gateway-inference'].includes(service),
    });
    const addresses = variables.filter((name) => name.endsWith('_ADDR'));
    const called = own.calls.map((peer) => `${peer.toUpperCase().replaceAll('-', '_')}_ADDR`);
    expect({ service, unset: addresses.filter((name) => !called.includes(name)) }).toEqual({ service, unset: [] });
  }
});

if (tools) {
  it('sets in the chart what several services read for all of them or for none', async () => {
    const environments = new Map<string, Environment>();
    for (const service of services) environments.set(service, await chartEnvironment(tools.helm, service, full));
    const partly: string[] = [];
    for (const service of services) {
      for (const name of (await configReader(service)).variables) {
        if (OWN_SETTINGS.test(name) || environments.get(service)![name] !== undefined) continue;
        const isSetElsewhere = [...environments].some(([, environment]) => environment[name] !== undefined);
        if (isSetElsewhere) partly.push(`${name} of ${service}`);
      }
    }
    expect(partly).toEqual([]);
  });
}

interface Topology {
  calls: string[];
  needs: string[];
  modelCatalog: boolean;
}

/** The chart's table of services; its template holds plain YAML. */
function readTopology(): Record<string, Topology> {
  const template = readFileSync(`${chartFolder}/templates/_topology.tpl`, 'utf8');
  const [, table = ''] = /define "tollgate\.topology" -}}\n([\s\S]*?)\{\{- end }}/.exec(template) ?? [];
  return load(table) as Record<string, Topology>;
}
