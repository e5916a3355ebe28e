const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Check an id before it reaches a uuid column: PostgreSQL raises an error for other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** For ids that are compared as text, where two spellings of one UUID would be two keys. */
export function isLowerCaseUuid(text: string): boolean {
  return UUID.test(text) && text === text.toLowerCase();
}
