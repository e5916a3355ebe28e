/** Returns the path of a request for a model, by the path of OpenAI's API. */
export type ToPath = (path: string, upstreamModel: string) => string;

/** Endpoints that belong to a deployment; others have the version only. */
const ofDeployment = new Set([
  '/audio/speech',
  '/audio/transcriptions',
  '/audio/translations',
  '/chat/completions',
  '/embeddings',
  '/images/edits',
  '/images/generations',
]);

/**
 * Returns the paths of Azure OpenAI's dated API, whose models are deployments. The base URL ends with `/openai`.
 *
 * Source: `AzureOpenAI` of the `openai` client library 6.49 (`buildRequest`, `_deployments_endpoints`), read 2026-11-30.
 */
export function azurePaths(apiVersion: string): ToPath {
  const query = `api-version=${encodeURIComponent(apiVersion)}`;
  return (path, upstreamModel) => {
    const prefix = ofDeployment.has(path) ? `/deployments/${encodeURIComponent(upstreamModel)}` : '';
    return `${prefix}${path}?${query}`;
  };
}

/** The paths of OpenAI's API itself, and of Azure's v1 API. */
export const plainPaths: ToPath = (path) => path;
