import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { SignatureForm } from '../../webhooks.js';
import { type Access, requireKind } from '../access.js';
import { clean, printFields, printRows } from '../output.js';
import { CliError, EXIT, type Shell } from '../shell.js';
import { type Delivery, type Forwarded, forwardDeliveries } from '../webhooks/forward-deliveries.js';
import { createTemporary, isTemporary, removeTemporary } from '../webhooks/temporary-endpoint.js';
import { withAccess } from './command.js';

interface ListenOptions {
  forwardTo: string;
  webhook?: string;
  eventType?: Delivery['event_type'];
  secret?: string;
  form?: SignatureForm;
}

const LISTEN_HELP = `
Forwards copies: an endpoint of the project receives every event as before, and your local server gets it as well,
about two seconds later. Copies are signed with a secret that is shown at the start. The gateway does not learn how the
local server answers. In a project without an endpoint, the command creates a temporary endpoint, which keeps events
and sends them nowhere, and removes it at the end.`;

export function addWebhooks(program: Command, shell: Shell): void {
  const webhooks = program
    .command('webhooks')
    .description('list and try endpoints, and forward their events to this machine');
  webhooks
    .command('list', { isDefault: true })
    .description('list the endpoints of the project')
    .action(
      withAccess(shell, async ({ access, options }) => {
        requireKind(access, ['owner']);
        const rows = await access.client.listWebhooks(await access.findProject()).toArray(1_000);
        printRows(shell, options, rows, [
          ['id', ({ id }) => id],
          ['url', ({ endpoint_url }) => endpoint_url],
          ['events', ({ events }) => events.join(',')],
          ['signature', ({ signature_form }) => signature_form],
          ['enabled', ({ enabled, disabled_reason }) => (enabled ? 'yes' : (disabled_reason ?? 'no'))],
        ]);
      }),
    );
  addTrigger(webhooks, shell);
  webhooks
    .command('listen')
    .description('forward events to a local server until interrupted')
    .requiredOption('--forward-to <url>', 'such as http://localhost:3000/webhooks')
    .option(
      '--webhook <id>',
      'the endpoint; needed when the project has several; default: the only one, or a temporary one',
    )
    .option('--event-type <type>', 'only of this type')
    .option('--secret <secret>', 'sign with this secret instead of a new one')
    .addOption(new Option('--form <form>', "default: the endpoint's").choices(['body', 'timestamped', 'standard']))
    .addHelpText('after', LISTEN_HELP)
    .action(
      withAccess<ListenOptions>(shell, async ({ access, options }) => {
        requireKind(access, ['owner']);
        const target = toTarget(options.forwardTo);
        const projectId = await access.findProject();
        const found = await findWebhook(access, projectId, options.webhook);
        const webhook = found ?? (await createTemporary(access.client, projectId, options.eventType));
        const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
        const form = options.form ?? webhook.signature_form;
        const source = found ? found.endpoint_url : 'a temporary endpoint';
        shell.inform(`Forwarding events of ${source} to ${target}`);
        shell.inform(`Signing in the form ${form} with ${secret}`);
        const onReady = () => shell.inform('Waiting for events; interrupt to end.');
        const { client } = access;
        const forwarding = {
          client,
          projectId,
          webhookId: webhook.id,
          target,
          secret,
          form,
          eventType: options.eventType,
        };
        try {
          for await (const forwarded of forwardDeliveries(forwarding, shell, onReady)) {
            shell.print(options.json ? JSON.stringify(toJson(forwarded)) : describe(forwarded));
          }
        } finally {
          if (!found) await removeTemporary(client, projectId, webhook.id, shell);
        }
      }),
    );
}

function addTrigger(webhooks: Command, shell: Shell): void {
  webhooks
    .command('trigger [event-type]')
    .description('send a sample event to an endpoint; exits with 1 if the endpoint refuses it')
    .option('--webhook <id>', 'the endpoint; needed when the project has several')
    .action(
      withAccess<{ webhook?: string }>(shell, async ({ access, options }, eventType) => {
        requireKind(access, ['owner']);
        const projectId = await access.findProject();
        const { id } = requireWebhook(await findWebhook(access, projectId, options.webhook));
        const body = { event_type: eventType as Delivery['event_type'] };
        const result = await access.client.testWebhook(projectId, id, body);
        printFields(shell, options, result, [
          ['status', result.status],
          ['answer', result.response_status ?? undefined],
          ['error', result.error ?? undefined],
          ['time', `${result.latency_ms} ms`],
        ]);
        if (result.status !== 'delivered') throw new CliError('the endpoint did not take the event');
      }),
    );
}

/** Returns undefined when the project has no endpoint. */
async function findWebhook({ client }: Access, projectId: string, id: string | undefined) {
  if (id !== undefined) return (await client.getWebhook(projectId, id)).webhook;
  const { webhooks } = await client.listWebhooks(projectId, { limit: 200 });
  const [only, ...others] = webhooks.filter((webhook) => !isTemporary(webhook));
  if (others.length === 0) return only;
  const hint = 'Choose one with --webhook; `tollgate webhooks list` shows them.';
  throw new CliError('the project has several endpoints', { exitCode: EXIT.usage, hint });
}

function requireWebhook<W>(webhook: W | undefined): W {
  if (webhook) return webhook;
  throw new CliError('the project has no endpoint', { exitCode: EXIT.usage, hint: 'Create one in the console.' });
}

function toTarget(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CliError(`${text} is not an http address`, { exitCode: EXIT.usage });
}

function toJson({ delivery, status, error }: Forwarded): object {
  const { id, event_id, event_type } = delivery;
  return { id, event_id, event_type, status, error };
}

function describe({ delivery, status, error }: Forwarded): string {
  return clean(`${delivery.event_type}  ${delivery.event_id}  → ${status ?? error}`);
}
