// The requests whose cost is measured at each size.
import { customerBody, runBody, type WebhookReceiver } from '@tollgate/testkit';
import { SANDBOX_MODEL, type System } from '../../system/start-system.js';
import type { Tenant } from '../../system/tenant.js';
import type { LoadTarget } from '../http-load.js';

export interface MeasuredRequest {
  name: string;
  target: LoadTarget;
  /** Whether the work that the requests have started is done. */
  isDone?: () => Promise<boolean> | boolean;
}

const DAY_MS = 86_400_000;

/** Pages are so short that they are full on a tenth of the rows: an answer does not grow with the size. */
export function listRequests(system: System, tenant: Tenant, receiver: WebhookReceiver): MeasuredRequest[] {
  const { project, customer } = tenant;
  const { hostname: host, port } = new URL(system.baseUrl);
  const as = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
  const get = (path: string, token: string): LoadTarget => ({
    ...{ host, port: Number(port), method: 'GET', headers: as(token), body: '' },
    path: `/api/v1${path}`,
  });
  const post = (path: string, token: string, body: LoadTarget['body']): LoadTarget => ({
    ...{ host, port: Number(port), headers: as(token), body, path },
  });
  const messages = [{ role: 'user', content: 'Why is the sky blue?' }];
  const chat = JSON.stringify({ model: SANDBOX_MODEL, max_tokens: 64, messages });
  const from = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10);
  const started = new Date(Date.now() - 60_000).toISOString();
  const delivered = receiver.deliveries.length;
  let created = 0;
  return [
    { name: 'chat completion', target: post('/v1/chat/completions', customer.token, chat) },
    {
      name: 'run of one model call',
      target: post('/api/v1/runs', customer.token, JSON.stringify(runBody())),
      isDone: async () =>
        (
          await system.query(
            `SELECT 1 FROM workflow_engine.runs WHERE project_id = $1 AND created_at > $2 AND status = 'running' LIMIT 1`,
            [project.id, started],
          )
        ).length === 0,
    },
    { name: 'customers, a late page', target: get('/customers?limit=20&offset=60', project.secretKey) },
    { name: 'customers, a search', target: get('/customers?limit=10&q=bench-1', project.secretKey) },
    { name: 'balance history', target: get(`/customers/${customer.id}/balance/history?limit=50`, project.secretKey) },
    { name: 'requests of a project', target: get(`/projects/${project.id}/requests?limit=50`, project.ownerToken) },
    {
      name: 'usage of 30 days by day',
      target: get(`/account/usage?group_by=day&from=${from}`, project.ownerToken),
    },
    {
      name: 'customer with a webhook delivery',
      target: post('/api/v1/customers', project.secretKey, () => {
        created += 1;
        return JSON.stringify(customerBody());
      }),
      isDone: () => receiver.deliveries.length >= delivered + created,
    },
  ];
}
