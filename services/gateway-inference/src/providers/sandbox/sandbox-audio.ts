import { AppError } from '@tollgate/errors';

/** Duration of the silence for each word. */
export const SECONDS_PER_WORD = 0.1;
const SECONDS_MAX = 10;

const PCM_RATE = 24_000;
const PCM_BYTES_PER_SAMPLE = 2;

/** MPEG-1 layer III, 32 kbit/s, 44.1 kHz, mono: a frame whose side information is all zero is silence. */
const MP3_FRAME_HEADER = [0xff, 0xfb, 0x10, 0xc0];
const MP3_FRAME_BYTES = 104;
const MP3_SAMPLES_PER_FRAME = 1152;
const MP3_RATE = 44_100;

/** Assumed bytes per second of audio whose header has no length. */
const TYPICAL_BYTES_PER_SECOND = 16_000;

export interface SandboxSpeech {
  contentType: string;
  bytes: Buffer;
}

/** Returns silence for the duration of the text, as a valid file that is always the same for the same text. */
export function speak(text: string, format: string): SandboxSpeech {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const seconds = Math.min(words * SECONDS_PER_WORD, SECONDS_MAX);
  switch (format) {
    case 'mp3':
      return { contentType: 'audio/mpeg', bytes: silentMp3(seconds) };
    case 'wav':
      return { contentType: 'audio/wav', bytes: silentWav(seconds) };
    case 'pcm':
      return { contentType: 'audio/pcm', bytes: silentPcm(seconds) };
    default: {
      const message = 'the sandbox supports mp3, wav and pcm';
      throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'response_format', message }] });
    }
  }
}

/** Returns the seconds of an audio file, rounded up: from the header of a WAV, otherwise from the size. */
export function audioSeconds(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWav = file.length >= 44 && file.toString('latin1', 0, 4) === 'RIFF';
  const bytesPerSecond = isWav ? file.readUInt32LE(28) : 0;
  const rate = bytesPerSecond > 0 ? bytesPerSecond : TYPICAL_BYTES_PER_SECOND;
  return Math.ceil((isWav ? file.length - 44 : file.length) / rate);
}

function silentPcm(seconds: number): Buffer {
  return Buffer.alloc(Math.round(seconds * PCM_RATE) * PCM_BYTES_PER_SAMPLE);
}

function silentWav(seconds: number): Buffer {
  const samples = silentPcm(seconds);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(PCM_RATE, 24);
  header.writeUInt32LE(PCM_RATE * PCM_BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(PCM_BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(PCM_BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

function silentMp3(seconds: number): Buffer {
  const frames = Math.max(1, Math.round((seconds * MP3_RATE) / MP3_SAMPLES_PER_FRAME));
  const file = Buffer.alloc(frames * MP3_FRAME_BYTES);
  for (let i = 0; i < frames; i++) file.set(MP3_FRAME_HEADER, i * MP3_FRAME_BYTES);
  return file;
}
