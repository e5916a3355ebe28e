import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const STORE = fileURLToPath(new URL('../store/', import.meta.url));
/** Folders and files of `store/` with the statements that requests run, and the workers that end them. */
const HOT = [
  'holds',
  'subjects',
  'accounts.ts',
  'transfers.ts',
  'reports/usage-thresholds.ts',
  // The functions of their `.sql` files.
  'gen/holds',
  'gen/subjects',
  'gen/accounts.ts',
  'gen/transfers.ts',
];

/** Lists the functions that send a hot statement, as `file: function`, from the source. */
export function listHotFunctions(): string[] {
  return HOT.flatMap((name) =>
    name.endsWith('.ts') ? [name] : readdirSync(`${STORE}${name}`).map((file) => `${name}/${file}`),
  )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => findFunctions(file, readFileSync(`${STORE}${file}`, 'utf8')))
    .sort();
}

function findFunctions(file: string, text: string): string[] {
  const lines = text.split('\n');
  const names = lines.flatMap((line, index) => (/\.query[(<]/.test(line) ? nameFunction(lines, index + 1) : []));
  return [...new Set(names)].map((name) => `${file}: ${name}`);
}

/** Returns the name of the top-level function around a line. */
function nameFunction(lines: readonly string[], line: number): string {
  const starts = lines.slice(0, line).flatMap((text) => /^(?:export )?(?:async )?function (\w+)/.exec(text)?.[1] ?? []);
  return starts.at(-1) ?? '';
}

export interface Recording {
  /** The statements sent so far, by `file: function`. */
  sent: ReadonlyMap<string, ReadonlySet<string>>;
  stop(): void;
}

type Query = (...args: unknown[]) => unknown;

/** Records the statements of hot functions. Must be called before the connections that it is to observe are opened. */
export function recordHotStatements(): Recording {
  const sent = new Map<string, Set<string>>();
  const restores = [pg.Client.prototype, pg.Pool.prototype].map((prototype) => {
    const original = prototype.query as Query;
    const hadOwn = Object.hasOwn(prototype, 'query');
    function query(this: unknown, ...args: unknown[]): unknown {
      const sender = findSender(new Error().stack ?? '');
      if (sender) sent.set(sender, (sent.get(sender) ?? new Set()).add(readText(args[0])));
      return Reflect.apply(original, this, args);
    }
    Object.assign(prototype, { query });
    return () => {
      if (hadOwn) Object.assign(prototype, { query: original });
      else Reflect.deleteProperty(prototype, 'query');
    };
  });
  return {
    sent,
    stop: () => {
      for (const restore of restores) restore();
    },
  };
}

/** By its place: the compiler and its source maps do not keep the names of functions. */
const FRAME = /\/billing-ledger\/src\/store\/([\w/-]+\.ts):(\d+):\d+\)?$/;
const sources = new Map<string, string[]>();

function findSender(stack: string): string | undefined {
  for (const frame of stack.split('\n')) {
    const [, file, line] = FRAME.exec(frame) ?? [];
    if (file && HOT.some((hot) => file === hot || file.startsWith(`${hot}/`)))
      return `${file}: ${nameFunction(readLines(file), Number(line))}`;
  }
  return undefined;
}

function readLines(file: string): string[] {
  const lines = sources.get(file) ?? readFileSync(`${STORE}${file}`, 'utf8').split('\n');
  sources.set(file, lines);
  return lines;
}

function readText(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
}

/** Returns the tables that a statement reads or writes, other than its own parts. */
export function readTables(statement: string, tables: ReadonlySet<string>): string[] {
  const named = statement.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE) (\w+)\b/g);
  return [...new Set([...named].map(([, name]) => name as string))].filter((name) => tables.has(name));
}
