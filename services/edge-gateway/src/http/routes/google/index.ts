import { endpoints } from '../../server/endpoints.js';
import { countGoogleTokens } from './count-google-tokens.js';
import { batchEmbedGoogleContents, embedGoogleContent } from './embeddings.js';
import { getGoogleModel, listGoogleModels } from './models.js';

/** Endpoints in Google's dialect other than turns, which are hot routes. */
export const googleRouter = endpoints(
  listGoogleModels,
  getGoogleModel,
  countGoogleTokens,
  embedGoogleContent,
  batchEmbedGoogleContents,
);
