import { compileLimits } from '../limits.js';
import { readFrontmatter, warnOfFaults } from './frontmatter.js';
import type { Warning } from './source-tree.js';
import { toolsList } from './tools-list.js';

export interface AgentFile {
  path: string;
  name: string;
  description: string;
  /** Undefined: not specified; all tools are allowed. */
  tools: string[] | undefined;
  systemPrompt: string;
}

export interface CommandFile {
  path: string;
  name: string;
  description: string;
  body: string;
}

/**
 * Reads an agent's markdown file. Returns undefined, with a warning, for a file without frontmatter, such as a README.
 *
 * @throws AppError parse_failed for a name that cannot be read
 */
export function readAgentFile(path: string, text: string, warn: (warning: Warning) => void): AgentFile | undefined {
  const frontmatter = readFrontmatter(text);
  if (!frontmatter) {
    warn({ file: path, key: 'frontmatter', message: 'is missing: the file is not an agent', line: 1 });
    return undefined;
  }
  warnOfFaults(path, frontmatter, warn);
  const { values, body } = frontmatter;
  const description = textValue(path, 'description', values.description, warn);
  // A skill's own file lists its tools under another key.
  const listed = values.tools ?? values['allowed-tools'];
  const tools = toolsList(listed);
  if (tools === undefined) {
    warn({ file: path, key: 'tools', message: 'is neither a string nor a list of strings: ignored' });
  }
  if (body === '') warn({ file: path, key: 'body', message: 'is empty: the description is used as the prompt' });
  return {
    path,
    name: readName(path, values.name, warn),
    description,
    tools: listed === undefined ? undefined : (tools ?? []),
    systemPrompt: body === '' ? description : body,
  };
}

/** Reads a command's markdown file. Its frontmatter is optional. */
export function readCommandFile(path: string, text: string, warn: (warning: Warning) => void): CommandFile {
  const frontmatter = readFrontmatter(text);
  if (frontmatter) warnOfFaults(path, frontmatter, warn);
  const description = frontmatter?.values.description;
  return {
    path,
    name: baseName(path),
    description: typeof description === 'string' ? description.trim() : '',
    body: frontmatter ? frontmatter.body : text.trim(),
  };
}

function readName(path: string, value: unknown, warn: (warning: Warning) => void): string {
  const given = textValue(path, 'name', value, warn);
  // `textValue` has warned of a missing name.
  if (given !== '' && given.length <= compileLimits.nameChars && !/\p{Cc}/u.test(given)) return given;
  const name = baseName(path);
  if (given !== '') warn({ file: path, key: 'name', message: `is not a usable name: the file name ${name} is used` });
  return name;
}

/** Converts numbers and booleans to text (`name: 123`); returns '' for a missing value. Warns of both. */
function textValue(file: string, key: string, value: unknown, warn: (warning: Warning) => void): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') {
    warn({ file, key, message: 'is not a string: converted to one' });
    return String(value);
  }
  const isMissing = value === undefined || value === null || value === '';
  warn({ file, key, message: isMissing ? 'is missing' : 'is not a string: ignored' });
  return '';
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
