import { isDeepStrictEqual } from 'node:util';
import { isErrorCode } from '@tollgate/errors';
import { isJsonObject } from '@tollgate/runtime/json-object';
import { isToolError, toolError } from '@tollgate/tools';
import { z } from 'zod';
import { isWithinDepth, parseJson } from '../json-value.js';

const BLOCKS_MAX = 1_000;

const foreignResult = z.object({
  content: z.array(z.unknown()).catch([]),
  // Any JSON value; null is absent.
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

const shownText = z.string().optional().catch(undefined);

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: shownText, description: shownText }),
  z.object({ type: z.literal('resource'), resource: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: shownText, mimeType: shownText }) }),
  z.object({ type: z.string(), mimeType: shownText }),
]);

/**
 * Converts a tool's result for the model: all of its text and links, and its structured content as JSON. A result that is only
 * structured, or whose text repeats it, stays JSON. Images, audio and binary resources are named but not included, because a
 * tool's result is text.
 */
export function toToolOutput(result: unknown): unknown {
  const parsed = foreignResult.safeParse(result);
  if (!parsed.success || !isWithinDepth(parsed.data)) {
    return toolError('PROVIDER_ERROR', 'the MCP server returned an invalid result');
  }
  const { content, isError } = parsed.data;
  const structured = parsed.data.structuredContent ?? undefined;
  const shown = content.slice(0, BLOCKS_MAX).map(toText);
  if (content.length > BLOCKS_MAX) shown.push(`[${content.length - BLOCKS_MAX} more parts: not shown]`);
  const texts = structured === undefined ? shown : shown.filter((text) => !repeats(text, structured));
  if (structured !== undefined && texts.length === 0 && !isError) return toForeignError(structured);
  if (structured !== undefined) texts.push(JSON.stringify(structured));
  const text = texts.join('\n');
  return isError ? toolError('PROVIDER_ERROR', text || 'the tool failed') : text;
}

/** Returns whether a text is the structured content as JSON: servers send it for clients that read only text. */
function repeats(text: string, structured: unknown): boolean {
  return isDeepStrictEqual(parseJson(text), structured);
}

/** Replaces a code that has a meaning here, for example that a hook has failed: a server must not report that. */
function toForeignError(output: unknown): unknown {
  if (!isJsonObject(output) || !isToolError(output) || !isErrorCode(output.error.code)) return output;
  return { ...output, error: { ...output.error, code: 'PROVIDER_ERROR' } };
}

function toText(given: unknown): string {
  const parsed = block.safeParse(given);
  if (!parsed.success) return '[unreadable content]';
  const { data } = parsed;
  if ('text' in data) return data.text;
  if ('uri' in data) return [data.name && `${data.name}:`, data.uri, data.description].filter(Boolean).join(' ');
  if (!('resource' in data)) return toNotShown(data.type, data.mimeType);
  if ('text' in data.resource) return data.resource.text;
  return toNotShown(data.type, data.resource.mimeType, data.resource.uri);
}

function toNotShown(...described: (string | undefined)[]): string {
  return `[${described.filter(Boolean).join(' ').slice(0, 300)}: not shown]`;
}
