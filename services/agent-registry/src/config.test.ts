import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

describe('configFromEnv', () => {
  it('requires only a database', () => {
    expect(configFromEnv({ DATABASE_URL: 'postgresql://db/main' })).toMatchObject({
      logLevel: 'info',
      database: { url: 'postgresql://db/main', schema: 'agent_registry', poolMax: 10 },
      stateSweepIntervalMs: 60_000,
      grpc: { host: '0.0.0.0', port: 50051 },
    });
  });

  it('names every invalid variable without its value', () => {
    const read = () => configFromEnv({ DATABASE_URL: 'mysql://me:hush@db', GRPC_PORT: 'http' });
    expect(read).toThrow(/DATABASE_URL[\s\S]*GRPC_PORT/);
    expect(read).not.toThrow(/hush/);
  });
});
