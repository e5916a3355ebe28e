/** The form of a UUID, which stores check because PostgreSQL would raise an error for other text. */
const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return form.test(text);
}
