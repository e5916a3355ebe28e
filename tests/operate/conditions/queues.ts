// Events, queues and webhooks.
import { setTimeout as sleep } from 'node:timers/promises';
import { responsesBody, runBody, webhookBody } from '@tollgate/testkit';
import { jsonLines, runServiceMain } from '../../operations/run-program.js';
import { must, SANDBOX_MODEL, type TestProject, UPSTREAM_MODEL } from '../../system/start-system.js';
import { type Condition, forgottenTransaction, inParallel } from './condition.js';

const RUNS = 24;
/** Longer than the lease of the exercise's engines. */
const HANG_MS = 8_000;

/** Adds an endpoint: an earlier exercise may have disabled the others. */
async function listen(project: TestProject, url: string): Promise<void> {
  must(await project.owner.post(`/projects/${project.id}/webhooks`, webhookBody(url)), 201);
}

export const queueConditions: Record<string, Condition> = {
  TollgateOutboxLag: forgottenTransaction(
    'a forgotten transaction locks the log of events',
    'LOCK TABLE tollgate_events.log IN EXCLUSIVE MODE',
  ),
  TollgateConsumerLag: forgottenTransaction(
    'a forgotten transaction locks the tables of hooks-webhooks while more than a thousand requests end',
    'LOCK TABLE hooks_webhooks.consumed_events IN ACCESS EXCLUSIVE MODE',
    ({ customer }) => {
      const body = responsesBody('hello', { model: SANDBOX_MODEL });
      return inParallel(24, () => customer.api.post('/responses', body));
    },
  ),
  TollgateDeadLetters: {
    how: 'a table of hooks-webhooks has another name than its version expects',
    remedy: 'the table gets its name back; `replay-dead-letters` in hooks-webhooks',
    async cause({ sql, system }) {
      await sql('ALTER TABLE hooks_webhooks.webhook_events RENAME TO webhook_events_hidden');
      return async () => {
        await sql('ALTER TABLE hooks_webhooks.webhook_events_hidden RENAME TO webhook_events');
        const listed = await runServiceMain('hooks-webhooks', ['list-dead-letters', '--json'], system.env);
        if (listed.code !== 0 || jsonLines(listed).length === 0)
          throw new Error(`no dead letter listed: ${listed.err}`);
        const replayed = await runServiceMain('hooks-webhooks', ['replay-dead-letters', '--json'], system.env);
        if (replayed.code !== 0) throw new Error(`replay-dead-letters: ${replayed.err}`);
      };
    },
  },
  TollgateQueueOld: {
    how: "an owner's endpoint hangs and holds all slots that it may have",
    remedy: 'the endpoint answers again (without it: it is disabled after five failed deliveries)',
    async cause({ project, sink }) {
      await listen(project, sink.url);
      sink.answerWith({ hang: true });
      return async () => sink.answerWith({});
    },
  },
  TollgateLeaseLosses: {
    how: `a replica of workflow-engine is paused for ${HANG_MS / 1_000} s with leased work`,
    remedy: 'it gets the processor back; another replica has taken the work',
    async cause({ customer, system }) {
      const body = runBody();
      const input = responsesBody('say 60 tokens, slow 300 ms', { model: UPSTREAM_MODEL });
      body.spec.nodes = [{ id: 'step', type: 'llm.responses', input }];
      for (let i = 0; i < RUNS; i++) await customer.api.post('/runs', body);
      const pid = system.findPid('workflow-engine');
      process.kill(pid, 'SIGSTOP');
      await sleep(HANG_MS);
      process.kill(pid, 'SIGCONT');
      return async () => undefined;
    },
  },
  TollgateWebhooksFailing: {
    how: "an owner's endpoint answers every delivery with 500",
    remedy: 'the endpoint is repaired',
    async cause({ project, sink }) {
      await listen(project, sink.url);
      sink.answerWith({ status: 500 });
      return async () => sink.answerWith({});
    },
  },
};
