import type { Command } from 'commander';
import { type Access, openAccess } from '../access.js';
import type { GlobalOptions, Shell } from '../shell.js';

/** What an action gets: the access of its credential, and the options before and after the command's name. */
export interface Invocation<Options> {
  access: Access;
  options: Options & GlobalOptions;
}

/** Makes the action of a command whose credential has to be there. */
export function withAccess<Options extends object>(
  shell: Shell,
  action: (invocation: Invocation<Options>, ...args: string[]) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...received) => {
    const command = received.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    const access = await openAccess(shell, options);
    await action({ access, options }, ...(received.slice(0, -2) as string[]));
  };
}
