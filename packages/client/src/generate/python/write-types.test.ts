import { describe, expect, it } from '@jest/globals';
import type { OpenApiDocument, Schema } from '../document.js';
import { toAnnotation, writePythonTypes } from './write-types.js';

function write(schemas: Record<string, Schema>): string {
  const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/MadeEvent' } } } };
  const document: OpenApiDocument = {
    paths: {},
    webhooks: { 'thing.made': { post: { operationId: 'w', responses: {}, requestBody } } },
    components: { schemas },
  };
  const text = writePythonTypes(document);
  return text.slice(text.indexOf('final\n') + 'final\n'.length);
}

describe('writePythonTypes', () => {
  it('writes a class with required and other members', () => {
    const properties = { id: { type: 'string' }, next: { $ref: '#/components/schemas/Page' } };
    expect(write({ Page: { type: 'object', properties, required: ['id'] } })).toBe(
      '\n\n@final\nclass Page(TypedDict):\n    id: str\n    next: NotRequired[Page]\n\n\nWebhookEvent: TypeAlias = "MadeEvent"\n',
    );
  });

  it('writes members that a class cannot have in another way', () => {
    const properties = { from: { type: 'string' }, '@type': { const: "a'b" } };
    expect(write({ Mail: { type: 'object', properties, required: ['from'] } })).toContain(
      `Mail = TypedDict(\n    "Mail",\n    {\n        "from": "Required[str]",\n        "@type": "NotRequired[Literal['a\\\\'b']]",\n    },\n)\n`,
    );
  });

  it('writes a name for any other schema', () => {
    const part = { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] };
    expect(write({ Part: part })).toContain('\nPart: TypeAlias = "A | B"\n');
  });

  it('rejects a schema with the name of one of Python’s types', () => {
    expect(() => write({ Literal: { type: 'string' } })).toThrow('must not be named Literal');
  });
});

describe('toAnnotation', () => {
  it.each<[Schema | undefined, string]>([
    [undefined, 'Any'],
    [{}, 'Any'],
    [{ type: 'string', format: 'binary' }, 'bytes'],
    [{ type: ['integer', 'null'] }, 'int | None'],
    [{ type: 'array', items: { type: 'number' } }, 'list[float]'],
    [{ type: ['array', 'null'], items: { type: 'boolean' } }, 'list[bool] | None'],
    [{ type: 'object' }, 'dict[str, Any]'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'dict[str, str]'],
    [{ const: true }, 'Literal[True]'],
    [{ enum: ['a', 1, null, false] }, "Literal['a', 1, None, False]"],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'str | None'],
    [{ type: 'array', items: { $ref: '#/components/schemas/A' } }, 'list[types.A]'],
  ])('writes %j as %s', (schema, annotation) => {
    expect(toAnnotation(schema, 'types.')).toBe(annotation);
  });
});
