import { isErrorCode } from '@tollgate/errors';
import { isToolError, toolError } from '@tollgate/tools';
import { z } from 'zod';
import { isWithinDepth } from '../json-value.js';

const BLOCKS_MAX = 1_000;

const foreignResult = z.object({
  content: z.array(z.unknown()).max(BLOCKS_MAX).catch([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().catch(false),
});

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string() }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: z.string().catch(''), text: z.string() }) }),
  z.object({ type: z.string(), mimeType: z.string().catch('') }),
]);

/**
 * Converts a tool's result for the model: its structured content, or its text. Images, audio and binary resources are
 * named but not included, because a tool's result is text.
 */
export function toToolOutput(result: unknown): unknown {
  const parsed = foreignResult.safeParse(result);
  if (!parsed.success || !isWithinDepth(parsed.data)) {
    return toolError('PROVIDER_ERROR', 'the MCP server returned an invalid result');
  }
  const { content, structuredContent, isError } = parsed.data;
  const text = content.map(toText).join('\n');
  if (isError) return toolError('PROVIDER_ERROR', text || 'the tool failed');
  return structuredContent ? toForeignError(structuredContent) : text;
}

/** Replaces a code that has a meaning here, for example that a hook has failed: a server must not report that. */
function toForeignError(output: Record<string, unknown>): unknown {
  if (!isToolError(output) || !isErrorCode(output.error.code)) return output;
  return { ...output, error: { ...output.error, code: 'PROVIDER_ERROR' } };
}

function toText(given: unknown): string {
  const parsed = block.safeParse(given);
  if (!parsed.success) return '[unreadable content]';
  const { data } = parsed;
  if ('text' in data) return data.text;
  if ('uri' in data) return data.uri;
  if ('resource' in data) return data.resource.text;
  return `[${`${data.type} ${data.mimeType}`.trim().slice(0, 100)}: not shown]`;
}
