// The memory limits of the chart are enough for what the edge accepts at once.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { configFromEnv } from '@tollgate/edge-gateway';
import { MEMORY_SETTINGS } from '@tollgate/local';
import { load } from 'js-yaml';
import { chartFolder } from './chart.js';

const MIB = 1024 * 1024;
/** Measured: a process without large bodies, and its growth per body byte in flight. */
const BASE_BYTES = 200 * MIB;
const EDGE_FACTOR = 8;
const INFERENCE_FACTOR = 4;

interface Values {
  services: Record<string, { env: Record<string, string>; resources: { limits: { memory: string } } }>;
}

const { services } = load(readFileSync(`${chartFolder}/values.yaml`, 'utf8')) as Values;
const bodyBytes = Number(services['edge-gateway']?.env.HTTP_BODY_BYTES_IN_FLIGHT_MAX);

it.each([
  ['edge-gateway', EDGE_FACTOR],
  ['gateway-inference', INFERENCE_FACTOR],
])('gives %s memory for the bodies in flight', (service, factor) => {
  expect(limitBytes(service)).toBeGreaterThanOrEqual(BASE_BYTES + factor * bodyBytes);
});

it("sets the edge's own default", () => {
  const { http } = configFromEnv({ DATABASE_URL: 'postgres://localhost/x', DEV_MODE: '1' });
  expect(http.bodyBytesInFlightMax).toBe(bodyBytes);
});

it('sets the allocator in the images as in separate processes', () => {
  const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
  const environment = dockerfile
    .split('\n')
    .filter((line) => line.startsWith('ENV '))
    .join(' ')
    .split(' ');
  for (const [name, value] of Object.entries(MEMORY_SETTINGS)) expect(environment).toContain(`${name}=${value}`);
});

it('sets the allocator on npm start as in separate processes, unless the caller chose another value', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const set = scripts.start.split(' exec ')[0].split(' ');
  expect(set).toEqual(Object.entries(MEMORY_SETTINGS).map(([name, value]) => `${name}=\${${name}:-${value}}`));
});

function limitBytes(service: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(services[service]!.resources.limits.memory) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 * MIB : MIB);
}
