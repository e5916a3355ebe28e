import { type Change, editFile, newFile, type ReadFile, requireKebab, toCamel, toSentence } from './names.js';
import { errorText, type Names, providerText, requestText, testText, wireText } from './provider-texts.js';

const PROVIDERS = 'services/gateway-inference/src/providers';
const CONNECTION = 'packages/catalog/src/connections/connection.ts';
const OPEN = `${PROVIDERS}/connections/open-connection.ts`;
const README = `${PROVIDERS}/README.md`;

/**
 * A vendor with a wire of its own: its request, its answers, its errors, the test of its answers on fixtures, the wire of its
 * connections and its line in the README. The texts are those of an invented vendor, which are replaced by the real one's.
 * @param args the vendor
 */
export function newProvider([vendor]: readonly string[], read: ReadFile): Change[] {
  const kebab = requireKebab(vendor, 'the vendor');
  const camel = toCamel(kebab);
  const names = { kebab, camel, pascal: camel[0]!.toUpperCase() + camel.slice(1), title: toSentence(kebab) };
  const folder = `${PROVIDERS}/${kebab}`;
  const files: Record<string, string> = {
    [`${kebab}-provider.ts`]: providerText(names),
    [`${kebab}-request.ts`]: requestText(names),
    [`${kebab}-wire.ts`]: wireText(names),
    [`${kebab}-wire.test.ts`]: testText(names),
    'upstream-error.ts': errorText(),
    '__fixtures__/README.md': `Answers as the documentation of ${names.title} shows them: address and date of each.\n`,
    '__fixtures__/text.json': `${JSON.stringify({ id: 'a1', text: 'Grüße', stop_reason: 'end', usage: USAGE }, undefined, 2)}\n`,
    '__fixtures__/text.chunks.txt': EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    '__fixtures__/error.json': `${JSON.stringify({ error: { message: 'slow down' } }, undefined, 2)}\n`,
  };
  return [
    ...Object.entries(files).map(([name, text]) => newFile(read, `${folder}/${name}`, text)),
    editFile(read, CONNECTION, WIRES, (found) => found.replace('] as const', `, '${kebab}'] as const`)),
    addToConnections(read, names),
    editFile(read, README, LAST_SERVER, (found) => `${found}| ${names.title} | ✓ | ✓ | – | – | – | – | ✓ | ✓ |\n`),
  ];
}

const WIRES = /export const connectionWires = \[[^\]]*\] as const/;
/** The last line of the table of servers. */
const LAST_SERVER = /\| Server \|(?:.*\n\|)+.*\n/;
const CASES = / {4}case 'bedrock':\n {6}return openBedrock\(parts\);\n/;
const USAGE = { input_tokens: 5, output_tokens: 3 };
const EVENTS = [
  { id: 'a1', text: 'Grü' },
  { id: 'a1', text: 'ße' },
  { id: 'a1', stop_reason: 'end', usage: USAGE },
];

function addToConnections(read: ReadFile, { kebab, pascal }: Names): Change {
  const { path, text } = editFile(
    read,
    OPEN,
    CASES,
    (found) => `${found}    case '${kebab}':\n      return open${pascal}(parts);\n`,
  );
  const opener = `
function open${pascal}({ connection, openUpstream }: ConnectionParts): OpenConnection {
  const { id, base_url: baseUrl, provider } = connection;
  return { id, models: new ${pascal}Provider({ id: provider, upstream: openUpstream(baseUrl) }) };
}
`;
  const imported = `import { ${pascal}Provider } from '../${kebab}/${kebab}-provider.js';\n`;
  return { path, text: `${imported}${text.trimEnd()}\n${opener}` };
}
