import type { IncomingMessage, ServerResponse } from 'node:http';
import { toReadinessBody } from '@tollgate/service';
import type { Context } from '../../context.js';

/** Answers `/healthz` (the process runs) and `/readyz` (it should get requests), without limits, identity and logs. */
export function healthRoutes(ctx: Context): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    if (req.url === '/healthz') answer(res, 200, { status: 'ok' });
    else if (req.url === '/readyz') {
      const body = toReadinessBody(ctx.health.report);
      answer(res, body.status === 'unavailable' ? 503 : 200, body);
    } else return false;
    return true;
  };
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
}
