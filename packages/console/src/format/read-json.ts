/** Text of JSON that a person has typed: its value, or what is wrong with it. */
export type ReadJson = { value: unknown; fault?: undefined } | { value?: undefined; fault: string };

/** Empty text is no value. */
export function readJson(text: string): ReadJson {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is not valid JSON: ${(error as Error).message}` };
  }
}

/** Returns undefined for no value, so that a field stays empty. */
export function writeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
