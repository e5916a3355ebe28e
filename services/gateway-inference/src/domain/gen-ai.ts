import {
  type GEN_AI_OPERATION_NAME_VALUE_CHAT,
  type GEN_AI_OPERATION_NAME_VALUE_EMBEDDINGS,
  GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI,
  GEN_AI_PROVIDER_NAME_VALUE_X_AI,
} from '@opentelemetry/semantic-conventions/incubating';
import type { ProviderId } from '@tollgate/api/model-requests';

/** The kind of a request to a provider. The conventions of OpenTelemetry name the first two; the others are ours. */
export type GenAiOperation =
  | typeof GEN_AI_OPERATION_NAME_VALUE_CHAT
  | typeof GEN_AI_OPERATION_NAME_VALUE_EMBEDDINGS
  | 'image_generation'
  | 'moderation'
  | 'realtime'
  | 'speech'
  | 'transcription';

/** Returns a provider's name by the conventions. Providers that they do not name keep ours. */
export function toGenAiProvider(provider: ProviderId): string {
  if (provider === 'google-ai-studio') return GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI;
  return provider === 'xai' ? GEN_AI_PROVIDER_NAME_VALUE_X_AI : provider;
}
