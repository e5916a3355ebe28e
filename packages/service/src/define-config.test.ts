import { describe, expect, it } from '@jest/globals';
import { fields } from '@tollgate/runtime';
import { defineConfig } from './define-config.js';

const read = defineConfig({
  name: 'gateway-inference',
  peers: ['billing-ledger', 'messaging'],
  fields: { DATABASE_POOL_MAX: fields.integer(1, 500).default(5), WEB_FETCH: fields.bool().default(true) },
  toConfig: (env) => ({ webFetch: env.WEB_FETCH }),
});
const readWithEvents = defineConfig({ name: 'messaging', usesEvents: true, fields: {}, toConfig: () => ({}) });
const database = { DATABASE_URL: 'postgresql://db/main' };

describe('defineConfig', () => {
  it('requires only the database; names the schema after the service', () => {
    expect(read(database)).toEqual({
      logLevel: 'info',
      database: { url: 'postgresql://db/main', schema: 'gateway_inference', poolMax: 5 },
      grpc: { host: '0.0.0.0', port: 50051 },
      health: { host: '0.0.0.0', port: undefined },
      sendsTelemetry: false,
      tls: { certFile: undefined, keyFile: undefined, caFile: undefined },
      drainMs: 20_000,
      peers: { 'tollgate.billing.v1': 'billing-ledger:50051', 'tollgate.messaging.v1': 'messaging:50051' },
      events: undefined,
      webFetch: true,
    });
  });

  it.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])('reads whether telemetry is sent from OTEL_ENABLED=%s: %s', (value, sendsTelemetry) => {
    expect(read({ ...database, OTEL_ENABLED: value })).toMatchObject({ sendsTelemetry });
  });

  it('reads the addresses of the peers', () => {
    const { peers } = read({ ...database, BILLING_LEDGER_ADDR: '10.0.0.7:50051' });
    expect(peers['tollgate.billing.v1']).toBe('10.0.0.7:50051');
  });

  it('reads the event settings of a service that uses events, and of no other', () => {
    const env = { ...database, KAFKA_BROKERS: 'a:9092,b:9092', KAFKA_SSL: '1' };
    expect(readWithEvents(env).events).toMatchObject({ KAFKA_BROKERS: ['a:9092', 'b:9092'], KAFKA_SSL: true });
    expect(readWithEvents(env).events).not.toHaveProperty('DATABASE_URL');
    expect(read(env).events).toBeUndefined();
  });

  it('names every bad variable and shows no value', () => {
    const bad = () => read({ DATABASE_URL: 'mysql://me:hush@db', GRPC_PORT: 'http', WEB_FETCH: 'maybe' });
    expect(bad).toThrow(/DATABASE_URL[\s\S]*GRPC_PORT[\s\S]*WEB_FETCH/);
    expect(bad).not.toThrow(/hush|maybe/);
  });

  it('lists the variables that the service reads', () => {
    expect(read.variables).toEqual(expect.arrayContaining(['DATABASE_URL', 'BILLING_LEDGER_ADDR', 'WEB_FETCH']));
    expect(read.variables).not.toContain('KAFKA_BROKERS');
  });
});
