import { Command, CommanderError, type ErrorOptions } from 'commander';
import { addApi } from './commands/api.js';
import { addCompletion } from './commands/completion.js';
import { addBalance, addCustomers } from './commands/customers.js';
import { addLogin } from './commands/login.js';
import { addLogs } from './commands/logs.js';
import { addModels } from './commands/models.js';
import { addKeys, addProjects } from './commands/projects.js';
import { addRuns } from './commands/runs.js';
import { addTiers } from './commands/tiers.js';
import { addUsage } from './commands/usage.js';
import { addWebhooks } from './commands/webhooks.js';
import { explain } from './explain.js';
import { EXIT, type Shell } from './shell.js';

const HELP = `
TOLLGATE_URL, TOLLGATE_API_KEY and TOLLGATE_PROJECT replace the address, the sign-in and the project.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not signed in or not permitted, 4 not found, 5 payment needed,
6 unavailable (try again), 130 interrupted.`;

export function makeProgram(shell: Shell, version: string): Command {
  const program = new GroupedCommand('tollgate')
    .description('Manage a Tollgate: projects, tiers, customers, usage, runs and webhooks')
    .version(version)
    .option('--url <address>', 'address of the gateway')
    .option('--project <id>', 'id of the project')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .showSuggestionAfterError();
  // Commands take over these settings when they are added.
  program.exitOverride().configureOutput({
    writeOut: (text) => shell.print(text.trimEnd()),
    writeErr: (text) => shell.inform(text.trimEnd()),
  });
  addLogin(program, shell);
  addProjects(program, shell);
  addKeys(program, shell);
  addTiers(program, shell);
  addCustomers(program, shell);
  addUsage(program, shell);
  addBalance(program, shell);
  addRuns(program, shell);
  addWebhooks(program, shell);
  addLogs(program, shell);
  addModels(program, shell);
  addApi(program, shell);
  addCompletion(program, shell);
  return program;
}

/** A misspelled command of a group, such as `tiers lst`, reaches the group's default command as an argument too many. */
class GroupedCommand extends Command {
  override createCommand(name?: string): Command {
    return new GroupedCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const { parent } = this;
    const isDefaulted = parent !== null && parent.parent !== null && parent.args[0] !== this.name();
    if (options?.code !== 'commander.excessArguments' || !isDefaulted) return super.error(message, options);
    const names = parent.commands.map((each) => each.name()).join(', ');
    return super.error(`error: unknown command '${this.args[0]}'; ${parent.name()} has ${names}`, options);
  }
}

/** Runs one command line, without the name of the program. Returns the exit code. */
export async function runProgram(shell: Shell, version: string, args: readonly string[]): Promise<number> {
  try {
    await makeProgram(shell, version).parseAsync(args, { from: 'user' });
    return shell.signal.aborted ? EXIT.interrupted : EXIT.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (shell.signal.aborted) return EXIT.interrupted;
    const { exitCode, lines } = explain(error, shell.config);
    for (const line of lines) shell.inform(line);
    return exitCode;
  }
}
