import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventTypes } from '@tollgate/events';
import { root, services } from './chart.js';
import { type ComposeFile, composeEnvironment, readCompose } from './compose.js';

/** Settings without a choice on one machine with one database and its own network, and settings for development. */
const FIXED_IN_COMPOSE = /^(DATABASE_(SCHEMA|(QUEUE_)?POOL_MAX)|(HTTP|GRPC)_(HOST|PORT)|RPC_TLS_\w+|DEV_\w+)$/;

describe('the compose file', () => {
  let compose: ComposeFile;

  beforeAll(() => {
    compose = readCompose();
  });

  it('runs every service from the one Dockerfile', () => {
    for (const service of services) {
      const { build } = compose.services[service] ?? {};
      expect(build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile', args: { SERVICE: service } });
    }
  });

  it('opens nothing but the edge to other machines', () => {
    const open = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    const published = open.filter(([, port]) => !port?.startsWith('127.0.0.1:'));
    expect(published.map(([name, port]) => [name, port?.split(':').at(-1)])).toEqual([['edge-gateway', '8080']]);
  });

  it('opens the port for metrics and probes in every service', () => {
    for (const service of services) expect(composeEnvironment(service).HEALTH_PORT).toBe('9464');
    expect(readFileSync(`${root}deploy/Dockerfile`, 'utf8')).toMatch(/^EXPOSE .*\b9464\b/m);
  });

  it('gives no service privileges or a writable root file system', () => {
    for (const service of services) {
      expect(compose.services[service]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('keeps services without external calls on the internal network', () => {
    const inside = services.filter((service) => !compose.services[service]?.networks?.includes('outside'));
    expect(inside).toEqual(['agent-registry', 'messaging']);
    expect(compose.networks.internal).toEqual({ internal: true });
  });

  it.each(services)('passes on every setting that %s reads', (service) => {
    const source = readFileSync(`${root}services/${service}/src/config.ts`, 'utf8');
    const read = [...source.matchAll(/^ {2,}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
    const set = Object.keys(compose.services[service]?.environment ?? {});
    expect(read.filter((name) => !set.includes(name) && !FIXED_IN_COMPOSE.test(name))).toEqual([]);
  });

  it('takes every secret from the environment and leaves switches for development off', () => {
    const text = JSON.stringify(services.map((service) => compose.services[service]?.environment));
    expect(text).not.toContain('DEV_MODE');
    for (const service of services) {
      const { SANDBOX_PROVIDER = '0', ALLOW_PRIVATE_ENDPOINTS = '0' } = composeEnvironment(service);
      expect({ service, SANDBOX_PROVIDER, ALLOW_PRIVATE_ENDPOINTS }).toEqual({
        service,
        SANDBOX_PROVIDER: '0',
        ALLOW_PRIVATE_ENDPOINTS: '0',
      });
    }
    for (const [, value] of text.matchAll(/"[A-Z_]*(?:_KEYS?|_SECRET|_PEPPER)":"([^"]*)"/g))
      expect(value).toMatch(/^\$\{/);
  });
});

describe('the topics that are created in production', () => {
  it('lists exactly the topics that events are published to', () => {
    const listed = readFileSync(`${root}deploy/kafka/topics.txt`, 'utf8').match(/^tollgate\.\S+/gm) ?? [];
    const published = new Set(Object.values(eventTypes).map((type) => type.topic));
    expect(listed.toSorted()).toEqual([...published].toSorted());
  });
});
