import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { describeScalar, type FunctionSource, isOptional, type Source } from './source.js';

/** One object literal, so that all messages of a type share a hidden class; then the optional fields that are set. */
export function writeCreateSource(desc: DescMessage, source: Source): FunctionSource {
  const name = JSON.stringify(desc.typeName);
  const always = [`$typeName: ${name}`];
  const optional: string[] = [];
  for (const member of desc.members) {
    const at = `init.${member.localName}`;
    if (member.kind === 'oneof') always.push(`${member.localName}: ${chooseCase(member, source)}`);
    else if (!isOptional(member)) always.push(`${member.localName}: ${convertOrDefault(member, source)}`);
    else optional.push(`if (${at} != null) message.${member.localName} = ${convert(member, at, source)};`);
  }
  const body = [
    `if (init.$typeName === ${name}) return init;`,
    `const message = {\n${always.join(',\n')}\n};`,
    ...optional,
    'return message;',
  ];
  return { parameters: 'init = {}', body: body.join('\n') };
}

function convertOrDefault(field: DescField, source: Source): string {
  const at = `init.${field.localName}`;
  switch (field.fieldKind) {
    case 'list':
      if (field.listKind !== 'message') return `${at} ?? []`;
      return `${at}?.map((item) => ${source.codec(field.message)}.create(item)) ?? []`;
    case 'map':
      describeScalar(field);
      return `${at} ?? {}`;
    default:
      return `${at} ?? ${describeScalar(field).zero}`;
  }
}

function convert(field: DescField, value: string, source: Source): string {
  return field.fieldKind === 'message' ? `${source.codec(field.message)}.create(${value})` : value;
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
