import { AppError } from '@tollgate/errors';
import type { FetchedImages } from '../../clients/web/image-fetcher.js';
import type { Context } from '../../context.js';
import { listLinkedImages } from '../../domain/linked-images.js';
import type { LinkedImage } from '../../domain/model-request.js';
import type { TurnPlan } from './turn-plan.js';

/** Returns the images that the service has to read itself, because the provider that is asked first does not. */
export function listUnreadImages({ routes, dialect, conversation, model }: TurnPlan): LinkedImage[] {
  const [route] = routes;
  if (!route?.provider.takesImagesInline) return [];
  const { provider, upstreamModel } = route;
  // Its own dialect has no links, and need not be converted.
  const isOwn = dialect.forwardable !== undefined && provider.forwards.includes(dialect.forwardable);
  if (isOwn && !provider.converts?.({ upstreamModel, modelId: model.model_id })) return [];
  try {
    return listLinkedImages(conversation.request());
  } catch {
    // The turn reports why the request cannot be converted.
    return [];
  }
}

/** Reads linked images into the request. @throws AppError for an image that cannot be read; no provider has been asked then */
export async function inlineLinkedImages(
  { images }: Pick<Context, 'images'>,
  { call, conversation }: TurnPlan,
  links: readonly LinkedImage[],
): Promise<FetchedImages> {
  if (!images) {
    const message = 'this model takes images as data: URLs with base64 only';
    const fields = links.slice(0, 1).map(({ field }) => ({ field, message }));
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields });
  }
  const fetched = await images.fetch(links, call.principal?.accountId ?? '', call.signal);
  conversation.inline(fetched.byUrl, fetched.bytes);
  return fetched;
}
