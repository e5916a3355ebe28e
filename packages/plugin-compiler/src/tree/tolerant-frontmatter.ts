import { isMap } from 'yaml';
import { parseYaml } from './parse-yaml.js';

/** A fault of one entry. */
export interface Fault {
  key: string;
  line: number;
  message: string;
  /** Set when the entry cannot be read as text either. */
  isFatal?: true;
}

/**
 * Keys that start an entry. An unindented line with another word before its colon continues the entry above it, because
 * descriptions quote whole dialogues (`user: "…"`) without indentation.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set(
  `name description tools model color effort maxTurns max_turns disallowedTools initialPrompt permissionMode skills hooks
   mcpServers memory background isolation argument-hint allowed-tools disable-model-invocation user-invocable
   capabilities version author license category tags metadata temperature when_to_use priority keywords homepage
   repository`.split(/\s+/),
);

interface Entry {
  key: string;
  /** Counts from 0. */
  line: number;
  lines: string[];
}

/**
 * Reads frontmatter that is not valid YAML, entry by entry: valid entries as YAML, the others as plain text. No library
 * does this: `gray-matter` and others reject the whole block, and about half of the published plugins would be lost.
 */
export function readLineByLine(head: string): { values: Record<string, unknown>; faults: Fault[] } {
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const { key, line, lines } of splitEntries(head, faults)) {
    if (Object.hasOwn(values, key)) {
      faults.push({ key, line, message: 'is set twice: the first value is used' });
      continue;
    }
    const strict = strictValue(key, lines);
    const text = toText(key, lines);
    values[key] = strict ? strict.value : text;
    if (!strict) faults.push(toFault(key, line, text));
  }
  return { values, faults };
}

/** Returns the fault of an invalid entry. A name that starts like a list or a map is not read as text. */
function toFault(key: string, line: number, text: string): Fault {
  const isFatal = key === 'name' && /^[[{]/.test(text);
  if (isFatal) return { key, line, message: 'is not valid YAML and not a name', isFatal };
  return { key, line, message: 'is not valid YAML: read as plain text' };
}

function splitEntries(head: string, faults: Fault[]): Entry[] {
  const entries: Entry[] = [];
  for (const [line, text] of head.split('\n').entries()) {
    const key = /^([A-Za-z][\w-]*)\s*:(?=\s|$)/.exec(text)?.[1];
    const last = entries.at(-1);
    if (key !== undefined && KNOWN_KEYS.has(key)) entries.push({ key, line, lines: [text] });
    else if (last) last.lines.push(text);
    else if (text.trim() !== '' && !text.startsWith('#')) {
      faults.push({ key: key ?? 'frontmatter', line, message: 'is ignored: it belongs to no known key' });
    }
  }
  return entries;
}

function strictValue(key: string, lines: readonly string[]): { value: unknown } | undefined {
  const document = parseYaml(lines.join('\n'));
  if (!isMap(document?.contents)) return undefined;
  try {
    const read = document.toJS({ maxAliasCount: 10 }) as Record<string, unknown>;
    // With more than one key, the continuation lines only look like YAML.
    return Object.keys(read).length === 1 && Object.hasOwn(read, key) ? { value: read[key] } : undefined;
  } catch {
    return undefined;
  }
}

function toText(key: string, lines: readonly string[]): string {
  const [first = '', ...more] = lines;
  const start = first.slice(first.indexOf(':', key.length) + 1).trim();
  // Ignores a block indicator (`|`, `>`) whose lines are not indented.
  const opening = /^[|>][+-]?\d?$/.test(start) ? '' : start;
  const text = [opening, ...more.map((line) => line.trimEnd())].join('\n').trim();
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
