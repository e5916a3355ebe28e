import { z } from 'zod';

/**
 * A JSON object that is passed on as it was sent. Unlike `z.record` it copies nothing, so that a member named `__proto__`
 * stays a member, and thousands of members cost nothing.
 */
export const jsonObject = z
  .custom<Record<string, unknown>>(isObject, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a JSON object'),
  })
  .meta({ type: 'object', additionalProperties: true });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
