const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether text is a UUID. Check it before a query: for other text, PostgreSQL raises an error. */
export function isUuid(text: string): boolean {
  return form.test(text);
}
