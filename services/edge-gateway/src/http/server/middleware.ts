import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Express's form of a step. Steps in front of Express get what it would wrap. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Returns a listener that takes the steps in order: each one answers or calls `next`. */
export function inOrder(...steps: readonly Middleware[]): RequestListener {
  const end: RequestListener = () => undefined;
  return steps.reduceRight<RequestListener>((next, step) => (req, res) => step(req, res, () => next(req, res)), end);
}
