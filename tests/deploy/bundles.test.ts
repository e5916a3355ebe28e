// A process compiles its whole bundle at every start and keeps the text in memory.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@tollgate/local';

const LEFT_OUT = [
  /\/undici\/lib\/(cache|cookies|eventsource|mock|websocket)\//,
  /\/iconv-lite\/encodings\/tables\//,
  /\/zod\/v4\/locales\/fr\./,
];

describe.each(SERVICE_NAMES)('the bundle of %s', (service) => {
  const folder = fileURLToPath(new URL(`../../services/${service}/dist/bundle/`, import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));

  it('leaves out parts of packages that no service uses', () => {
    const sources = files.flatMap(
      (file) => JSON.parse(readFileSync(`${folder}${file}.map`, 'utf8')).sources as string[],
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((source) => LEFT_OUT.some((part) => part.test(source)))).toEqual([]);
  });

  it('has only ASCII characters, for V8 keeps two bytes of each character otherwise', () => {
    const others = files.filter((file) => readFileSync(`${folder}${file}`).some((byte) => byte > 127));
    expect(others).toEqual([]);
  });

  it('has no indentation, which is a fifth of its size', () => {
    // Some are left in template literals.
    const indented = readFileSync(`${folder}main.js`, 'utf8').match(/^ {2,}(const|let|var) \w+ = /gm) ?? [];
    expect(indented.length).toBeLessThan(50);
  });
});
