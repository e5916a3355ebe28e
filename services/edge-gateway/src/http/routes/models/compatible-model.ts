import type { CompatibleModel, Model } from '@tollgate/api/model-requests';

/** Renders a catalog model as OpenAI's `GET /v1/models` does. */
export function toCompatibleModel(model: Model): CompatibleModel {
  const { capabilities } = model;
  const input = model.serves === 'transcription' ? ['audio'] : ['text'];
  if (model.serves === 'realtime') input.push('audio', 'image');
  if (capabilities.includes('vision')) input.push('image');
  if (capabilities.includes('audio')) input.push('audio');
  if (capabilities.includes('document')) input.push('file');
  return {
    id: model.model_id,
    object: 'model',
    created: createdAt(model),
    owned_by: model.provider,
    context_length: model.context_window,
    architecture: {
      input_modalities: input,
      output_modalities: outputModalities(model),
    },
    supported_parameters: supportedParameters(model),
  };
}

/** Renders a catalog model as Anthropic's `GET /v1/models` does. */
export function toAnthropicModel(model: Model): Record<string, unknown> {
  return {
    type: 'model',
    id: model.model_id,
    display_name: model.display_name,
    created_at: new Date(createdAt(model) * 1000).toISOString(),
    max_input_tokens: model.context_window,
    max_tokens: model.max_output_tokens,
    capabilities: null,
    lifecycle: model.deprecated ? 'deprecated' : 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}

function outputModalities({ capabilities, serves }: Model): string[] {
  if (serves === 'embeddings') return ['embeddings'];
  if (serves === 'speech') return ['audio'];
  if (serves === 'realtime') return ['text', 'audio'];
  return capabilities.includes('image_generation') ? ['image'] : ['text'];
}

/** The catalog has no release date; uses the training cutoff instead. */
function createdAt({ training_cutoff: cutoff }: Model): number {
  const ms = cutoff === undefined ? Number.NaN : Date.parse(cutoff);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function supportedParameters({ capabilities }: Model): string[] {
  if (!capabilities.includes('text')) return [];
  const names = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop', 'stream'];
  if (capabilities.includes('tool_use')) names.push('tools', 'tool_choice');
  if (capabilities.includes('structured_output')) names.push('response_format');
  return names;
}
