/** The function that a model calls for a tool: what it does, and its arguments as a JSON Schema. */
export interface KnownTool {
  description: string;
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
}

const text = (description: string) => ({ type: 'string', description });
const integer = (description: string) => ({ type: 'integer', description });
const flag = (description: string) => ({ type: 'boolean', description });
const list = (items: object, description: string) => ({ type: 'array', items, description });
const choice = (values: readonly string[], description: string) => ({ type: 'string', enum: values, description });
const object = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});

const FILE_PATH = text('The absolute path of the file');
const DIRECTORY = text('The folder to search in; default: the working directory');
const CHANGE = {
  old_string: text('The text to replace; it must occur once, unless replace_all is set'),
  new_string: text('The text to put in its place'),
  replace_all: flag('Replaces every occurrence'),
};

/** Tools of the coding agents that plugins and skills are written for, with the arguments that these programs take. */
export const knownTools: Readonly<Record<string, KnownTool>> = {
  Read: {
    description: 'Reads a file.',
    properties: {
      file_path: FILE_PATH,
      offset: integer('The first line to read, from 1'),
      limit: integer('The number of lines to read'),
    },
    required: ['file_path'],
  },
  Write: {
    description: 'Writes a file, and replaces it if it exists.',
    properties: { file_path: FILE_PATH, content: text('The whole content') },
    required: ['file_path', 'content'],
  },
  Edit: {
    description: 'Replaces text in a file.',
    properties: { file_path: FILE_PATH, ...CHANGE },
    required: ['file_path', 'old_string', 'new_string'],
  },
  MultiEdit: {
    description: 'Replaces several texts in a file, one after the other.',
    properties: { file_path: FILE_PATH, edits: list(object(CHANGE, ['old_string', 'new_string']), 'The replacements') },
    required: ['file_path', 'edits'],
  },
  NotebookEdit: {
    description: 'Replaces, inserts or deletes a cell of a Jupyter notebook.',
    properties: {
      notebook_path: text('The absolute path of the notebook'),
      new_source: text('The new source of the cell'),
      cell_id: text('The cell, or the cell after which another one is inserted'),
      cell_type: choice(['code', 'markdown'], 'Needed for an insertion'),
      edit_mode: choice(['replace', 'insert', 'delete'], 'Default: replace'),
    },
    required: ['notebook_path', 'new_source'],
  },
  Glob: {
    description: 'Finds files by a pattern of their paths.',
    properties: { pattern: text('Such as **/*.ts'), path: DIRECTORY },
    required: ['pattern'],
  },
  Grep: {
    description: 'Searches the content of files for a regular expression.',
    properties: {
      pattern: text('The regular expression'),
      path: text('The file or folder to search; default: the working directory'),
      glob: text('Only files whose paths match, such as *.ts'),
      type: text('Only files of this type, such as js'),
      output_mode: choice(['content', 'files_with_matches', 'count'], 'Default: files_with_matches'),
      '-i': flag('Ignores case'),
      '-n': flag('Shows line numbers, with the mode content'),
      '-A': integer('Lines to show after each match, with the mode content'),
      '-B': integer('Lines to show before each match, with the mode content'),
      '-C': integer('Lines to show before and after each match, with the mode content'),
      head_limit: integer('The most lines or entries to return'),
      multiline: flag('Lets the expression match over several lines'),
    },
    required: ['pattern'],
  },
  LS: {
    description: 'Lists a folder.',
    properties: {
      path: text('The absolute path of the folder'),
      ignore: list({ type: 'string' }, 'Patterns of paths to leave out'),
    },
    required: ['path'],
  },
  Bash: {
    description: 'Runs a command in a shell.',
    properties: {
      command: text('The command'),
      description: text('The purpose of the command, in a few words'),
      timeout: integer('Milliseconds'),
      run_in_background: flag('Does not wait for the end of the command'),
    },
    required: ['command'],
  },
  BashOutput: {
    description: 'Returns the new output of a command in the background.',
    properties: { bash_id: text('The id of the command'), filter: text('Only lines that match this expression') },
    required: ['bash_id'],
  },
  KillShell: {
    description: 'Ends a command in the background.',
    properties: { shell_id: text('The id of the command') },
    required: ['shell_id'],
  },
  WebFetch: {
    description: 'Reads a web page and answers a question about it.',
    properties: { url: text('The address'), prompt: text('The question') },
    required: ['url', 'prompt'],
  },
  WebSearch: {
    description: 'Searches the web.',
    properties: {
      query: text('The query'),
      allowed_domains: list({ type: 'string' }, 'Only results of these domains'),
      blocked_domains: list({ type: 'string' }, 'No results of these domains'),
    },
    required: ['query'],
  },
  Task: {
    description: 'Gives a task to another agent, and returns its result.',
    properties: {
      description: text('The task in a few words'),
      prompt: text('The task'),
      subagent_type: text('The name of the agent'),
    },
    required: ['description', 'prompt', 'subagent_type'],
  },
  TodoWrite: {
    description: 'Replaces the list of tasks.',
    properties: {
      todos: list(
        object(
          {
            content: text('The task, as an order'),
            status: choice(['pending', 'in_progress', 'completed'], 'The state of the task'),
            activeForm: text('The task, as an activity'),
          },
          ['content', 'status', 'activeForm'],
        ),
        'The whole list',
      ),
    },
    required: ['todos'],
  },
};
