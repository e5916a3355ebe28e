import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function capture() {
  const lines: string[] = [];
  const logger = createLogger('billing-ledger', 'debug', { write: (line) => void lines.push(line) });
  return { logger, last: () => JSON.parse(lines.at(-1) ?? '{}'), text: () => lines.join('') };
}

describe('createLogger', () => {
  it('writes JSON with service, level word, ISO time and the bound request id', () => {
    const { logger, last } = capture();
    logger.child({ request_id: 'req-1' }).warn({ held: 3 }, 'slow');
    const expected = { service: 'billing-ledger', level: 'warn', request_id: 'req-1', held: 3, msg: 'slow' };
    expect(last()).toMatchObject(expected);
    expect(new Date(last().time).toISOString()).toBe(last().time);
  });

  it('masks credentials at the top level and inside logged objects', () => {
    const { logger, text } = capture();
    const value = 'sk-very-secret';
    logger.info({ authorization: value, secret_key: value, customerToken: value });
    logger.info({ req: { headers: { authorization: value, 'x-api-key': value, 'X-Service-Api-Key': value } } });
    logger.info({ headers: { cookie: value, Authorization: value }, hook: { signing_secret: value } });
    expect(text()).not.toContain(value);
    expect(text()).toContain('[redacted]');
  });

  it('writes an error with its cause', () => {
    const { logger, last } = capture();
    logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
    expect(last().err.message).toContain('outer');
    expect(last().err.stack).toContain('inner');
  });
});
