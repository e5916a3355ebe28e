import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventTypes } from '@tollgate/events';
import { root, services } from './chart.js';
import { type ComposeFile, readCompose } from './compose.js';

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
    expect(open.filter(([, port]) => !port?.startsWith('127.0.0.1:'))).toEqual([['edge-gateway', '8080:8080']]);
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

  it('keeps services that call nobody outside on the network without a way out', () => {
    const inside = services.filter((service) => !compose.services[service]?.networks?.includes('outside'));
    expect(inside).toEqual(['agent-registry', 'messaging', 'workflow-engine']);
    expect(compose.networks.internal).toEqual({ internal: true });
  });

  it('takes every secret from the environment and sets no switch meant for development', () => {
    const text = JSON.stringify(services.map((service) => compose.services[service]?.environment));
    expect(text).not.toMatch(/DEV_MODE|SANDBOX_PROVIDER|ALLOW_PRIVATE_ENDPOINTS/);
    for (const [, value] of text.matchAll(/"[A-Z_]*(?:_KEYS?|_SECRET|_PEPPER)":"([^"]*)"/g))
      expect(value).toMatch(/^\$\{/);
  });
});

describe('the topics that are created in production', () => {
  it('are exactly those that events are published to', () => {
    const listed = readFileSync(`${root}deploy/kafka/topics.txt`, 'utf8').match(/^tollgate\.\S+/gm) ?? [];
    const published = new Set(Object.values(eventTypes).map((type) => type.topic));
    expect(listed.toSorted()).toEqual([...published].toSorted());
  });
});
