// Clients that use every service through the public API and record each answer that is not the expected one.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, agentBody, customerBody, type Json } from '@tollgate/testkit';
import { buildRun, upstreamRequest } from '../chaos/harness.js';
import type { TestCustomer, TestProject } from '../system/start-system.js';

export interface Visits {
  /** Visits completed since the start. */
  count(): number;
  /** One sentence per unexpected answer. */
  failures: string[];
  stop(): Promise<void>;
}

type Step = [what: string, status: number, call: () => Promise<ApiResponse>];

const PAUSE_MS = 50;
const RUN = buildRun(['only'], upstreamRequest('say 3 tokens'));

/** Visits each service again and again until it is stopped. */
export function startVisits(project: TestProject, customer: TestCustomer, visitors: number): Visits {
  const failures: string[] = [];
  let count = 0;
  let isStopping = false;
  const expectStatus = async ([what, status, call]: Step): Promise<Json> => {
    const answer = await call().catch((error: Error) => ({ status: 0, text: error.message, body: undefined }));
    if (answer.status === status) return answer.body;
    failures.push(`${what}: ${answer.status} ${answer.text}`);
    throw new Error(what);
  };
  const visit = async (): Promise<void> => {
    while (!isStopping) {
      await visitAll(project, customer, expectStatus)
        .then(() => {
          count += 1;
        })
        .catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  };
  const visiting = Array.from({ length: visitors }, visit);
  return {
    count: () => count,
    failures,
    stop: async () => {
      isStopping = true;
      await Promise.all(visiting);
    },
  };
}

async function visitAll(
  { id, api, owner }: TestProject,
  { api: mine }: TestCustomer,
  ask: (step: Step) => Promise<Json>,
): Promise<void> {
  const to = `agent:api@${id}`;
  await ask(['send a message', 201, () => mine.post('/messages', { to, subject: 's', body: { a: 1 } })]);
  await ask(['read a mailbox', 200, () => api.get(`/messages?to=${to}`)]);
  const session = await ask(['open a session', 201, () => mine.post('/sessions', { metadata: { a: 1 } })]);
  const message = { role: 'user', content: 'hello' };
  await ask(['add to a session', 201, () => mine.post(`/sessions/${session.id}/messages`, message)]);
  await ask(['make an agent', 201, () => api.post(`/projects/${id}/agents`, agentBody())]);
  await ask(['make a handle', 201, () => mine.post('/state-handles', {})]);
  const { customer } = await ask(['make a customer', 201, () => api.post('/customers', customerBody())]);
  await ask(['read a customer', 200, () => api.get(`/customers/${customer.id}`)]);
  await ask(['read a balance', 200, () => mine.get('/customers/me/balance')]);
  await ask(['read usage', 200, () => owner.get('/account/usage?group_by=model')]);
  await ask(['list webhooks', 200, () => owner.get(`/projects/${id}/webhooks`)]);
  await ask(['list tiers', 200, () => owner.get(`/projects/${id}/tiers`)]);
  // Refused after its admission, so that its hold is released.
  const unknown = { ...upstreamRequest('say 3 tokens'), session_id: randomUUID() };
  await ask(['name an unknown session', 404, () => mine.post('/responses', unknown)]);
  const { run_id } = await ask(['start a run', 200, () => mine.post('/runs', RUN)]);
  let status = 'running';
  while (status === 'running') {
    await sleep(PAUSE_MS);
    ({ status } = await ask(['read a run', 200, () => mine.get(`/runs/${run_id}`)]));
  }
}
