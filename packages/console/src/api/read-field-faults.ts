import { ApiFailure } from './failure.js';

/** The service's messages by field; empty for another error. */
export function readFieldFaults(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiFailure ? error.fields : {};
}
