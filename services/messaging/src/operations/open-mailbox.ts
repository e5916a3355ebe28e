import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { formatAddress } from '../domain/address.js';
import { isInScope, ownerOf, type RunOwners, type Scope } from '../domain/scope.js';
import { assignMailboxToCustomer } from '../store/messages.js';
import { readAddress } from './read-address.js';

/**
 * The mailbox's address in its one spelling. Mail that the project sent to a run before anybody here knew whose run it
 * is comes into its customer's scope now.
 *
 * @throws AppError VALIDATION_ERROR for a malformed address, NOT_FOUND for one outside the scope.
 */
export async function openMailbox(
  ctx: Context,
  scope: Scope,
  text: string,
  field: string,
  runs: RunOwners,
): Promise<string> {
  const address = readAddress(text, field);
  if (!isInScope(address, scope, runs)) throw new AppError('NOT_FOUND', 'mailbox not found');
  const mailbox = formatAddress(address);
  const owner = ownerOf(address, runs);
  if (owner) await assignMailboxToCustomer(ctx.prisma, scope.projectId, mailbox, owner);
  return mailbox;
}
