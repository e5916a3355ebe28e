// Values that clients may send: values that conform to a JSON Schema, and damaged copies of them.
import type { Json } from '@tollgate/testkit';
import fc from 'fast-check';
import { resolve } from '../system/api-document.js';

/** Beyond this, optional members are left out and lists are as short as they may be. */
const DEPTH_MAX = 4;

/** Values that a schema of the document allows. Supports patterns, and the formats that the API uses. */
export function toArbitrary(document: Json, value: Json, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(document, value ?? {});
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return fc.oneof(...forms.map((form: Json) => toArbitrary(document, form, depth)));
  if (schema.allOf) return anyIntersection(schema.allOf.map((form: Json) => toArbitrary(document, form, depth)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => toArbitrary(document, { ...schema, type }, depth)));
  }
  switch (schema.type) {
    case 'object':
      return anyObject(document, schema, depth);
    case 'array':
      return anyArray(document, schema, depth);
    case 'string':
      return anyString(schema);
    case 'integer':
      return anyInteger(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return depth > DEPTH_MAX ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
  }
}

function anyIntersection(forms: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.tuple(...forms).map((values) => Object.assign({}, ...(values as object[])));
}

function anyObject(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties: more, propertyNames } = schema;
  const isDeep = depth > DEPTH_MAX;
  const members = Object.entries<Json>(properties).filter(([name]) => !isDeep || required.includes(name));
  const model = Object.fromEntries(members.map(([name, member]) => [name, toArbitrary(document, member, depth + 1)]));
  const named = fc.record(model, { requiredKeys: required.filter((name: string) => name in model) });
  if (isDeep || typeof more !== 'object' || Object.keys(properties).length > 0) return named;
  const names = propertyNames ? (toArbitrary(document, propertyNames) as fc.Arbitrary<string>) : fc.string();
  return fc.dictionary(names, toArbitrary(document, more, depth + 1), { maxKeys: 3 });
}

function anyArray(document: Json, { items = {}, minItems = 0, maxItems = 1_000 }: Json, depth: number) {
  // The schema of any JSON value is recursive.
  if (depth > DEPTH_MAX && minItems === 0) return fc.constant([]);
  const maxLength = Math.min(maxItems, depth > DEPTH_MAX ? minItems : minItems + 2);
  return fc.array(toArbitrary(document, items, depth + 1), { minLength: minItems, maxLength });
}

function anyString({ format, pattern, minLength = 0, maxLength = 100_000 }: Json): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return date.map((day) => day.toISOString());
  if (format === 'date') return date.map((day) => day.toISOString().slice(0, 10));
  if (format === 'uri') return fc.webUrl();
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits);
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40), unit: 'grapheme' });
}

const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

function anyInteger({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Json): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? (exclusiveMinimum ?? -1_000_001) + 1, -Number.MAX_SAFE_INTEGER);
  const max = Math.min(maximum ?? (exclusiveMaximum ?? 1_000_001) - 1, Number.MAX_SAFE_INTEGER);
  const near = fc.integer({ min, max: Math.min(max, min + 100) });
  return fc.oneof(near, fc.integer({ min, max }), fc.constantFrom(min, max));
}

/** JSON text that `JSON.stringify` never writes replaces a string that begins with this. */
const RAW = 'raw json: ';

/** Values that break careless code anywhere in a body. */
const nasty: fc.Arbitrary<unknown> = fc.constantFrom(
  ...['\0', 'a\0b', '\ud800', 'x\udfff', '\u202e\ufeff', '💥'.repeat(50), 'x'.repeat(70_000), '', ' ', '__proto__'],
  ...[
    '../../etc/passwd',
    '%00',
    '{{x}}',
    "'; --",
    '-1',
    'null',
    'NaN',
    '2026-99-99T99:99:99Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...[null, true, 0, -0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, 2 ** 63, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324],
  ...[`${RAW}1e400`, `${RAW}-1e400`, `${RAW}123456789012345678901234567890`, `${RAW}{"a":1,"a":2}`, `${RAW}0.1e-7`],
  ...[`${RAW}{"__proto__":{"x":1}}`, `${RAW}{"constructor":{"prototype":{}}}`, `${RAW}"\\ud800"`, `${RAW}"\\u0000"`],
  ...[`${RAW}${'['.repeat(150)}${']'.repeat(150)}`, `${RAW}${'{"a":'.repeat(150)}1${'}'.repeat(150)}`],
  ...[[], {}, [null], [[]], { '': '' }, { '\0': 1 }, { 'a\ud800': '\0' }, [{ a: '\0' }]],
);

/** Text that is not an acceptable JSON object. */
const garbage = fc.constantFrom(
  '',
  '{',
  '[]',
  '"x"',
  'null',
  '{"a":1}}',
  '\ufeff{}',
  '{"a":undefined}',
  '['.repeat(300),
);

/** JSON text of the arbitrary's values, some of them damaged in one place, and some garbage. */
export function bodyTexts(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const good = values.map(toText);
  const damaged = fc.tuple(values, nasty, fc.nat()).map(([value, bad, at]) => toText(damagedAt(value, bad, at)));
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 6, arbitrary: damaged }, { weight: 1, arbitrary: garbage });
}

/** Text for a path segment or a query parameter, as it is in the URL. */
export function urlTexts(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const bad = fc.constantFrom(
    ...[
      '%00',
      '%20',
      '%2F',
      '%2e%2e%2F',
      '%252F',
      '%F0%9F%92%A5',
      '%0d%0aX-Evil:1',
      'a%00b',
      '-1',
      '0',
      '1e3',
      '1.5',
      '+1',
    ],
    ...[
      '99999999999999999999',
      '2147483648',
      '9007199254740993',
      'NaN',
      'true',
      'null',
      '[]',
      '%7B%7D',
      "'",
      'x'.repeat(3_000),
    ],
  );
  return fc.oneof(
    { weight: 2, arbitrary: values.map((value) => encoded(String(value))) },
    { weight: 1, arbitrary: bad },
  );
}

function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?')).replace(/^\.+$/, 'dots');
}

function toText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replaceAll(new RegExp(`"${RAW}((?:[^"\\\\]|\\\\.)*)"`, 'g'), (_, raw) => JSON.parse(`"${raw}"`));
}

/** Returns a copy in which the value at index `at` is replaced. */
function damagedAt(value: unknown, bad: unknown, at: number): unknown {
  const total = count(value);
  let left = at % total;
  const copy = (node: unknown): unknown => {
    if (left-- === 0) return bad;
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, copy(member)]));
  };
  return copy(value);
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1);
}
