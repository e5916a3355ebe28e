import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { formatAddress } from '../domain/address.js';
import { findRunOwner, isInScope, type RunOwners, type Scope } from '../domain/scope.js';
import { assignMailboxToCustomer } from '../store/messages.js';
import { readAddress } from './read-address.js';

/**
 * Returns the mailbox's address in lower case. Moves mail that the project sent to the run while its customer was unknown
 * into the customer's scope.
 *
 * @throws AppError VALIDATION_ERROR for a malformed address, NOT_FOUND for one outside the scope
 */
export async function openMailbox(
  ctx: Pick<Context, 'pool'>,
  scope: Scope,
  text: string,
  field: string,
  runs: RunOwners,
): Promise<string> {
  const address = readAddress(text, field);
  if (!isInScope(address, scope, runs)) throw new AppError('NOT_FOUND', 'mailbox not found');
  const mailbox = formatAddress(address);
  const owner = findRunOwner(address, runs);
  if (owner) await assignMailboxToCustomer(ctx.pool, scope.projectId, mailbox, owner);
  return mailbox;
}
