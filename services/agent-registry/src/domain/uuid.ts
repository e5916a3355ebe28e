const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Text that is not a UUID matches no row. Stores check it first, because PostgreSQL would raise an error. */
export function isUuid(text: string): boolean {
  return form.test(text);
}
