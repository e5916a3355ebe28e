import type { DataModel, Group, Model } from './read-schema.js';

const WIDTH = 130;

/** Returns `docs/data-model.md`: for each service and subject a diagram, and for each table what, writer and lifetime. */
export function renderDataModel(services: ReadonlyMap<string, DataModel>): string {
  const count = [...services.values()].flatMap(({ groups }) => groups.flatMap(({ models }) => models)).length;
  const head = [
    '# Data model',
    '',
    ...wrap(
      `All ${count} tables, by service and subject. Made from each service's \`prisma/schema.prisma\` by \`npm run generate\`; columns, ` +
        'and indexes with the queries that they serve, are described there. No service reads the tables of another one.',
    ),
    '',
    ...wrap(
      '"For good" means that a row is never deleted, because it is evidence without an end date: money, a grant that is given ' +
        'once, an object that its owner has not deleted. All removals run in bounded batches on every replica, skip rows that ' +
        'another replica has locked, and read an index ([plans on large tables](../deploy/data-retention.md)).',
    ),
    '',
    'A solid line of a diagram is a foreign key, a dotted one an id without it.',
  ];
  const sections = [...services].flatMap(([service, schema]) => renderService(service, schema));
  return `${[...head, ...sections].join('\n')}\n`;
}

function renderService(service: string, { about, groups }: DataModel): string[] {
  const models = groups.flatMap((group) => group.models);
  return [
    '',
    `## ${service}`,
    '',
    ...wrap(`${about} Columns and indexes: [schema](../services/${service}/prisma/schema.prisma).`),
    ...groups.flatMap((group) => ['', `### ${group.title}`, ...renderGroup(group, models)]),
  ];
}

function renderGroup({ about, models }: Group, all: readonly Model[]): string[] {
  return [
    ...(about ? ['', ...wrap(about)] : []),
    ...renderDiagram(models, all),
    ...models.flatMap(({ name, table, what, growsWith, writtenBy, kept }) => [
      '',
      ...wrap(`**\`${table}\`** (\`${name}\`): ${what}`),
      '',
      ...wrap(`- Grows with: ${growsWith}`, '  '),
      ...wrap(`- Written by: ${writtenBy}`, '  '),
      ...wrap(`- Kept: ${kept}`, '  '),
    ]),
  ];
}

function renderDiagram(models: readonly Model[], all: readonly Model[]): string[] {
  const relations = models.flatMap((model) => listRelations(model, all));
  if (relations.length === 0) return [];
  return [
    '',
    '```mermaid',
    'erDiagram',
    ...models.flatMap((model) => [
      `  ${model.name} {`,
      ...model.fields
        .filter(
          ({ name, isId }) =>
            isId || relations.some((relation) => relation.from === model.name && relation.by === name),
        )
        .map(({ name, type, isId }) => `    ${type} ${name}${isId ? ' PK' : ''}`),
      '  }',
    ]),
    ...relations.map(({ from, to, by, line, many }) => `  ${to} ||${line}${many} ${from} : ${by}`),
    '```',
  ];
}

/** Foreign keys, and fields that are named after another model of the service and have the type of its id. */
function listRelations(model: Model, all: readonly Model[]) {
  const keys = model.fields.flatMap(({ type, refersBy }) =>
    refersBy.length > 0 ? [{ to: type, by: refersBy, line: '--' }] : [],
  );
  const ids = model.fields.flatMap(({ name, type }) => {
    const other = all.find(({ name: otherName }) => name === `${otherName[0]?.toLowerCase()}${otherName.slice(1)}Id`);
    const id = other?.fields.filter(({ isId }) => isId);
    const isKnown = keys.some(({ by }) => by.includes(name));
    return other && other !== model && !isKnown && id?.length === 1 && id[0]?.type === type
      ? [{ to: other.name, by: [name], line: '..' }]
      : [];
  });
  return [...keys, ...ids].map(({ to, by, line }) => {
    const isAlone = model.fields.filter(({ isId }) => isId).every(({ name }) => by.includes(name));
    return { from: model.name, to, by: by.join('-'), line, many: isAlone ? 'o|' : 'o{' };
  });
}

/** Breaks a paragraph into lines; further lines of a list item are indented. */
function wrap(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > WIDTH && line.trim() !== '') {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
