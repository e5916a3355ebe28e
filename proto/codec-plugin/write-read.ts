import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { block, describeScalar, type Source, toTag, typeName, unsupported } from './source.js';

const LENGTH_DELIMITED = 2;
const END = 'const end = reader.uint32() + reader.pos;';

/** Reads until `end` into a message; fields that this build does not know are kept in it. */
export function writeRead(desc: DescMessage, source: Source): string[] {
  const name = typeName(desc);
  const head = `export function ${source.use('read', desc)}(reader: BinaryReader, end: number, into?: ${name}): ${name}`;
  return block(head, [
    `const message: Init = into ?? ${source.use('create', desc)}();`,
    ...block('while (reader.pos < end)', [
      'const tag = reader.uint32();',
      ...block('switch (tag)', [
        ...desc.fields.flatMap((field) => readField(field, source)),
        ...block('default:', [
          "if (tag >>> 3 === 0) throw new Error('illegal tag');",
          'message.$unknown ??= [];',
          'message.$unknown.push({ no: tag >>> 3, wireType: tag & 7, data: reader.skip(tag & 7, tag >>> 3) });',
        ]),
      ]),
    ]),
    "if (reader.pos > reader.len) throw new RangeError('premature EOF');",
    `return message as ${name};`,
  ]);
}

function readField(field: DescField, source: Source): string[] {
  const at = `message.${field.localName}`;
  switch (field.fieldKind) {
    case 'list':
      return readList(field, source);
    case 'map':
      return block(`case ${toTag(field.number, LENGTH_DELIMITED)}:`, [...readEntry(field), 'break;']);
    case 'message': {
      const into = field.oneof ? caseValue(field) : at;
      const value = `${source.use('read', field.message)}(reader, end, ${into})`;
      return block(`case ${toTag(field.number, LENGTH_DELIMITED)}:`, [END, assign(field, value), 'break;']);
    }
    default: {
      const { wireType } = describeScalar(field);
      return [`case ${toTag(field.number, wireType)}:`, `  ${assign(field, readScalar(field))}`, '  break;'];
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

function readList(field: DescField & { fieldKind: 'list' }, source: Source): string[] {
  const list = `message.${field.localName}`;
  const lengthDelimited = `case ${toTag(field.number, LENGTH_DELIMITED)}:`;
  if (field.listKind === 'message') {
    const item = `${source.use('read', field.message)}(reader, end)`;
    return block(lengthDelimited, [END, `${list}.push(${item});`, 'break;']);
  }
  const { wireType } = describeScalar(field);
  const one = [`case ${toTag(field.number, wireType)}:`, `  ${list}.push(${readScalar(field)});`, '  break;'];
  if (wireType === LENGTH_DELIMITED) return one;
  const packed = `while (reader.pos < end) ${list}.push(${readScalar(field)});`;
  return [...one, ...block(lengthDelimited, [END, packed, 'break;'])];
}

/** An absent key or value has its zero value. */
function readEntry(field: DescField & { fieldKind: 'map' }): string[] {
  if (field.mapKey !== ScalarType.STRING || field.mapKind !== 'scalar') throw unsupported(field, 'the map');
  const { zero, wireType } = describeScalar(field);
  return [
    END,
    "let key = '';",
    `let value = ${zero};`,
    ...block('while (reader.pos < end)', [
      'const tag = reader.uint32();',
      `if (tag === ${toTag(1, LENGTH_DELIMITED)}) key = reader.string(true);`,
      `else if (tag === ${toTag(2, wireType)}) value = ${readScalar(field)};`,
      'else reader.skip(tag & 7, tag >>> 3);',
    ]),
    `message.${field.localName}[key] = value;`,
  ];
}

/** Text has to be valid UTF-8. */
function readScalar(field: DescField): string {
  const { method } = describeScalar(field);
  return method === 'string' ? 'reader.string(true)' : `reader.${method}()`;
}
