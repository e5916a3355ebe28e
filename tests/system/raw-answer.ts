import type { Json } from '@tollgate/testkit';

/** Returns the unchanged text of a successful answer. @throws Error for any other answer */
export async function rawAnswer(url: string, key: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return text;
}

/** Removes the number and the time of the call from an answer of the fake provider. */
export function withoutCall(text: string): string {
  return text.replace(/_fake_\d+/g, '_fake').replace(/"created_at":\d+/g, '"created_at":0');
}

/** Returns the data of a stream's events. */
export function parseEvents(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
