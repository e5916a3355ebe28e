import { z } from 'zod';

/**
 * A JSON object that is passed on as it was sent. Unlike `z.record`, it copies nothing: a member named `__proto__` is
 * kept, and thousands of members cost no time.
 */
export const jsonObject = z
  .custom<Record<string, unknown>>(isObject, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a JSON object'),
  })
  .meta({ type: 'object', additionalProperties: true });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
