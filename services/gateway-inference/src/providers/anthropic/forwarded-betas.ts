/**
 * Features that a client may enable by `anthropic-beta`: they cost only tokens or have a price in the catalog, and store nothing
 * at the vendor. A feature has a name and the date of its version. Others are not forwarded: the schema or the vendor rejects the
 * members of the body that they would add, or `withoutDisabled` removes them, so header and body agree.
 *
 * Source: AnthropicBeta of `@anthropic-ai/sdk` 1.12; platform.claude.com/docs/en/api/beta-headers; requests of
 * `@anthropic-ai/claude-code` 2.1.330.
 */
const forwarded = new Set([
  'advanced-tool-use',
  'claude-code',
  'computer-use',
  'context-management',
  'effort',
  'extended-cache-ttl',
  'fine-grained-tool-streaming',
  'inline-tools',
  'interleaved-thinking',
  'mid-conversation-output-config',
  'mid-conversation-system',
  'mid-conversation-system-clear-at',
  'mid-conversation-tool-changes',
  'model-context-window-exceeded',
  'output-128k',
  'output-300k',
  'pdfs',
  'per-turn-control',
  'prompt-caching',
  'prompt-caching-scope',
  'redact-thinking',
  'structured-outputs',
  'task-budgets',
  'thinking-binding-controls',
  'thinking-display-updates',
  'thinking-token-count',
  'token-counting',
  'token-efficient-tools',
  'tool-examples',
  'tool-search-tool',
  'web-fetch',
  'web-search',
]);

/** Members that only serve a feature which is not forwarded, and that change no answer. */
const disabledMembers = ['context_hint', 'tags'];

/** The date of a version: `2026-07-01`, or `20260701` in older names. */
const VERSION = /-\d{4}-?\d{2}-?\d{2}$/;

/** Returns the features that a request is forwarded with. */
export function listForwarded(betas: readonly string[]): string[] {
  return [...new Set(betas)].filter((name) => VERSION.test(name) && forwarded.has(name.replace(VERSION, '')));
}

/** Returns the header of a forwarded request, as a flat list. */
export function betaHeader(betas: readonly string[]): string[] {
  const passed = listForwarded(betas);
  return passed.length === 0 ? [] : ['anthropic-beta', passed.join(',')];
}

/** Returns the body without the members of features that are not forwarded. */
export function withoutDisabled(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = { ...body };
  for (const member of disabledMembers) delete kept[member];
  return kept;
}
