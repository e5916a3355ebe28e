/** A model of Bedrock by its names. */
export interface NamedModel {
  /** A model id, an inference profile (`eu.…`, `global.…`), or an ARN. */
  upstreamModel: string;
  modelId: string;
}

/** The part of an id that names maker and model: profiles put a region in front, ARNs a path. */
const PROFILE = /^(?:.*\/)?(?:(?:us|us-gov|eu|apac|ap|jp|au|ca|sa|me|af|global)\.)?/;
/** Whether the model is Anthropic's, which Bedrock serves in the vendor's own form. An ARN may not name it; the catalog does then. */
export function isClaude({ upstreamModel, modelId }: NamedModel): boolean {
  return toPlainModel(upstreamModel).startsWith('anthropic.') || (isOpaque(upstreamModel) && /claude/.test(modelId));
}

/** Returns the vendor's own name of a Claude model, by which its traits are known: `claude-sonnet-4-5-20250929-v1:0`. */
export function toClaudeName({ upstreamModel, modelId }: NamedModel): string {
  const plain = toPlainModel(upstreamModel);
  if (plain.startsWith('anthropic.')) return plain.slice('anthropic.'.length);
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}

/** Returns maker and model: `amazon.nova-pro-v1:0`. */
export function toPlainModel(upstreamModel: string): string {
  return upstreamModel.replace(PROFILE, '');
}

/** Whether an id names no model: application profiles, provisioned throughput, imported models. */
function isOpaque(upstreamModel: string): boolean {
  return /:(?:application-inference-profile|provisioned-model|imported-model|custom-model-deployment)\//.test(
    upstreamModel,
  );
}

/** Returns the path of an operation. Bedrock signs and reads the id as one segment. */
export function modelPath(upstreamModel: string, operation: string): string {
  return `/model/${encodeURIComponent(upstreamModel)}/${operation}`;
}
