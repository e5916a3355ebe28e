import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findUnreachable } from './find-unreachable.js';

const env = { KAFKA_BROKERS: '127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' };
let answers: object[][];
let server: Server;
let isShared: boolean;
let url: string;

beforeEach(async () => {
  isShared = false;
  server = createServer((_req, res) => {
    const dependencies = answers.length > 1 ? answers.shift() : answers[0];
    const services = { billing: { dependencies: [] }, 'edge-gateway': { dependencies } };
    res.end(JSON.stringify({ status: 'degraded', ...(isShared ? { services } : { dependencies }) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

describe('findUnreachable', () => {
  it('names the variable, the reason and the remedy of each part that is down', async () => {
    answers = [
      [],
      [{ name: 'redis', state: 'up' }],
      [
        { name: 'kafka', state: 'degraded', reason: 'connection refused' },
        { name: 'redis', state: 'up' },
      ],
      [
        { name: 'kafka', state: 'down', reason: 'connection refused' },
        { name: 'redis', state: 'up' },
      ],
    ];
    expect(await findUnreachable(url, env, 0)).toEqual([
      'KAFKA_BROKERS: Kafka cannot be reached (connection refused). Start it, or unset KAFKA_BROKERS to send events over PostgreSQL.',
    ]);
  });

  it('reports a part that never answers', async () => {
    answers = [[{ name: 'kafka', state: 'up' }]];
    const [line, ...more] = await findUnreachable(url, env, 0);
    expect(line).toMatch(/^REDIS_URL: Redis cannot be reached \(no answer\)\. /);
    expect(more).toEqual([]);
  });

  it('reads the parts of the edge where all services share a port', async () => {
    isShared = true;
    answers = [
      [
        { name: 'kafka', state: 'up' },
        { name: 'redis', state: 'down', reason: 'no answer' },
      ],
    ];
    const lines = await findUnreachable(url, env, 0);
    expect(lines).toEqual([expect.stringMatching(/^REDIS_URL: /)]);
  });

  it('returns nothing for parts that the environment does not give', async () => {
    answers = [[{ name: 'events', state: 'down' }]];
    expect(await findUnreachable(url, {}, 0)).toEqual([]);
  });
});
