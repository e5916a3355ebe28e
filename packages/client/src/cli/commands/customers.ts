import type { Command } from 'commander';
import { TollgateError } from '../../core/error.js';
import { type Access, requireKind } from '../access.js';
import { formatMoney, formatTime, printFields, printRows } from '../output.js';
import { CliError, EXIT, type Shell } from '../shell.js';
import { withAccess } from './command.js';

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

interface ListOptions {
  search?: string;
  limit: string;
}

export function addCustomers(program: Command, shell: Shell): void {
  const customers = program.command('customers').description('list and show customers');
  customers
    .command('list', { isDefault: true })
    .description('list the customers of the project, newest first')
    .option('--search <text>', 'part of an email or an external id')
    .option('--limit <count>', 'show at most this many', '100')
    .action(
      withAccess<ListOptions>(shell, async ({ access, options }) => {
        const limit = toCount(options.limit);
        const query = { limit: Math.min(limit, 100), q: options.search, sort: '-created_at' } as const;
        const found =
          access.kind === 'owner'
            ? access.client.listProjectCustomers(await access.findProject(), query)
            : access.client.listCustomers(query);
        requireKind(access, ['owner', 'secret_key']);
        printRows(shell, options, await found.toArray(limit), [
          ['id', ({ customer }) => customer.id],
          ['external id', ({ customer }) => customer.external_id],
          ['email', ({ customer }) => customer.email],
          ['tier', ({ subscription }) => subscription?.tier_code],
          ['created', ({ customer }) => formatTime(customer.created_at)],
        ]);
      }),
    );
  customers
    .command('get <id>')
    .description('show one customer, by its id or external id')
    .action(
      withAccess(shell, async ({ access, options }, id) => {
        const envelope = await withCustomerId(access, id as string, (customerId) => getCustomer(access, customerId));
        const { customer, subscription } = envelope;
        printFields(shell, options, envelope, [
          ['id', customer.id],
          ['external id', customer.external_id],
          ['email', customer.email],
          ['tier', subscription?.tier_code],
          ['created', formatTime(customer.created_at)],
        ]);
      }),
    );
}

export function addBalance(program: Command, shell: Shell): void {
  program
    .command('balance')
    .description('show the balance of the account, of a customer, or your own as a customer')
    .option('--customer <id>', 'of this customer, by its id or external id')
    .action(
      withAccess<{ customer?: string }>(shell, async ({ access, options }) => {
        const balance = await readBalance(access, options.customer);
        printFields(shell, options, balance, [
          ['balance', formatMoney(balance.balance_microcents)],
          ['reserved', 'reserved_microcents' in balance ? formatMoney(balance.reserved_microcents) : undefined],
          ['currency', balance.currency],
        ]);
      }),
    );
}

async function readBalance(access: Access, customerId: string | undefined) {
  const { client, kind } = access;
  if (kind === 'customer') return client.getMyBalance();
  if (customerId === undefined) return client.getAccountBalance();
  return withCustomerId(access, customerId, async (id) => {
    if (kind === 'secret_key') return client.getCustomerBalance(id);
    return client.getProjectCustomerBalance(await access.findProject(), id);
  });
}

/** Reads something of a customer that a person has named by its id or external id. An external id may look like an id. */
export async function withCustomerId<T>(access: Access, name: string, read: (id: string) => Promise<T>): Promise<T> {
  let failure: unknown = new CliError(`no customer has the id or the external id ${name}`, {
    exitCode: EXIT.notFound,
    hint: '`tollgate customers list` shows both.',
  });
  if (UUID.test(name)) {
    try {
      return await read(name);
    } catch (error) {
      if (!(error instanceof TollgateError) || error.status !== 404) throw error;
      failure = error;
    }
  }
  const id = await findByExternalId(access, name);
  if (id === undefined) throw failure;
  return read(id);
}

async function findByExternalId(access: Access, externalId: string): Promise<string | undefined> {
  requireKind(access, ['owner', 'secret_key']);
  const query = { external_id: externalId, limit: 1 };
  const { customers } =
    access.kind === 'owner'
      ? await access.client.listProjectCustomers(await access.findProject(), query)
      : await access.client.listCustomers(query);
  return customers[0]?.customer.id;
}

async function getCustomer(access: Access, id: string) {
  requireKind(access, ['owner', 'secret_key']);
  if (access.kind === 'secret_key') return access.client.getCustomer(id);
  return access.client.getProjectCustomer(await access.findProject(), id);
}

export function toCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new CliError(`${text} is not a positive number`, { exitCode: EXIT.usage });
}
