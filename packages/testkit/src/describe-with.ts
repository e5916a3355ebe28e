// External programs that a machine may lack. CI has them: there, a missing program fails the tests.
import { describe, expect, it } from '@jest/globals';

/** Runs the suite when the variable is set; otherwise one skipped line, and under CI=true one failure. */
export function describeWith(
  variable:
    | 'CLAUDE_CODE'
    | 'CODEX'
    | 'GEMINI_CLI'
    | 'KAFKA_BROKERS'
    | 'LIBFAKETIME'
    | 'OPENCODE'
    | 'PGBOUNCER'
    | 'REDIS_URL'
    | 'CHROMIUM_PATH'
    | 'SCHEMATHESIS'
    | 'STRIPE_MOCK'
    | 'CLIENT_TOOLS'
    | 'DOCKER_COMPOSE'
    | 'KUBECTL',
  name: string,
  suite: (value: string) => void,
): void {
  const value = process.env[variable] ?? '';
  describe(name, () => {
    if (value !== '') suite(value);
    else if (process.env.CI === 'true') it(`needs ${variable}`, () => expect(value).not.toBe(''));
    else it.skip(`needs ${variable}`, () => undefined);
  });
}
