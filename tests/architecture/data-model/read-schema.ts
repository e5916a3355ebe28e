// Reads what a service's schema.prisma says about its tables. The file is formatted by `tollgate-prisma format`.

export interface DataModel {
  /** The subject of the whole schema. */
  about: string;
  groups: Group[];
}

export interface Group {
  title: string;
  about: string;
  models: Model[];
}

export interface Model {
  name: string;
  table: string;
  what: string;
  growsWith: string;
  writtenBy: string;
  kept: string;
  fields: Field[];
}

export interface Field {
  name: string;
  /** Without `?` and `[]`. */
  type: string;
  isList: boolean;
  isOptional: boolean;
  isId: boolean;
  /** The fields of this model that refer to the other one. */
  refersBy: string[];
}

/** The labels of a model's comment, in this order. */
const LABEL = / (?:Grows with|Written by|Kept): /;
const GROUP = /^\/\/ --- (.+?) -+$/;

export function readSchema(text: string): DataModel {
  const groups: Group[] = [];
  const lines = text.split('\n');
  const about = readComment(lines, 0, '// ');
  lines.forEach((line, index) => {
    const [, title] = GROUP.exec(line) ?? [];
    if (title) groups.push({ title, about: readComment(lines, index + 1, '// '), models: [] });
    const [, name] = /^model (\w+) \{$/.exec(line) ?? [];
    if (name) groups.at(-1)?.models.push(readModel(lines, index, name));
  });
  return { about, groups };
}

function readModel(lines: readonly string[], start: number, name: string): Model {
  let first = start;
  while (lines[first - 1]?.startsWith('///')) first -= 1;
  const [what = '', growsWith = '', writtenBy = '', kept = ''] = readComment(lines, first, '/// ').split(LABEL);
  const body = lines.slice(start + 1, lines.indexOf('}', start)).map((line) => line.trim());
  const attributes = body.filter((line) => line.startsWith('@@'));
  const table = /"(\w+)"/.exec(attributes.find((line) => line.startsWith('@@map')) ?? '')?.[1] ?? '';
  const ids = listFields(attributes.find((line) => line.startsWith('@@id')));
  const fields = body.filter((line) => /^[a-z]/.test(line)).map((line) => readField(line, ids));
  return { name, table, what, growsWith, writtenBy, kept, fields };
}

function readField(line: string, ids: readonly string[]): Field {
  const [name = '', type = ''] = line.split(/\s+/);
  return {
    name,
    type: type.replace(/[?[\]]/g, ''),
    isList: type.endsWith('[]'),
    isOptional: type.endsWith('?'),
    isId: ids.includes(name) || / @id\b/.test(line),
    refersBy: listFields(/@relation\((.*)\)/.exec(line)?.[1]),
  };
}

/** Returns the names of the first list in brackets. */
function listFields(text = ''): string[] {
  return (/\[([^\]]*)\]/.exec(text)?.[1] ?? '').split(/\W+/).filter((name) => name !== '');
}

function readComment(lines: readonly string[], from: number, prefix: string): string {
  const end = lines.findIndex((line, index) => index >= from && !line.startsWith(prefix));
  return lines
    .slice(from, end)
    .map((line) => line.slice(prefix.length))
    .join(' ');
}
