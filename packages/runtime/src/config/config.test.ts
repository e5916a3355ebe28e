import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, loadConfig } from './config.js';
import { fields } from './config-fields.js';

function catchMessage(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted');
}

describe('loadConfig', () => {
  it('returns typed values and defaults, and ignores other variables', () => {
    const schema = z.object({
      PORT: fields.port(),
      TIMEOUT: fields.durationMs().default(5000),
      ORIGINS: fields.csv(),
      DEV_MODE: fields.bool().default(false),
      REDIS_URL: fields.url('redis', 'rediss').optional(),
    });
    const env = { PORT: '8080', ORIGINS: 'a, b,,c', DEV_MODE: 'true', HOME: '/root' };
    const expected = { PORT: 8080, TIMEOUT: 5000, ORIGINS: ['a', 'b', 'c'], DEV_MODE: true };
    expect(loadConfig(schema, env)).toEqual(expected);
  });

  it('names every bad variable at once and what is expected', () => {
    const schema = z.object({
      PORT: fields.port(),
      DATABASE_URL: fields.url('postgresql'),
      MODE: fields.choice('local', 'cluster'),
      NAME: fields.text(),
    });
    const message = catchMessage(() => loadConfig(schema, { PORT: '99999', DATABASE_URL: 'db:5432', MODE: 'x' }));
    expect(message.split('\n').slice(1)).toEqual([
      '  PORT: expected a port number from 0 to 65535',
      '  DATABASE_URL: expected a URL starting with postgresql://',
      '  MODE: expected local or cluster',
      '  NAME: is not set; expected string',
    ]);
  });

  it('hides the values of all variables', () => {
    const schema = z.object({
      PEPPER: fields.secret(32),
      DATABASE_URL: fields.url('postgresql'),
      MODE: fields.choice('a', 'b'),
      KEY: z.string().regex(/^tg_/),
      SHORT: z.string().max(3),
    });
    const value = 'sensitive-value';
    const env = { PEPPER: value, DATABASE_URL: `mysql://user:${value}@db`, MODE: value, KEY: value, SHORT: value };
    const message = catchMessage(() => loadConfig(schema, env));
    expect(message).not.toContain(value);
    for (const name of Object.keys(env)) expect(message).toContain(name);
  });

  it('treats an empty variable as unset', () => {
    const schema = z.object({ REDIS_URL: fields.url('redis').optional(), PORT: fields.port() });
    expect(loadConfig(schema, { REDIS_URL: '', PORT: '0' })).toEqual({ PORT: 0 });
    expect(catchMessage(() => loadConfig(schema, { PORT: '' }))).toContain('PORT: is not set');
  });
});

describe('fields', () => {
  const parse = (field: z.ZodType, text: string) => field.safeParse(text).data;

  it.each([
    ['250', 250],
    ['250ms', 250],
    ['15s', 15_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['1.5s', undefined],
    ['-1s', undefined],
    ['soon', undefined],
  ])('reads the duration %s as %s', (text, expected) => {
    expect(parse(fields.durationMs(), text)).toBe(expected);
  });

  it.each([
    ['1', true],
    ['TRUE', true],
    ['0', false],
    ['false', false],
    ['yes', undefined],
  ])('reads the flag %s as %s', (text, expected) => {
    expect(parse(fields.bool(), text)).toBe(expected);
  });

  it('rejects integers outside of their bounds', () => {
    expect(parse(fields.integer(1, 10), '10')).toBe(10);
    expect(parse(fields.integer(1, 10), '11')).toBeUndefined();
    expect(parse(fields.integer(1, 10), '1e1')).toBeUndefined();
    expect(parse(fields.integer(1, 10), '')).toBeUndefined();
  });

  it('accepts several hosts in the URL of a database, and only a search for the host that accepts writes', () => {
    for (const url of [
      'postgresql://u:p@a:5432,b:5433/db?target_session_attrs=read-write',
      'postgres://u:p@a,b/db?target_session_attrs=primary&sslmode=verify-full',
      'postgresql://u:p@a/db?target_session_attrs=any',
      'postgresql://a/db',
    ])
      expect(parse(fields.databaseUrl(), url)).toBe(url);
    for (const url of [
      'postgresql://u:p@a:5432,b:5433/db?target_session_attrs=standby',
      'postgresql://u:p@a/db?target_session_attrs=prefer-standby',
      'postgresql://u:p@a,,b/db',
      'postgresql://u:p@a,b:none/db',
      'mysql://u:p@a,b/db',
      'a,b',
    ])
      expect(parse(fields.databaseUrl(), url)).toBeUndefined();
  });

  it('drops the trailing slash of a URL and requires an allowed protocol', () => {
    expect(parse(fields.url(), 'https://example.com/v1/')).toBe('https://example.com/v1');
    expect(parse(fields.url(), 'ftp://example.com')).toBeUndefined();
    expect(parse(fields.url(), 'example.com')).toBeUndefined();
  });
});
