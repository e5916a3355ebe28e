import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program of the repository as an operator does. */
export function runProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
    const outcome: Outcome = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      outcome.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      outcome.err += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...outcome, code }));
  });
}

/** Runs the built main program of a service. */
export function runServiceMain(service: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return runProgram(`services/${service}/dist/main.js`, args, env);
}

/** Returns the lines of JSON on standard output. */
export function jsonLines({ out }: Outcome) {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
