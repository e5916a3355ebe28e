import { describe, expect, it } from '@jest/globals';
import { BODY_BYTES_MAX, contentFault, SUBJECT_LENGTH_MAX } from './content.js';

const bodyOfBytes = (bytes: number): string => JSON.stringify({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

describe('contentFault', () => {
  it.each([
    ['hello', '{}'],
    ['x'.repeat(SUBJECT_LENGTH_MAX), '{"a":[1,{"b":null}]}'],
    ['a body of exactly the limit', bodyOfBytes(BODY_BYTES_MAX)],
  ])('accepts %.20s', (subject, body) => {
    expect(contentFault(subject, body)).toBeUndefined();
  });

  it.each(['[]', '"text"', 'null', '1', '', '{', '{"a":}'])(
    'rejects the body %j, which is not a JSON object',
    (body) => {
      expect(contentFault('s', body)).toEqual({ kind: 'invalid', field: 'body', message: 'must be a JSON object' });
    },
  );

  it.each(['', 'x'.repeat(SUBJECT_LENGTH_MAX + 1), 'a\0b'])('rejects the subject %.10j', (subject) => {
    expect(contentFault(subject, '{}')).toMatchObject({ kind: 'invalid', field: 'subject' });
  });

  it('counts the body in bytes, not characters', () => {
    const body = JSON.stringify({ t: 'é'.repeat(BODY_BYTES_MAX / 2) });
    expect(body.length).toBeLessThan(BODY_BYTES_MAX);
    expect(contentFault('s', body)).toEqual({ kind: 'too_large' });
  });
});
