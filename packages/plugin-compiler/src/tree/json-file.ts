import { parseFailed } from '../parse-failed.js';

/** Parses a JSON object. @throws AppError parse_failed for other text */
export function jsonValues(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw parseFailed(`${path} is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw parseFailed(`${path} is not a JSON object`);
  }
  return value as Record<string, unknown>;
}
