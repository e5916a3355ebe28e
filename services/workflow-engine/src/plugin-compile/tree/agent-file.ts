import { compileLimits } from '../limits.js';
import { readFrontmatter, warnOfFaults } from './frontmatter.js';
import type { Warning } from './source-tree.js';
import { toolsList } from './tools-list.js';

export interface AgentFile {
  path: string;
  name: string;
  description: string;
  /** Undefined = not said: whatever there is. */
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
 * Reads an agent's markdown file. Undefined, with a warning, for a file without frontmatter: a README among the agents.
 *
 * @throws AppError parse_failed for a name that cannot be read
 */
export function readAgentFile(path: string, text: string, warn: (warning: Warning) => void): AgentFile | undefined {
  const frontmatter = readFrontmatter(text);
  if (!frontmatter) {
    warn({ file: path, key: 'frontmatter', message: 'there is none: not taken as an agent', line: 1 });
    return undefined;
  }
  warnOfFaults(path, frontmatter, warn);
  const { values, body } = frontmatter;
  const description = textValue(path, 'description', values.description, warn);
  // A skill's own file lists its tools under another key.
  const listed = values.tools ?? values['allowed-tools'];
  const tools = toolsList(listed);
  if (tools === undefined)
    warn({ file: path, key: 'tools', message: 'is neither a text nor a list of texts: left out' });
  if (body === '') warn({ file: path, key: 'body', message: 'is empty: the description is the prompt' });
  return {
    path,
    name: nameOf(path, values.name, warn),
    description,
    tools: listed === undefined ? undefined : (tools ?? []),
    systemPrompt: body === '' ? description : body,
  };
}

/** A command's markdown file, whose frontmatter is optional. */
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

function nameOf(path: string, value: unknown, warn: (warning: Warning) => void): string {
  const given = textValue(path, 'name', value, warn);
  // What is missing has been told.
  if (given !== '' && given.length <= compileLimits.nameChars && !/\p{Cc}/u.test(given)) return given;
  const name = baseName(path);
  if (given !== '') warn({ file: path, key: 'name', message: `is no usable name: the file's is taken, ${name}` });
  return name;
}

/** What is no text (`name: 123`) is taken as it would be written; what is missing is empty. Both are told. */
function textValue(file: string, key: string, value: unknown, warn: (warning: Warning) => void): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') {
    warn({ file, key, message: 'is no text: taken as one' });
    return String(value);
  }
  const isMissing = value === undefined || value === null || value === '';
  warn({ file, key, message: isMissing ? 'is missing' : 'is no text: left out' });
  return '';
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
