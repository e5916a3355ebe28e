/** The start or end of a turn in speech of 24,000 samples of two bytes a second. */
export interface Heard {
  kind: 'started' | 'stopped';
  atMs: number;
}

const BYTES_PER_MS = 48;
const FRAME_MS = 20;
const FRAME_BYTES = FRAME_MS * BYTES_PER_MS;

/** Detects turns as the vendor does: samples other than zero are speech. */
export class SpeechDetector {
  #rest = Buffer.alloc(0);
  #ms = 0;
  #isSpeaking = false;
  #silentMs = 0;

  /** Milliseconds of the session so far. */
  get ms(): number {
    return this.#ms;
  }

  take(bytes: Buffer, silenceMs: number): Heard[] {
    const heard: Heard[] = [];
    let all = Buffer.concat([this.#rest, bytes]);
    for (; all.length >= FRAME_BYTES; all = all.subarray(FRAME_BYTES)) {
      const isSpeech = all.subarray(0, FRAME_BYTES).some((byte) => byte !== 0);
      this.#ms += FRAME_MS;
      this.#silentMs = isSpeech ? 0 : this.#silentMs + FRAME_MS;
      if (isSpeech && !this.#isSpeaking) heard.push({ kind: 'started', atMs: this.#ms - FRAME_MS });
      if (isSpeech) this.#isSpeaking = true;
      if (!this.#isSpeaking || this.#silentMs < silenceMs) continue;
      this.#isSpeaking = false;
      heard.push({ kind: 'stopped', atMs: this.#ms - this.#silentMs });
    }
    this.#rest = Buffer.from(all);
    return heard;
  }
}
