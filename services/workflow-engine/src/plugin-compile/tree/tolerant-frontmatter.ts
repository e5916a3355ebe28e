import { isMap, parseDocument } from 'yaml';

/** What is wrong with one entry. */
export interface Fault {
  key: string;
  line: number;
  message: string;
  /** The entry cannot be taken as text either. */
  isFatal?: true;
}

/**
 * Keys that begin an entry. An unindented line with any other word before its colon goes on with the entry above it:
 * descriptions quote whole dialogues (`user: "…"`) without indenting them.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set(
  `name description tools model color effort maxTurns max_turns disallowedTools initialPrompt permissionMode skills hooks
   mcpServers memory background isolation argument-hint allowed-tools disable-model-invocation user-invocable
   capabilities version author license category tags metadata temperature when_to_use priority keywords homepage
   repository`.split(/\s+/),
);

interface Entry {
  key: string;
  /** From 0. */
  line: number;
  lines: string[];
}

/** Reads frontmatter that is no valid YAML entry by entry: as YAML where an entry is, else as the text that it is. */
export function readLineByLine(head: string): { values: Record<string, unknown>; faults: Fault[] } {
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const { key, line, lines } of entriesOf(head, faults)) {
    if (Object.hasOwn(values, key)) {
      faults.push({ key, line, message: 'stands twice: the first one is taken' });
      continue;
    }
    const strict = strictValue(key, lines);
    const text = textOf(key, lines);
    values[key] = strict ? strict.value : text;
    if (!strict) faults.push(faultOf(key, line, text));
  }
  return { values, faults };
}

/** A name is one value. One that opens a list or a map that is not valid was meant as such. */
function faultOf(key: string, line: number, text: string): Fault {
  const isFatal = key === 'name' && /^[[{]/.test(text);
  if (isFatal) return { key, line, message: 'is no valid YAML, and no name', isFatal };
  return { key, line, message: 'is no valid YAML: taken as plain text' };
}

function entriesOf(head: string, faults: Fault[]): Entry[] {
  const entries: Entry[] = [];
  for (const [line, text] of head.split('\n').entries()) {
    const key = /^([A-Za-z][\w-]*)\s*:(?=\s|$)/.exec(text)?.[1];
    const last = entries.at(-1);
    if (key !== undefined && KNOWN_KEYS.has(key)) entries.push({ key, line, lines: [text] });
    else if (last) last.lines.push(text);
    else if (text.trim() !== '' && !text.startsWith('#')) {
      faults.push({ key: key ?? 'frontmatter', line, message: 'is passed over: it belongs to no known key' });
    }
  }
  return entries;
}

function strictValue(key: string, lines: readonly string[]): { value: unknown } | undefined {
  const document = parseDocument(lines.join('\n'), { schema: 'core', prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  try {
    const read = document.toJS({ maxAliasCount: 10 }) as Record<string, unknown>;
    // More keys than one: what went on with this entry only looks like YAML.
    return Object.keys(read).length === 1 && Object.hasOwn(read, key) ? { value: read[key] } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(key: string, lines: readonly string[]): string {
  const [first = '', ...more] = lines;
  const start = first.slice(first.indexOf(':', key.length) + 1).trim();
  // The head of a block whose lines are not indented says nothing about them.
  const opening = /^[|>][+-]?\d?$/.test(start) ? '' : start;
  const text = [opening, ...more.map((line) => line.trimEnd())].join('\n').trim();
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
