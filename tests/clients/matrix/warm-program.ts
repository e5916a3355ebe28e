import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const TASK_MS_MAX = 60_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

export interface Task {
  cell: string;
  origin: string;
  apiKey: string;
  model: string;
  prompt: string;
}

export interface Usage {
  input: number;
  output: number;
}

/** The members that a task has; `error` if the library failed. */
export interface TaskResult {
  text?: string;
  pieces?: string[];
  inputs?: unknown[];
  object?: unknown;
  usage?: Usage;
  error?: string;
  /** Addresses outside this machine that the program tried to reach so far. */
  strangers: string[];
}

/** A program that keeps a library loaded and does one task at a time. */
export interface WarmProgram {
  readonly version: string;
  run(task: Task): Promise<TaskResult>;
  stop(): Promise<void>;
}

/** Starts the program and waits for its first line. @throws Error with its output if it ends or takes too long */
export async function startWarmProgram(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<WarmProgram> {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARACTERS_MAX);
  });
  child.stdin.on('error', () => undefined); // the program has ended: `next` reports it
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.on('error', (error) => {
      output += String(error);
      resolve();
    });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** Libraries may print other lines. */
  async function next<Answer>(): Promise<Answer> {
    const timer = setTimeout(() => child.kill('SIGKILL'), TASK_MS_MAX);
    try {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${file} ${args.join(' ')} ended or took too long\n${output}`);
        if (value.startsWith('{')) return JSON.parse(value);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  const { version } = await next<{ version: string }>();
  return {
    version,
    run: (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      return next();
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
