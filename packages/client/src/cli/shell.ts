import type { CliConfig } from './config.js';

/** The parts of the machine that commands use; tests replace them. */
export interface Shell {
  config: CliConfig;
  /** A line of the result, to standard output. */
  print(line: string): void;
  /** A line for the person, to standard error. */
  inform(line: string): void;
  /** Reads a line from the terminal, without showing it, or all of the standard input if that is a file or a pipe. */
  readSecret(prompt: string): Promise<string>;
  fetch: typeof fetch;
  nowMs(): number;
  /** Milliseconds by a clock that never steps. */
  elapsed(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborts when the person interrupts. */
  signal: AbortSignal;
}

/** Options before the command. */
export interface GlobalOptions {
  url?: string;
  project?: string;
  json?: boolean;
}

/** A mistake of the person, with what to do about it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, { exitCode = EXIT.failure, hint }: { exitCode?: number; hint?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  signIn: 3,
  notFound: 4,
  payment: 5,
  unavailable: 6,
  interrupted: 130,
} as const;
