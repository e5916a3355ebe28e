import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import type { Warning } from './source-tree.js';
import { type Fault, KNOWN_KEYS, readLineByLine } from './tolerant-frontmatter.js';

export interface Frontmatter {
  values: Record<string, unknown>;
  /** What follows the frontmatter, without the blank lines around it. */
  body: string;
  faults: Fault[];
}

/** Lines before the first one of the frontmatter. */
const FIRST_LINE = 2;

/**
 * The YAML between the first two lines of dashes. Strictly first; about half of the files in the wild are no valid YAML,
 * so then line by line, telling which keys were not. Undefined when there is no frontmatter.
 */
export function readFrontmatter(text: string): Frontmatter | undefined {
  const { head, body } = split(text) ?? {};
  if (head === undefined || body === undefined || head.length > compileLimits.frontmatterChars) return undefined;
  const strict = readStrictly(head);
  if (strict) return { ...strict, body };
  const { values, faults } = readLineByLine(head);
  return { values, body, faults: faults.map((fault) => ({ ...fault, line: fault.line + FIRST_LINE })) };
}

/**
 * Warns of what is not as meant.
 *
 * @throws AppError parse_failed for an entry that cannot be read at all
 */
export function warnOfFaults(file: string, { faults }: Frontmatter, warn: (warning: Warning) => void): void {
  for (const { isFatal, ...fault } of faults) {
    if (isFatal) throw parseFailed(`${file}: line ${fault.line}: ${fault.key} ${fault.message}`);
    warn({ file, ...fault });
  }
}

function split(text: string): { head: string; body: string } | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---');
  if (end === -1) return undefined;
  return {
    head: lines.slice(1, end).join('\n'),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

function readStrictly(head: string): Pick<Frontmatter, 'values' | 'faults'> | undefined {
  const document = parseDocument(head, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) return { values: {}, faults: [] };
  if (!isMap(document.contents)) return undefined;
  try {
    return {
      values: document.toJS({ maxAliasCount: 10 }) as Record<string, unknown>,
      faults: unknownKeys(document.contents, head),
    };
  } catch {
    return undefined; // too many aliases
  }
}

/** A description that goes on in lines that happen to be YAML would end there without a word. */
function unknownKeys(map: YAMLMap, head: string): Fault[] {
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key) || KNOWN_KEYS.has(String(key.value))) return [];
    const line = head.slice(0, key.range?.[0] ?? 0).split('\n').length - 1 + FIRST_LINE;
    return [{ key: String(key.value), line, message: 'is no known key: left out' }];
  });
}
