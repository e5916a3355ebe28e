/**
 * Reads the names of tools in frontmatter: a list, or a text separated by commas (or by blanks, if there is no comma)
 * with optional arguments in parentheses. Returns undefined for other values.
 */
export function toolsList(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? unique(value.flatMap(splitTools)) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return unique(splitTools(text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text));
}

function splitTools(text: string): string[] {
  const parts = splitOutside(text, ',');
  const names = parts.length > 1 ? parts : splitOutside(text, ' ');
  return names.map((name) => name.trim().replace(/^(["'])(.*)\1$/s, '$2')).filter((name) => name !== '');
}

/** Splits at a character outside parentheses. */
function splitOutside(text: string, divider: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === divider || (divider === ' ' && char !== undefined && /\s/.test(char)))) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
