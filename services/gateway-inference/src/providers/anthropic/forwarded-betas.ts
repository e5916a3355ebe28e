/**
 * Features that a client may enable by `anthropic-beta`: they cost only tokens, and store nothing at the vendor. Others are not
 * forwarded; the schema or the vendor rejects the body members that they would add, so no feature is silently missing.
 *
 * Source: AnthropicBeta of `@anthropic-ai/sdk` 1.11; platform.claude.com/docs/en/api/beta-headers.
 */
const harmless = new Set([
  'context-management-2025-06-27',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'model-context-window-exceeded-2025-08-26',
  'output-128k-2025-02-19',
  'output-300k-2026-03-24',
  'pdfs-2024-09-25',
  'prompt-caching-2024-07-31',
  'structured-outputs-2025-11-13',
  'task-budgets-2026-03-13',
  'thinking-token-count-2026-05-13',
  'token-efficient-tools-2025-02-19',
]);

/** Returns the header of a forwarded request, as a flat list. */
export function betaHeader(betas: readonly string[]): string[] {
  const passed = [...new Set(betas)].filter((name) => harmless.has(name));
  return passed.length === 0 ? [] : ['anthropic-beta', passed.join(',')];
}
