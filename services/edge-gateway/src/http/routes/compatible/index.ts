import { endpoints } from '../../server/endpoints.js';
import { countMessageTokens, countResponseTokens } from './count-tokens.js';
import { createEmbeddings } from './create-embeddings.js';
import { createModeration } from './create-moderation.js';
import { createSpeech } from './create-speech.js';
import { createImages, editImages } from './images.js';
import {
  cancelCompatibleResponse,
  deleteCompatibleResponse,
  getCompatibleResponse,
  listResponseInputItems,
} from './stored-responses.js';
import { createTranscription, createTranslation } from './transcribe.js';

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
