/**
 * Returns the base URL of a publisher's models at a location: a region, `global`, or a group of regions (`us`, `eu`).
 *
 * Source: `@anthropic-ai/vertex-sdk` 1.1 (`AnthropicVertex`), cloud.google.com/vertex-ai/generative-ai/docs/learn/locations, read 2026-11-30.
 */
export function vertexBaseUrl(project: string, location: string, publisher: 'google' | 'anthropic'): string {
  return `https://${toHost(location)}/v1/projects/${project}/locations/${location}/publishers/${publisher}`;
}

function toHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}
