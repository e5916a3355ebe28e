import { parseFailed } from '../parse-failed.js';

/** @throws AppError parse_failed for text that is no JSON object */
export function jsonValues(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw parseFailed(`${path} is no valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw parseFailed(`${path} is no JSON object`);
  return value as Record<string, unknown>;
}
