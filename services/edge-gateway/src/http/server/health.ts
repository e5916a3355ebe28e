import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import type { Middleware } from './middleware.js';

/**
 * Answers `/healthz` (the process runs) and `/readyz` (it should get requests), without limits, identity and logs. Anyone may
 * ask, so no dependency is named: the health port does that.
 */
export function probes(ctx: Pick<Context, 'health'>): Middleware {
  return (req, res, next) => {
    if (req.url === '/healthz') answer(res, 200, { status: 'ok' });
    else if (req.url === '/readyz') {
      const { status } = ctx.health.report;
      answer(res, status === 'unavailable' ? 503 : 200, { status });
    } else next();
  };
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
}
