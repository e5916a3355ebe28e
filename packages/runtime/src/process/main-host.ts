import { processEnvironment } from '../config/config.js';

/** The part of `process` that a main program uses; tests replace it. */
export interface MainHost {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Resolves when the text was handed over, so that a slow reader slows the writer down. */
  write(text: string): Promise<void>;
  writeError(text: string): void;
  exit(code: number): void;
  onSignal(listener: (signal: string) => void): void;
}

/** Returns this process as the host of a main program. */
export function processHost(): MainHost {
  // A reader that stops early (`| head`) fails the write below, which ends the command.
  process.stdout.on('error', () => undefined);
  return {
    argv: process.argv.slice(2),
    env: processEnvironment(),
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    writeError: (text) => void process.stderr.write(text),
    exit: (code) => process.exit(code),
    onSignal(listener) {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, listener);
    },
  };
}
