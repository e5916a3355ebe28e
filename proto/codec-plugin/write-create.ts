import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { block, describeScalar, isOptional, type Source, typeName } from './source.js';

/** One object literal, so that all messages of a type share a hidden class; then the optional fields that are set. */
export function writeCreate(desc: DescMessage, source: Source): string[] {
  const name = typeName(desc);
  const fullName = JSON.stringify(desc.typeName);
  const always = [`$typeName: ${fullName},`];
  const optional: string[] = [];
  for (const member of desc.members) {
    const at = `init.${member.localName}`;
    if (member.kind === 'oneof') always.push(`${member.localName}: ${chooseCase(member, source)},`);
    else if (!isOptional(member)) always.push(`${member.localName}: ${convertOrDefault(member, source)},`);
    else optional.push(`if (${at} != null) message.${member.localName} = ${convert(member, at, source)};`);
  }
  return block(`export function ${source.use('create', desc)}(init: Init = {}): ${name}`, [
    `if (init.$typeName === ${fullName}) return init as ${name};`,
    'const message: Init = {',
    ...always.map((line) => `  ${line}`),
    '};',
    ...optional,
    `return message as ${name};`,
  ]);
}

function convertOrDefault(field: DescField, source: Source): string {
  const at = `init.${field.localName}`;
  switch (field.fieldKind) {
    case 'list':
      if (field.listKind !== 'message') return `${at} ?? []`;
      return `${at}?.map((item: Init) => ${source.use('create', field.message)}(item)) ?? []`;
    case 'map':
      describeScalar(field);
      return `${at} ?? {}`;
    default:
      return `${at} ?? ${describeScalar(field).zero}`;
  }
}

function convert(field: DescField, value: string, source: Source): string {
  return field.fieldKind === 'message' ? `${source.use('create', field.message)}(${value})` : value;
}

function chooseCase({ localName, fields }: DescOneof, source: Source): string {
  const value = `init.${localName}.value`;
  const choices = fields.map(
    (field) =>
      `init.${localName}?.case === '${field.localName}' ? ` +
      `{ case: '${field.localName}', value: ${convert(field, value, source)} } : `,
  );
  return `${choices.join('')}{ case: undefined }`;
}
