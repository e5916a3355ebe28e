import { describe, expect, it } from '@jest/globals';
import { comparableForm, FORM_FILE_BYTES_MAX, type Form, readForm } from './form-body.js';

const audio = new Blob([new Uint8Array([1, 2, 3])], { type: 'audio/wav' });

async function read(form: FormData, cut = 0): Promise<Form> {
  const response = new Response(form);
  const body = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type') ?? '';
  return readForm({ 'content-type': contentType }, body.subarray(0, body.length - cut));
}

function buildForm(fields: [string, string | Blob, string?][]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}

describe('readForm', () => {
  it('reads the file and the fields in order, repeated ones included', async () => {
    const { fields, file } = await read(
      buildForm([
        ['model', 'm'],
        ['file', audio, 'memo ü.wav'],
        ['include[]', 'a'],
        ['include[]', 'b'],
        ['prompt', ''],
      ]),
    );
    expect(fields).toEqual([
      ['model', 'm'],
      ['include[]', 'a'],
      ['include[]', 'b'],
      ['prompt', ''],
    ]);
    expect(file).toEqual({
      name: 'file',
      filename: 'memo ü.wav',
      mimeType: 'audio/wav',
      bytes: Buffer.from([1, 2, 3]),
    });
  });

  it('reads as many files as the route takes, in order, and compares all of them', async () => {
    const readTwo = async (second: string, filesMax?: number) => {
      const response = new Response(
        buildForm([
          ['image[]', audio, 'a.png'],
          ['image[]', new Blob([second]), 'b.png'],
        ]),
      );
      const headers = { 'content-type': response.headers.get('content-type') ?? '' };
      return readForm(headers, Buffer.from(await response.arrayBuffer()), filesMax);
    };
    const { file, files } = await readTwo('x', 2);
    expect(files.map(({ filename }) => filename)).toEqual(['a.png', 'b.png']);
    expect(file).toBe(files[0]);
    expect(comparableForm(await readTwo('x', 2))).toEqual(comparableForm(await readTwo('x', 2)));
    expect(comparableForm(await readTwo('x', 2))).not.toEqual(comparableForm(await readTwo('y', 2)));
    await expect(readTwo('x')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('compares as equal with another boundary', async () => {
    const make = () =>
      read(
        buildForm([
          ['model', 'm'],
          ['file', audio, 'a.wav'],
        ]),
      );
    expect(comparableForm(await make())).toEqual(comparableForm(await make()));
    const other = await read(
      buildForm([
        ['model', 'm'],
        ['file', new Blob(['x']), 'a.wav'],
      ]),
    );
    expect(comparableForm(other)).not.toEqual(comparableForm(await make()));
  });

  it.each<[string, () => Promise<Form>, string]>([
    ['no form', () => readForm({ 'content-type': 'application/json' }, Buffer.from('{}')), 'INVALID_INPUT'],
    ['no content type', () => readForm({}, Buffer.from('x')), 'INVALID_INPUT'],
    ['no boundary', () => readForm({ 'content-type': 'multipart/form-data' }, Buffer.from('x')), 'INVALID_INPUT'],
    [
      'no parts',
      () => readForm({ 'content-type': 'multipart/form-data; boundary=x' }, Buffer.from('hello')),
      'INVALID_INPUT',
    ],
    ['an end in the middle of the file', () => read(buildForm([['file', audio, 'a.wav']]), 50), 'INVALID_INPUT'],
    ['an end in the middle of a field', () => read(buildForm([['model', 'a'.repeat(200)]]), 100), 'INVALID_INPUT'],
    [
      'two files',
      () =>
        read(
          buildForm([
            ['file', audio, 'a.wav'],
            ['file', audio, 'b.wav'],
          ]),
        ),
      'INVALID_INPUT',
    ],
    ['a very long field', () => read(buildForm([['prompt', 'x'.repeat(70_000)]])), 'INVALID_INPUT'],
    ['many fields', () => read(buildForm(Array.from({ length: 65 }, () => ['a', 'b'] as const))), 'INVALID_INPUT'],
    [
      'a very large file',
      () => read(buildForm([['file', new Blob([Buffer.alloc(FORM_FILE_BYTES_MAX + 1)]), 'a.wav']])),
      'PAYLOAD_TOO_LARGE',
    ],
  ])('refuses %s', async (_what, reading, code) => {
    await expect(reading()).rejects.toMatchObject({ code });
  });
});
