import type { Command } from 'commander';
import { CliError, EXIT, type Shell } from '../shell.js';
import { withAccess } from './command.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const API_HELP = `
PATH is below /api/v1, such as /customers?limit=5, or starts with /api/ or /v1/. The API reference of the gateway lists them.`;

export function addApi(program: Command, shell: Shell): void {
  program
    .command('api <method> <path>')
    .description('send a request of the API, and print the answer')
    .option('--data <json>', 'the body')
    .addHelpText('after', API_HELP)
    .action(
      withAccess<{ data?: string }>(shell, async ({ access, options }, method = '', path = '') => {
        const request = { method: toMethod(method), path: toPath(path), body: toBody(options.data) };
        const answer = await access.caller.call(request, { signal: shell.signal });
        if (answer !== undefined)
          shell.print(typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2));
      }),
    );
}

function toMethod(text: string): string {
  const method = text.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw new CliError(`${text} is none of the methods ${METHODS.join(', ')}`, { exitCode: EXIT.usage });
}

function toPath(text: string): string {
  if (!text.startsWith('/')) throw new CliError(`the path ${text} must start with /`, { exitCode: EXIT.usage });
  return /^\/(api|v1|v1beta)\//.test(text) ? text : `/api/v1${text}`;
}

function toBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError('--data is not JSON', { exitCode: EXIT.usage });
  }
}
