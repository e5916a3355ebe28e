/** Limit of the body, as JSON in UTF-8. */
export const BODY_BYTES_MAX = 262_144;
export const SUBJECT_LENGTH_MAX = 1_000;

export type ContentFault = { kind: 'invalid'; field: 'subject' | 'body'; message: string } | { kind: 'too_large' };

/** Returns the first fault of a message's content; undefined when it is valid. */
export function contentFault(subject: string, bodyJson: string): ContentFault | undefined {
  if (subject.length === 0) return { kind: 'invalid', field: 'subject', message: 'is required' };
  if (subject.length > SUBJECT_LENGTH_MAX) {
    return { kind: 'invalid', field: 'subject', message: `must have at most ${SUBJECT_LENGTH_MAX} characters` };
  }
  if (subject.includes('\0')) return { kind: 'invalid', field: 'subject', message: 'must not contain NUL' };
  if (Buffer.byteLength(bodyJson) > BODY_BYTES_MAX) return { kind: 'too_large' };
  return isJsonObject(bodyJson) ? undefined : { kind: 'invalid', field: 'body', message: 'must be a JSON object' };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
