/**
 * Replaces the string at a path in a JSON text; returns undefined if there is none. Replaces it in place: nothing else is
 * serialized again, and equal members elsewhere (in arguments, in metadata) stay unchanged.
 */
export function replaceMember(text: string, path: readonly string[], value: string): string | undefined {
  let at = 0;
  for (const name of path) {
    const found = memberAt(text, at, name);
    if (found === undefined) return undefined;
    at = found;
  }
  if (text[at] !== '"') return undefined;
  return text.slice(0, at) + JSON.stringify(value) + text.slice(endOfString(text, at));
}

/** Returns the index of the member's value; `at` is the index before its object. The text is valid JSON. */
function memberAt(text: string, at: number, name: string): number | undefined {
  const quoted = JSON.stringify(name);
  let i = skipSpace(text, at);
  if (text[i] !== '{') return undefined;
  i = skipSpace(text, i + 1);
  while (text[i] === '"') {
    const keyEnd = endOfString(text, i);
    const isIt = text.slice(i, keyEnd) === quoted;
    // After the colon.
    i = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (isIt) return i;
    i = skipSpace(text, endOfValue(text, i));
    if (text[i] !== ',') return undefined;
    i = skipSpace(text, i + 1);
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++;
  return i;
}

/** Returns the index after the closing quote of the string that starts at `from`. */
export function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text[i - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return i + 1;
  }
  return text.length;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let i = from;
  while (i < text.length) {
    const char = text[i]!;
    if (char === '"') {
      i = endOfString(text, i);
      if (depth === 0) return i;
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (depth <= 1) return depth === 0 ? i : i + 1;
      depth--;
    } else if (char === ',' && depth === 0) return i;
    i++;
  }
  return i;
}
