import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** How an upstream call ended. `open`: it has not ended, or the fake itself was killed. */
export type CallOutcome = 'open' | 'completed' | 'client_gone' | 'cut' | 'refused';

/** Usage that the provider would bill for one upstream call: input once it has answered 200, output as written. */
export interface JournalEntry {
  /** Unique over all runs that share a file. */
  callId: string;
  endpoint: string;
  model: string;
  stream: boolean;
  /** The caller's `x-client-request-id`. */
  clientRequestId?: string;
  /** HTTP status; 0 while none was sent. */
  status: number;
  inputTokens: number;
  /** Tokens written to the socket while the client was connected. */
  outputTokens: number;
  outcome: CallOutcome;
}

type Line =
  | { type: 'begin'; entry: JournalEntry }
  | { type: 'answer'; callId: string; status: number; inputTokens: number }
  | { type: 'tokens'; callId: string; count: number }
  | { type: 'end'; callId: string; outcome: CallOutcome };

/** Writes the part of the journal that concerns one call. */
export interface CallRecorder {
  readonly entry: Readonly<JournalEntry>;
  answered(status: number, inputTokens: number): void;
  served(tokens: number): void;
  ended(outcome: CallOutcome): void;
}

/** The journal of served tokens, per upstream call. */
export interface Journal {
  /** In the order of the calls. */
  entries(): readonly Readonly<JournalEntry>[];
  /** Calls made on behalf of one request. */
  findEntries(clientRequestId: string): readonly Readonly<JournalEntry>[];
  totals(): { calls: number; inputTokens: number; outputTokens: number };
  begin(call: Pick<JournalEntry, 'endpoint' | 'model' | 'stream' | 'clientRequestId'>): CallRecorder;
  close(): void;
}

/**
 * @param file appended to with synchronous writes, one line per fact, each before its effect is visible to others, so
 * the file's content survives a `kill -9` of any process, including the fake.
 */
export function openJournal(file?: string): Journal {
  const entries: JournalEntry[] = [];
  const descriptor = file === undefined ? undefined : openSync(file, 'a');
  const instance = randomUUID().slice(0, 8);
  const append = (line: Line) => {
    if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify(line)}\n`);
  };
  return {
    entries: () => entries,
    findEntries: (id) => entries.filter((entry) => entry.clientRequestId === id),
    totals: () => sumEntries(entries),
    begin(call) {
      const entry: JournalEntry = {
        callId: `${instance}-${entries.length + 1}`,
        ...call,
        status: 0,
        inputTokens: 0,
        outputTokens: 0,
        outcome: 'open',
      };
      append({ type: 'begin', entry });
      entries.push(entry);
      return createRecorder(entry, append);
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** Reads a journal file, even if a kill cut off its last line. */
export function readJournal(file: string): JournalEntry[] {
  const entries = new Map<string, JournalEntry>();
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parseLine(text);
    if (line) apply(entries, line);
  }
  return [...entries.values()];
}

/** Sums over entries of any source. */
export function sumEntries(entries: readonly JournalEntry[]): {
  calls: number;
  inputTokens: number;
  outputTokens: number;
} {
  return entries.reduce(
    (sum, entry) => ({
      calls: sum.calls + 1,
      inputTokens: sum.inputTokens + entry.inputTokens,
      outputTokens: sum.outputTokens + entry.outputTokens,
    }),
    { calls: 0, inputTokens: 0, outputTokens: 0 },
  );
}

function createRecorder(entry: JournalEntry, append: (line: Line) => void): CallRecorder {
  const { callId } = entry;
  return {
    entry,
    answered(status, inputTokens) {
      append({ type: 'answer', callId, status, inputTokens });
      entry.status = status;
      entry.inputTokens = inputTokens;
    },
    served(tokens) {
      append({ type: 'tokens', callId, count: tokens });
      entry.outputTokens += tokens;
    },
    ended(outcome) {
      if (entry.outcome !== 'open') return;
      append({ type: 'end', callId, outcome });
      entry.outcome = outcome;
    },
  };
}

function parseLine(text: string): Line | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Line);
  } catch {
    return undefined;
  }
}

function apply(entries: Map<string, JournalEntry>, line: Line): void {
  if (line.type === 'begin') {
    entries.set(line.entry.callId, { ...line.entry });
    return;
  }
  const entry = entries.get(line.callId);
  if (!entry) return;
  if (line.type === 'answer') Object.assign(entry, { status: line.status, inputTokens: line.inputTokens });
  else if (line.type === 'tokens') entry.outputTokens += line.count;
  else entry.outcome = line.outcome;
}
