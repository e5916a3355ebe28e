import type { Model } from '@tollgate/api';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/** All models of the catalog. */
export async function readModels(ctx: Context, call: Call): Promise<Model[]> {
  const { modelsJson } = await ctx.clients.inference.listModels({}, call);
  return JSON.parse(Buffer.from(modelsJson).toString('utf8')) as Model[];
}
