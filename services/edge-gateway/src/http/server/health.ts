import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';

/** Answers `/healthz` (the process runs) and `/readyz` (it should get requests), without limits, identity and logs. */
export function healthRoutes(ctx: Context): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    if (req.url === '/healthz') answer(res, 200, { status: 'ok' });
    else if (req.url === '/readyz') {
      const reason = notReadyBecause(ctx);
      answer(res, reason ? 503 : 200, reason ? { status: 'unavailable', reason } : { status: 'ready' });
    } else return false;
    return true;
  };
}

/** Returns the reason why the process should get no requests now. */
export function notReadyBecause(ctx: Context): string | undefined {
  if (ctx.lifecycle.isDraining) return 'draining';
  // The list is polled from the database, so this also reports a database that does not answer.
  if (!ctx.revocations.isCurrent()) return 'revocations are out of date';
  return undefined;
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
}
