import type { Command } from 'commander';
import { realTiming } from '../../core/settings.js';
import { follow } from '../../follow.js';
import type { components } from '../../gen/schema.js';
import { type Access, requireKind } from '../access.js';
import { clean, formatMoney } from '../output.js';
import { SeenIds } from '../seen-ids.js';
import type { Shell } from '../shell.js';
import { withAccess } from './command.js';
import { withCustomerId } from './customers.js';

type RequestRecord = components['schemas']['StreamProjectRequestsResult'];

interface TailOptions {
  follow: boolean;
  status?: 'succeeded' | 'failed' | 'refused' | 'unreported';
  model?: string;
  customer?: string;
}

export function addLogs(program: Command, shell: Shell): void {
  program
    .command('logs')
    .description('show requests as they end')
    .command('tail', { isDefault: true })
    .description("print the project's requests of the last minute, then new ones")
    .option('--no-follow', 'end after those of the last minute')
    .option('--status <status>', 'succeeded, failed, refused or unreported')
    .option('--model <id>', 'only of this model')
    .option('--customer <id>', 'only of this customer, by its id or external id')
    .action(
      withAccess<TailOptions>(shell, async ({ access, options }) => {
        requireKind(access, ['owner', 'secret_key']);
        const projectId = await access.findProject();
        const { customer } = options;
        const customerId = customer && (await withCustomerId(access, customer, async (id) => id));
        for await (const record of tail(shell, access, projectId, { ...options, customerId })) {
          shell.print(options.json ? JSON.stringify(record) : describeRequest(record));
        }
      }),
    );
}

/** The service ends a live view after some minutes; the next one repeats the requests of the last minute. */
function tail(
  shell: Shell,
  { client }: Access,
  projectId: string,
  { follow: wait, status, model, customerId }: TailOptions & { customerId: string | undefined },
): AsyncIterable<RequestRecord> {
  const query = { wait: wait ? 'true' : 'false', status, model, customer_id: customerId } as const;
  const open = () => client.streamProjectRequests(projectId, query, { signal: shell.signal, retriesMax: 0 });
  if (!wait) return open();
  const seen = new SeenIds();
  const timing = { ...realTiming, nowMs: shell.nowMs, elapsed: shell.elapsed, pause: shell.pause };
  return follow({ open, isRepeat: ({ id }) => !seen.add(id), isLast: () => false }, timing, shell.signal);
}

function describeRequest(record: RequestRecord): string {
  const parts = [
    record.at.slice(11, 23),
    record.status.padEnd(9),
    String(record.http_status ?? '–').padEnd(3),
    record.model ?? '–',
    `${record.input_tokens ?? 0}+${record.output_tokens ?? 0} tokens`,
    formatMoney(record.revenue_microcents),
    record.duration_ms === undefined ? undefined : `${record.duration_ms} ms`,
    record.error_code,
    record.request_id,
  ];
  return clean(parts.filter((part) => part !== undefined).join('  '));
}
