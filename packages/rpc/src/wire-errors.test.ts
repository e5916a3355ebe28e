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

describe('what crosses the border of a service', () => {
  it.each<[string, unknown, string[]]>([
    ['a contract error, not at all', new AppError('NOT_FOUND', 'no'), []],
    ['a cancel, not at all', Object.assign(new Error('left'), { name: 'AbortError' }), []],
    [
      'a database that is away, as what it is',
      Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
      ['warn: a call failed: something that it needs was away'],
    ],
    ['everything else, as a fault of ours', new Error('oh'), ['error: a call failed unexpectedly']],
  ])('is logged: %s', (_what, error, lines) => {
    expect(logged(error)).toEqual(lines);
  });
});
