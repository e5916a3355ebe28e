import type { Route } from '../../exchange/route.js';
import { createBatch } from './create-batch.js';

/** What stands beside `POST /responses`, which is served in front of Express (`http/hot/create-response.ts`). */
export const responsesRoutes: Route[] = [createBatch];
