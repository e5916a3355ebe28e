/** The actions that the phrases in the last user text request of the sandbox. */
export interface Script {
  failure: ScriptedFailure | undefined;
  /** Delay before the first token. */
  waitMs: number;
  /** Delay before each further token. */
  slowMs: number;
  /** Function to call, in the text's spelling. */
  tool: string | undefined;
  /** Length of the answer, if the text sets one. */
  words: number | undefined;
}

export type ScriptedFailure = '429' | '500' | '402' | 'timeout' | 'cut';

const WAIT_MS_MAX = 600_000;
const SLOW_MS_MAX = 60_000;
const WORDS_MAX = 100_000;

/** Finds `fail with …`, `wait N ms`, `slow N ms`, `call tool NAME` and `write N words`, in any case and place. */
export function readScript(text: string): Script {
  const words = number(/\bwrite (\d{1,9}) words?\b/i, text);
  return {
    failure: /\bfail with (429|500|402|timeout|cut)\b/i.exec(text)?.[1]?.toLowerCase() as ScriptedFailure | undefined,
    waitMs: Math.min(number(/\bwait (\d{1,9}) ?ms\b/i, text) ?? 0, WAIT_MS_MAX),
    slowMs: Math.min(number(/\bslow (\d{1,9}) ?ms\b/i, text) ?? 0, SLOW_MS_MAX),
    tool: /\bcall tool ([a-zA-Z0-9_][a-zA-Z0-9_.-]*[a-zA-Z0-9_]|[a-zA-Z0-9_])/i.exec(text)?.[1],
    words: words === undefined ? undefined : Math.min(words, WORDS_MAX),
  };
}

function number(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
