const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Text that is no UUID names nothing and must not reach a uuid column, which would refuse it as a fault. */
export function isUuid(text: string): boolean {
  return form.test(text);
}
