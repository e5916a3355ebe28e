import { endpoints } from '../../server/endpoints.js';
import { createBatch } from './create-batch.js';

/** The routes other than `POST /responses`, which is served in front of Express (`http/turns/create-response.ts`). */
export const responseRouter = endpoints(createBatch);
