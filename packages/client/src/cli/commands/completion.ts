import type { Command } from 'commander';
import { CliError, EXIT, type Shell } from '../shell.js';

/** Each script asks the program itself for the words that may follow. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_tollgate() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(tollgate complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate`,
  zsh: `#compdef tollgate
_tollgate() {
  compadd -- \${(f)"$(tollgate complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}
}
compdef _tollgate tollgate`,
  fish: `complete -c tollgate -f -a '(tollgate complete -- (commandline -opc)[2..-1])'`,
};

export function addCompletion(program: Command, shell: Shell): void {
  program
    .command('completion <shell>')
    .description('print the completion script of bash, zsh or fish')
    .addHelpText('after', '\nFor bash: echo \'eval "$(tollgate completion bash)"\' >> ~/.bashrc')
    .action((name: string) => {
      const script = SCRIPTS[name];
      if (script === undefined) throw new CliError(`there is no script for ${name}`, { exitCode: EXIT.usage });
      shell.print(script);
    });
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action((words: string[]) => {
      for (const word of listNextWords(program, words)) shell.print(word);
    });
}

/** The commands and options that may follow these words. */
export function listNextWords(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((each) => each.name());
  const own = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  const global = help.visibleOptions(program).flatMap(({ long }) => long ?? []);
  return [...new Set([...names, ...own, ...global])].filter((word) => word !== 'help');
}
