import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { joinArrays, toCaller, withItemIds } from '../../domain/stored-response.js';
import { deleteResponses, findResponse, type StoredResponse } from '../../store/responses.js';
import { readWholeChain } from './read-history.js';

type StoredContext = Pick<Context, 'clock' | 'pool'>;

/** Returns the response as its client received it. @throws AppError NOT_FOUND */
export async function getResponse(ctx: StoredContext, responseId: string, call: Call): Promise<string> {
  const { response, outputItems } = await requireResponse(ctx, responseId, call);
  return JSON.stringify({ ...JSON.parse(response), output: JSON.parse(outputItems) });
}

/** @throws AppError NOT_FOUND */
export async function deleteResponse(ctx: StoredContext, responseId: string, call: Call): Promise<void> {
  const caller = toCaller(call.requirePrincipal());
  if (!(await deleteResponses(ctx.pool, caller, responseId, ctx.clock.now()))) throw notFound();
}

export interface ItemsPage {
  limit: number;
  /** Id of the item after which the page starts; empty for the first page. */
  after: string;
  isDescending: boolean;
}

/** Returns a page of all items that the model read. @throws AppError NOT_FOUND; VALIDATION_ERROR for an unknown `after` */
export async function listInputItems(
  ctx: StoredContext,
  responseId: string,
  page: ItemsPage,
  call: Call,
): Promise<{ items: string[]; hasMore: boolean }> {
  const { id } = await requireResponse(ctx, responseId, call);
  const links = await readWholeChain(ctx, id);
  if (!links) throw notFound();
  const arrays = links.flatMap((link) => (link.id === id ? [link.inputItems] : [link.inputItems, link.outputItems]));
  const items = withItemIds(id, JSON.parse(joinArrays(arrays)));
  if (page.isDescending) items.reverse();
  const start = page.after === '' ? 0 : items.findIndex((item) => item.id === page.after) + 1;
  if (page.after !== '' && start === 0) {
    const message = `no item of this response has the id ${page.after}`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'after', message }] });
  }
  const end = start + page.limit;
  return { items: items.slice(start, end).map((item) => JSON.stringify(item)), hasMore: end < items.length };
}

async function requireResponse(ctx: StoredContext, responseId: string, call: Call): Promise<StoredResponse> {
  const found = await findResponse(ctx.pool, toCaller(call.requirePrincipal()), responseId, ctx.clock.now());
  if (!found) throw notFound();
  return found;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'response not found: it is not stored, or is not visible to this caller', {
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}
