import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { describeScalar, type FunctionSource, type Source, unsupported } from './source.js';
import { toTag } from './write-source.js';

const LENGTH_DELIMITED = 2;
const END = 'const end = reader.uint32() + reader.pos;';

/** Reads until `end` into a message; fields that this build does not know are kept in it. */
export function writeReadSource(desc: DescMessage, source: Source): FunctionSource {
  const own = source.codec(desc);
  const body = [
    'while (reader.pos < end) {',
    'const tag = reader.uint32();',
    'switch (tag) {',
    ...desc.fields.map((field) => readField(field, source)),
    'default: {',
    'const no = tag >>> 3, wireType = tag & 7;',
    "if (no === 0) throw new Error('illegal tag');",
    '(message.$unknown ??= []).push({ no, wireType, data: reader.skip(wireType, no) });',
    '}',
    '}',
    '}',
    'reader.assertBounds();',
    'return message;',
  ];
  return { parameters: `reader, end, message = ${own}.create()`, body: body.join('\n') };
}

function readField(field: DescField, source: Source): string {
  const at = `message.${field.localName}`;
  switch (field.fieldKind) {
    case 'list':
      return readList(field, source);
    case 'map':
      return `case ${toTag(field.number, LENGTH_DELIMITED)}: { ${readEntry(field)} break; }`;
    case 'message': {
      const codec = source.codec(field.message);
      const into = field.oneof ? caseValue(field) : at;
      const value = `${codec}.read(reader, end, ${into})`;
      return `case ${toTag(field.number, LENGTH_DELIMITED)}: { ${END} ${assign(field, value)} break; }`;
    }
    default: {
      const { wireType } = describeScalar(field);
      return `case ${toTag(field.number, wireType)}: ${assign(field, readScalar(field))} break;`;
    }
  }
}

function assign(field: DescField, value: string): string {
  if (!field.oneof) return `message.${field.localName} = ${value};`;
  return `message.${field.oneof.localName} = { case: '${field.localName}', value: ${value} };`;
}

/** A message that arrives in parts is merged. */
function caseValue({ oneof, localName }: DescField): string {
  const at = `message.${oneof?.localName}`;
  return `${at}.case === '${localName}' ? ${at}.value : undefined`;
}

function readList(field: DescField & { fieldKind: 'list' }, source: Source): string {
  const list = `message.${field.localName}`;
  const lengthDelimited = toTag(field.number, LENGTH_DELIMITED);
  if (field.listKind === 'message') {
    const item = `${source.codec(field.message)}.read(reader, end)`;
    return `case ${lengthDelimited}: { ${END} ${list}.push(${item}); break; }`;
  }
  const { wireType } = describeScalar(field);
  const one = `case ${toTag(field.number, wireType)}: ${list}.push(${readScalar(field)}); break;`;
  if (wireType === LENGTH_DELIMITED) return one;
  const packed = `while (reader.pos < end) ${list}.push(${readScalar(field)});`;
  return `${one}\ncase ${lengthDelimited}: { ${END} ${packed} break; }`;
}

/** An absent key or value has its zero value. */
function readEntry(field: DescField & { fieldKind: 'map' }): string {
  if (field.mapKey !== ScalarType.STRING || field.mapKind !== 'scalar') throw unsupported(field, 'the map');
  const { zero, wireType } = describeScalar(field);
  return [
    `${END} let key = ''; let value = ${zero};`,
    'while (reader.pos < end) {',
    'const tag = reader.uint32();',
    `if (tag === ${toTag(1, LENGTH_DELIMITED)}) key = reader.string(true);`,
    `else if (tag === ${toTag(2, wireType)}) value = ${readScalar(field)};`,
    'else reader.skip(tag & 7, tag >>> 3);',
    '}',
    `message.${field.localName}[key] = value;`,
  ].join(' ');
}

/** Text has to be valid UTF-8. */
function readScalar(field: DescField): string {
  const { method } = describeScalar(field);
  return method === 'string' ? 'reader.string(true)' : `reader.${method}()`;
}
