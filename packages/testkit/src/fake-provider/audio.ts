import type { ServerResponse } from 'node:http';
import { splitSandboxTokens } from '@tollgate/catalog';
import type { Behavior } from './behavior.js';
import { type Frame, sseData } from './frames.js';
import type { CallRecorder } from './journal.js';
import { cut, pause, watchForGone } from './play.js';

/** Fields of a form, with the parts of its `file` that tests check. */
export type FormBody = Record<string, unknown> & {
  file?: { filename: string; mimeType: string; bytes: number };
};

/** Seconds of a recording: its kilobytes, rounded up. */
const BYTES_PER_SECOND = 1_000;

/** Reads a multipart body. */
export async function readFormBody(contentType: string, bytes: Buffer): Promise<FormBody> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const body: FormBody = {};
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') body[name] = value;
    else body.file = { filename: value.name, mimeType: value.type, bytes: value.size };
  }
  return body;
}

/**
 * Answer of `POST /audio/speech`: bytes that contain the spoken text, one chunk per token; input is counted in
 * characters.
 */
export async function playSpeech(
  res: ServerResponse,
  body: { input: string; voice: unknown; response_format?: string },
  behavior: Behavior,
  call: CallRecorder,
): Promise<void> {
  const gone = watchForGone(res);
  const format = body.response_format ?? 'mp3';
  const pieces = splitSandboxTokens(`${format} of ${String(body.voice)}: ${body.input}`);
  for (const [index, piece] of pieces.entries()) {
    if (behavior.cutAfterTokens !== undefined && index >= behavior.cutAfterTokens) {
      cut(res);
      return call.ended('cut');
    }
    const delayMs = index === 0 ? behavior.delayFirstTokenMs : behavior.delayPerTokenMs;
    if (!(await pause(delayMs ?? 0, gone))) return call.ended('client_gone');
    if (index === 0) {
      res.writeHead(200, { 'content-type': contentTypes[format] ?? 'application/octet-stream' });
      call.answered(200, [...body.input].length);
    }
    res.write(piece);
    call.served(1);
  }
  res.end();
  call.ended('completed');
}

const contentTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  flac: 'audio/flac',
};

/** The same as events with audio in base64, for `stream_format: 'sse'`. Usage is the characters and the pieces. */
export function* speechFrames(body: { input: string; voice: unknown; response_format?: string }): Generator<Frame> {
  const pieces = splitSandboxTokens(`${body.response_format ?? 'mp3'} of ${String(body.voice)}: ${body.input}`);
  for (const piece of pieces) {
    yield sseData({ type: 'speech.audio.delta', audio: Buffer.from(piece).toString('base64') }, 1);
  }
  yield sseData({ type: 'speech.audio.done', usage: toUsage([...body.input].length, pieces.length) });
}

/** Events of a transcript, for `stream: true`. Usage is ten tokens for a second, and one for each piece. */
export function* transcriptFrames(form: FormBody): Generator<Frame> {
  const { body, seconds } = transcriptBody(form, 'transcribe');
  const { text } = body as { text: string };
  const pieces = splitSandboxTokens(text);
  for (const delta of pieces) yield sseData({ type: 'transcript.text.delta', delta }, 1);
  yield sseData({
    type: 'transcript.text.done',
    text,
    usage: { type: 'tokens', ...toUsage(10 * seconds, pieces.length) },
  });
}

function toUsage(input: number, output: number): object {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

/** Answer of `POST /audio/transcriptions` and `/audio/translations`. */
export function transcriptBody(form: FormBody, task: 'transcribe' | 'translate'): { body: object; seconds: number } {
  const { filename = '', bytes = 0 } = form.file ?? {};
  const seconds = Math.ceil(bytes / BYTES_PER_SECOND);
  const text = `${task === 'translate' ? 'Translation' : 'Transcript'} of ${filename}`;
  const usage = { type: 'duration', seconds };
  if (form.response_format !== 'verbose_json') return { body: { text, usage }, seconds };
  const segments = [{ id: 0, seek: 0, start: 0, end: seconds, text: ` ${text}`, tokens: [], temperature: 0 }];
  return { body: { task, language: 'english', duration: seconds, text, segments, usage }, seconds };
}
