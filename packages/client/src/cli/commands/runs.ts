import type { Command } from 'commander';
import type { RunEvent } from '../../client.js';
import { clean, formatTime, printRows } from '../output.js';
import { CliError, EXIT, type Shell } from '../shell.js';
import { withAccess } from './command.js';
import { toCount } from './customers.js';

export function addRuns(program: Command, shell: Shell): void {
  const runs = program.command('runs').description('list and watch runs');
  runs
    .command('list', { isDefault: true })
    .description('list runs, newest first')
    .option('--limit <count>', 'show at most this many', '20')
    .action(
      withAccess<{ limit: string }>(shell, async ({ access, options }) => {
        const limit = toCount(options.limit);
        const query = { limit: Math.min(limit, 100) };
        const found =
          access.kind === 'owner'
            ? access.client.listProjectRuns(await access.findProject(), query)
            : access.client.listRuns(query);
        printRows(shell, options, await found.toArray(limit), [
          ['id', ({ run_id }) => run_id],
          ['status', ({ status }) => status],
          ['name', ({ name }) => name],
          ['created', ({ created_at }) => formatTime(created_at)],
        ]);
      }),
    );
  runs
    .command('watch <id>')
    .description('print the events of a run until it ends; exits with 1 if it does not complete')
    .option('--after <seq>', 'start behind this event', '0')
    .action(
      withAccess<{ after: string }>(shell, async ({ access, options }, id) => {
        const from = { afterSeq: Number(options.after), signal: shell.signal };
        const scope = access.kind === 'owner' ? { projectId: await access.findProject() } : {};
        let last: RunEvent | undefined;
        for await (const event of access.client.followRun(id as string, { ...from, ...scope })) {
          shell.print(options.json ? JSON.stringify(event) : describeEvent(event));
          last = event;
        }
        if (last?.type !== 'run_completed') throw new CliError('the run did not complete', { exitCode: EXIT.failure });
      }),
    );
}

function describeEvent(event: RunEvent): string {
  const node = 'node_id' in event ? ` ${event.node_id}` : '';
  return clean(
    `${event.ts.slice(11, 23)} ${String(event.seq).padStart(4)} ${event.type}${node}${describeDetail(event)}`,
  );
}

const DETAIL_LENGTH_MAX = 200;

function describeDetail(event: RunEvent): string {
  switch (event.type) {
    case 'run_failed':
    case 'node_failed':
      return `: ${event.error.code} ${event.error.message}`;
    case 'node_output_delta':
      return `: ${event.delta.text_delta}`.slice(0, DETAIL_LENGTH_MAX);
    case 'node_llm_call':
      return `: ${event.llm_call.model}, ${event.llm_call.usage.total_tokens} tokens`;
    case 'node_tool_call':
      return `: ${event.tool_call.name}(${event.tool_call.arguments})`.slice(0, DETAIL_LENGTH_MAX);
    case 'node_waiting':
      return `: ${event.waiting.pending_tool_calls.map(({ name }) => name).join(', ')}`;
    default:
      return '';
  }
}
