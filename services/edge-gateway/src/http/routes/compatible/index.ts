import { endpoints } from '../../server/endpoints.js';
import { countMessageTokens } from './count-message-tokens.js';
import { countResponseTokens } from './count-response-tokens.js';
import { createEmbeddings } from './create-embeddings.js';
import { createImages } from './create-images.js';
import { createModeration } from './create-moderation.js';
import { createSpeech } from './create-speech.js';
import { createTranscription } from './create-transcription.js';
import { createTranslation } from './create-translation.js';
import { editImages } from './edit-images.js';
import { cancelCompatibleResponse } from './stored-responses/cancel-compatible-response.js';
import { deleteCompatibleResponse } from './stored-responses/delete-compatible-response.js';
import { getCompatibleResponse } from './stored-responses/get-compatible-response.js';
import { listResponseInputItems } from './stored-responses/list-response-input-items.js';

/** Endpoints of the vendors' client libraries other than turns, which are hot routes. */
export const compatibleRouter = endpoints(
  createEmbeddings,
  createModeration,
  createSpeech,
  createTranscription,
  createTranslation,
  createImages,
  editImages,
  countMessageTokens,
  countResponseTokens,
  getCompatibleResponse,
  cancelCompatibleResponse,
  deleteCompatibleResponse,
  listResponseInputItems,
);
