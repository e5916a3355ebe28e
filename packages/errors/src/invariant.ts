import { inspect } from 'node:util';

/** A broken invariant: a defect of the service, never of the caller. Ends the request as a neutral INTERNAL_ERROR. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Asserts a condition. @throws InvariantError with a message for the log only. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Ends a switch over a closed union: adding a member breaks the build here. @throws InvariantError when reached. */
export function assertNever(value: never, what = 'value'): never {
  throw new InvariantError(`unexpected ${what}: ${inspect(value)}`);
}
