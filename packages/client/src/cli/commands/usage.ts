import { type Command, Option } from 'commander';
import { type Access, requireKind } from '../access.js';
import { type Column, formatMoney, printFields, printRows } from '../output.js';
import type { GlobalOptions, Shell } from '../shell.js';
import { withAccess } from './command.js';

interface UsageOptions {
  from?: string;
  to?: string;
  groupBy?: 'model' | 'customer' | 'key' | 'tier' | 'status';
  interval: 'hour' | 'day' | 'total';
}

export function addUsage(program: Command, shell: Shell): void {
  program
    .command('usage')
    .description('show requests, tokens and money of the project, or your own as a customer')
    .option('--from <date>', 'inclusive; a date or an RFC 3339 time')
    .option('--to <date>', 'exclusive')
    .addOption(new Option('--group-by <what>').choices(['model', 'customer', 'key', 'tier', 'status']))
    .addOption(new Option('--interval <length>').choices(['hour', 'day', 'total']).default('total'))
    .action(
      withAccess<UsageOptions>(shell, async ({ access, options }) => {
        if (access.kind === 'customer') return printMyUsage(shell, access, options);
        requireKind(access, ['owner', 'secret_key']);
        const { from, to, groupBy: group_by, interval } = options;
        const query = { from, to, group_by, interval };
        const result = await access.client.getProjectUsage(await access.findProject(), query);
        if (options.json) return shell.print(JSON.stringify(result, undefined, 2));
        const total: Row = { ...result.totals, group: 'total' };
        printRows(shell, options, [...result.usage, ...(isTotal(options) ? [] : [total])], toColumns(options));
        if (result.has_more) shell.inform('There is more; choose a shorter time.');
      }),
    );
}

type Row = Awaited<ReturnType<Access['client']['getProjectUsage']>>['usage'][number];

function isTotal({ groupBy, interval }: Pick<UsageOptions, 'groupBy' | 'interval'>): boolean {
  return groupBy === undefined && interval === 'total';
}

function toColumns({ groupBy, interval }: UsageOptions): Column<Row>[] {
  return [
    ...(interval === 'total' ? [] : [['start', ({ start }) => start?.slice(0, 16)] as Column<Row>]),
    ...(isTotal({ groupBy, interval }) ? [] : [[groupBy ?? '', ({ group }) => group] as Column<Row>]),
    ['requests', ({ requests }) => requests],
    ['failed', ({ failed, refused }) => failed + refused],
    ['input', ({ input_tokens }) => input_tokens],
    ['output', ({ output_tokens }) => output_tokens],
    ['revenue', ({ revenue_microcents }) => formatMoney(revenue_microcents)],
    ['cost', ({ cost_microcents }) => formatMoney(cost_microcents)],
    ['margin', ({ margin_microcents }) => formatMoney(margin_microcents)],
    ['p95 ms', ({ duration_p95_ms }) => duration_p95_ms],
  ];
}

async function printMyUsage(shell: Shell, { client }: Access, options: GlobalOptions): Promise<void> {
  const { usage } = await client.getMyUsage();
  printFields(shell, options, usage, [
    ['period', `${usage.window_start} to ${usage.window_end}`],
    ['requests', usage.requests],
    ['tokens', usage.tokens],
    ['cost', formatMoney(usage.total_cost_microcents)],
    ['remaining', formatMoney(usage.spend_remaining_microcents)],
    ['wallet', formatMoney(usage.wallet_balance_microcents)],
  ]);
}
