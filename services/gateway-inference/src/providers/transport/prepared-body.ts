import type { PendingBody } from '../contract/provider.js';

/** Returns a body that is sent after something has been loaded; the body itself if nothing has to be. */
export function prepared(body: string | PendingBody, prepare: (() => Promise<void>) | undefined): string | PendingBody {
  if (!prepare) return body;
  return async () => {
    await prepare();
    return typeof body === 'string' ? Buffer.from(body) : body();
  };
}
