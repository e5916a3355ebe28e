import { isMap, isScalar, type YAMLMap } from 'yaml';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { parseYaml } from './parse-yaml.js';
import type { Warning } from './source-tree.js';
import { type Fault, KNOWN_KEYS, readLineByLine } from './tolerant-frontmatter.js';

export interface Frontmatter {
  values: Record<string, unknown>;
  /** The text after the frontmatter, trimmed. */
  body: string;
  faults: Fault[];
}

/** The line number of the frontmatter's first line. */
const FIRST_LINE = 2;

/**
 * Reads the YAML between the first two lines of dashes. About half of the published files are not valid YAML: those are
 * read line by line, and the invalid keys are returned as faults. Returns undefined when there is no frontmatter.
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
 * Warns of the frontmatter's faults.
 *
 * @throws AppError parse_failed for an entry that cannot be read
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
  const document = parseYaml(head);
  if (!document) return undefined;
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

/** Reports unknown keys: they may be lines of a description that happen to be YAML and would be lost silently. */
function unknownKeys(map: YAMLMap, head: string): Fault[] {
  const faults: Fault[] = [];
  let at = 0;
  let line = FIRST_LINE;
  // The keys are in the order of the text: its lines are counted once.
  for (const { key } of map.items) {
    if (!isScalar(key) || KNOWN_KEYS.has(String(key.value))) continue;
    for (const start = key.range?.[0] ?? 0; at < start; at++) if (head[at] === '\n') line++;
    faults.push({ key: String(key.value), line, message: 'is not a known key: ignored' });
  }
  return faults;
}
