import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type ReceivedForm, receiveFile } from './receive-file.js';

/** Sends a form whose file has the parameters in its header. */
function receive(parameters: string, stored: Buffer[] = []): Promise<ReceivedForm> {
  const body = `--b\r\nContent-Disposition: form-data; name="file"; ${parameters}\r\n\r\n{}\r\n--b--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const req = Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage;
  const limits = { field: 'file', fileBytes: 100, partBytes: 10 };
  return receiveFile(req, limits, async (_part, part) => void stored.push(part));
}

describe('receiveFile', () => {
  it('returns the name of the file', async () => {
    expect(await receive(`filename="in.jsonl"`)).toEqual({ fields: {}, filename: 'in.jsonl', parts: 1 });
  });

  it.each([
    ['plain', `filename="a\0b.jsonl"`],
    ['encoded', `filename*=utf-8''a%00b.jsonl`],
  ])('refuses a name with a %s NUL and stores nothing', async (_what, parameters) => {
    const stored: Buffer[] = [];
    const fields = [{ field: 'file', message: 'the filename must not contain NUL' }];
    await expect(receive(parameters, stored)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', fields });
    expect(stored).toEqual([]);
  });

  it('shortens a long name without cutting a character', async () => {
    const { filename } = await receive(`filename*=utf-8''${encodeURIComponent(`a${'😀'.repeat(254)}😀`)}`);
    expect(filename).toBe(`a${'😀'.repeat(254)}`);
  });
});
