import type { ServiceConfig } from '../define-config.js';
import type { Parts } from '../parts.js';

/** An option of a command, given as `--name` or `--name VALUE`. */
export interface CommandOption {
  /** The value as `--help` shows it, for example `TIME`. Absent: a switch. */
  value?: string;
  summary: string;
}

/** A task that an operator runs in the service's image instead of the service: `node dist/main.js NAME ARGUMENTS`. */
export interface Command<Config extends ServiceConfig> {
  /** The arguments as `--help` shows them, for example `EMAIL CENTS [CAUSE]`. */
  arguments?: string;
  options?: Readonly<Record<string, CommandOption>>;
  summary: string;
  /** After this long the command is ended. Default 5 min; `--timeout` replaces it. */
  timeoutMs?: number;
  /** Runs on the migrated schema. Returns the exit code when it is not 0. */
  run(parts: Parts<Config>, call: CommandCall): Promise<number> | Promise<void>;
}

/** The commands of a service, by name. */
export type Commands<Config extends ServiceConfig> = Readonly<Record<string, Command<Config>>>;

export interface CommandCall {
  args: readonly string[];
  /** Returns the value of an option. */
  text(option: string): string | undefined;
  /** Whether a switch was given. */
  flag(option: string): boolean;
  /** The migrations that were applied before the command. */
  migrated: readonly string[];
  /** Aborted by the deadline and by SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** Writes one result to standard output: with `--json` as a line of JSON (text is JSON already), otherwise `text`. */
  print(record: object | string, text: string): Promise<void>;
  /** Writes one line of progress to standard error. */
  progress(text: string): void;
}

/** An expected failure. The message is one line that says what to do about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Arguments that do not fit the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;
