import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

const read = (env: Record<string, string>) =>
  configFromEnv({
    DATABASE_URL: 'postgres://localhost/db',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    ...env,
  });

describe('the tolerance of webhook signatures', () => {
  it.each([
    ['five minutes by default', {}, 300_000],
    ['STRIPE_WEBHOOK_TOLERANCE', { STRIPE_WEBHOOK_TOLERANCE: '60s', STRIPE_NOTICE_TOLERANCE: '9s' }, 60_000],
    ['its former name', { STRIPE_NOTICE_TOLERANCE: '9s' }, 9_000],
  ])('uses %s', (_, env, expected) => {
    expect(read(env).processor?.webhookToleranceMs).toBe(expected);
  });

  it('reports a setting under its former name, so that it is logged', () => {
    expect(read({}).formerNames).toEqual([]);
    expect(read({ STRIPE_NOTICE_TOLERANCE: '9s' }).formerNames).toEqual([
      { former: 'STRIPE_NOTICE_TOLERANCE', present: 'STRIPE_WEBHOOK_TOLERANCE' },
    ]);
  });
});
