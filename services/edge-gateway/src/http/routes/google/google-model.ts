import type { Model } from '@tollgate/api/model-requests';

const TURN_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'];
const EMBEDDING_METHODS = ['embedContent', 'batchEmbedContents'];

/** Renders a catalog model as Google's `GET /v1beta/models` does. Source: `Model` of `@google/genai` 3.1. */
export function toGoogleModel(model: Model): Record<string, unknown> {
  return {
    name: `models/${model.model_id}`,
    baseModelId: model.model_id,
    version: '',
    displayName: model.display_name,
    description: model.description,
    inputTokenLimit: model.context_window,
    outputTokenLimit: model.max_output_tokens,
    supportedGenerationMethods: listMethods(model),
  };
}

/** Whether the model answers any method of this dialect. */
export function isGoogleCallable(model: Model): boolean {
  return listMethods(model).length > 0;
}

function listMethods({ capabilities, serves }: Model): string[] {
  if (serves === 'embeddings') return EMBEDDING_METHODS;
  return capabilities.includes('text') ? TURN_METHODS : [];
}
