import type { Route } from '../../exchange/route.js';
import { countMessageTokens } from './count-message-tokens.js';
import { countResponseTokens } from './count-response-tokens.js';
import { createEmbeddings } from './create-embeddings.js';
import { createSpeech } from './create-speech.js';
import { createTranscription } from './create-transcription.js';
import { createTranslation } from './create-translation.js';

/** What client libraries of the vendors ask for beside turns, which are hot routes. */
export const compatibleRoutes: Route[] = [
  createEmbeddings,
  createSpeech,
  createTranscription,
  createTranslation,
  countMessageTokens,
  countResponseTokens,
];
