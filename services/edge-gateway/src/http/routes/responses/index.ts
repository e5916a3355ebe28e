import type { Route } from '../../route.js';
import { createBatch } from './create-batch.js';

/** Routes next to `POST /responses`, which is served before Express (`http/hot/create-response.ts`). */
export const responsesRoutes: Route[] = [createBatch];
