/** Behavior of the fake for one request. Absent members mean normal behavior. */
export interface Behavior {
  /** The answer's text; default: an echo of the last user text. */
  text?: string;
  /** Answers with exactly this many tokens instead. */
  tokens?: number;
  delayFirstTokenMs?: number;
  delayPerTokenMs?: number;
  /** Refuses with this HTTP status. */
  status?: number;
  /** Sent as `retry-after` with `status`. */
  retryAfterSeconds?: number;
  /** Sends nothing more: before the headers, or in the middle of a stream. */
  hang?: 'before_headers' | 'mid_stream';
  /** Breaks the connection after this many tokens of a stream; a plain answer breaks halfway. */
  cutAfterTokens?: number;
  /** Sends bytes that are not JSON where JSON is expected. */
  malformed?: boolean;
  /** Omits the usage. */
  omitUsage?: boolean;
  /** Uses the vendor's search this many times, where it is declared. */
  searches?: number;
  /** Thinks this before it answers, where thinking is requested; signed or encrypted as in the wire format. */
  thinking?: string;
  /**
   * Input tokens that the vendor's cache provided or stored; only for a request that marks content for the cache, in
   * formats with such marks.
   */
  cachedTokens?: { read: number; written: number };
  /** Answers with calls of these tools. */
  toolCalls?: readonly { name: string; arguments?: object }[];
}

/**
 * Behavior requested by words in the last user text; the sandbox model understands the same words where it has them:
 * `fail with 429`, `retry after 3`, `fail with timeout`, `fail with cut`, `cut after 5 tokens`, `fail with malformed`,
 * `hang mid-stream`, `wait 200 ms`, `slow 50 ms`, `say 40 tokens`, `without usage`, `search 2 times`, `call tool NAME`,
 * `call tool NAME with {…}`.
 */
export function parseBehavior(text: string): Behavior {
  const number = (pattern: RegExp) => {
    const match = pattern.exec(text);
    return match ? Number(match[1]) : undefined;
  };
  const tool = /\bcall tool ([\w.-]+)(?: with (\{.*\}))?/is.exec(text);
  return withoutAbsent({
    status: number(/\bfail with (\d{3})\b/i),
    retryAfterSeconds: number(/\bretry after (\d+)\b/i),
    hang: /\bfail with timeout\b/i.test(text)
      ? 'before_headers'
      : /\bhang mid-stream\b/i.test(text)
        ? 'mid_stream'
        : undefined,
    cutAfterTokens: /\bfail with cut\b/i.test(text) ? 3 : number(/\bcut after (\d+) tokens?\b/i),
    malformed: /\bfail with malformed\b/i.test(text) || undefined,
    delayFirstTokenMs: number(/\bwait (\d+) ?ms\b/i),
    delayPerTokenMs: number(/\bslow (\d+) ?ms\b/i),
    tokens: number(/\bsay (\d+) tokens?\b/i),
    searches: number(/\bsearch (\d+) times?\b/i),
    omitUsage: /\bwithout usage\b/i.test(text) || undefined,
    toolCalls: tool ? [{ name: tool[1]!, ...parsedArguments(tool[2]) }] : undefined,
  });
}

function parsedArguments(json: string | undefined): { arguments?: object } {
  if (json === undefined) return {};
  try {
    return { arguments: JSON.parse(json) };
  } catch {
    return {};
  }
}

function withoutAbsent(behavior: Behavior): Behavior {
  return Object.fromEntries(Object.entries(behavior).filter(([, value]) => value !== undefined));
}
