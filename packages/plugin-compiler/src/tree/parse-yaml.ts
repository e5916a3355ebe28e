import { type Document, isScalar, parseDocument, visit } from 'yaml';

/** Parses YAML 1.2. Returns undefined when it has errors, a repeated key among them. */
export function parseYaml(text: string): Document | undefined {
  // The library's own search for repeated keys takes quadratic time: seconds for the largest frontmatter.
  const options = {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  } as const;
  const document = parseDocument(text, options);
  return document.errors.length > 0 || hasRepeatedKey(document) ? undefined : document;
}

function hasRepeatedKey(document: Document): boolean {
  let isRepeated = false;
  visit(document, {
    Map(_key, { items }) {
      const keys = items.map(({ key }) => (isScalar(key) ? key.value : key));
      isRepeated ||= new Set(keys).size < keys.length;
      return isRepeated ? visit.BREAK : undefined;
    },
  });
  return isRepeated;
}
