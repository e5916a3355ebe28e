import { endpoints } from '../../server/endpoints.js';
import { batchEmbedGoogleContents } from './batch-embed-google-contents.js';
import { countGoogleTokens } from './count-google-tokens.js';
import { embedGoogleContent } from './embed-google-content.js';
import { getGoogleModel } from './get-google-model.js';
import { listGoogleModels } from './list-google-models.js';

/** Endpoints in Google's dialect other than turns, which are hot routes. */
export const googleRouter = endpoints(
  listGoogleModels,
  getGoogleModel,
  countGoogleTokens,
  embedGoogleContent,
  batchEmbedGoogleContents,
);
