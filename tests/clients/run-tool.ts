import { spawn } from 'node:child_process';

interface Options {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** Runs a program to its end. @throws Error with its output if it fails or takes longer than ten minutes */
export function runTool(file: string, args: readonly string[], options: Options = {}): Promise<string> {
  const { cwd, env = {}, timeoutMs = 600_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8');
      output += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${file} ${args.join(' ')}: ${code}\n${output.slice(-20_000)}`));
    });
  });
}
