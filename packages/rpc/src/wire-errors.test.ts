import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { logUnexpectedErrors, onUnexpectedError, toAppError } from './wire-errors.js';

afterEach(() => onUnexpectedError(() => {}));

function logged(error: unknown): string[] {
  const lines: string[] = [];
  const log = (level: string) => (_facts: object, words: string) => lines.push(`${level}: ${words}`);
  logUnexpectedErrors({ warn: log('warn'), error: log('error') } as never);
  toAppError(error);
  return lines;
}

describe('errors that leave a service', () => {
  it.each<[string, unknown, string[]]>([
    ['a contract error, not at all', new AppError('NOT_FOUND', 'no'), []],
    ['a cancel, not at all', Object.assign(new Error('left'), { name: 'AbortError' }), []],
    [
      'an unavailable database as such',
      Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
      ['warn: call failed: dependency unavailable'],
    ],
    ['everything else, as our fault', new Error('oh'), ['error: a call failed unexpectedly']],
  ])('logs by kind of error: %s', (_what, error, lines) => {
    expect(logged(error)).toEqual(lines);
  });
});
