const BYTES_MIN = 4 * 1024;
/** Small, because messages of many megabytes are mostly one field. */
const GROWTH = 1.25;
/** A buffer beyond this size leaves with its message instead of being copied and kept. */
const KEPT_BYTES_MAX = 64 * 1024;
/** Shorter text is written character by character while it is ASCII: a call of the runtime costs more. */
const SHORT_TEXT = 48;

/** Writes the binary format of protobuf into one buffer that grows. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
  #at = 0;

  /** Drops what was written before, by a message that failed. */
  start(): this {
    this.#at = 0;
    return this;
  }

  finish(): Buffer {
    const written = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    if (this.#bytes.length <= KEPT_BYTES_MAX) return Buffer.from(written);
    this.#bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
    return written;
  }

  /** Starts length-delimited data, which ends with `join` of the returned position. */
  fork(): number {
    this.#reserve(1);
    return ++this.#at;
  }

  join(start: number): void {
    const length = this.#at - start;
    if (length > 0x7f) {
      const more = varintBytes(length) - 1;
      this.#reserve(more);
      this.#bytes.copyWithin(start + more, start, this.#at);
    }
    this.#at = start - 1;
    this.uint32(length);
    this.#at += length;
  }

  uint32(value: number): void {
    if (value !== value >>> 0) throw new RangeError(`invalid uint32: ${value}`);
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  int32(value: number): void {
    if (value !== (value | 0)) throw new RangeError(`invalid int32: ${value}`);
    if (value >= 0) this.uint32(value);
    else this.#varint(BigInt.asUintN(64, BigInt(value)));
  }

  int64(value: bigint): void {
    if (value >= 0n && value <= 0x7fffffffn) this.uint32(Number(value));
    else if (BigInt.asIntN(64, value) === value) this.#varint(BigInt.asUintN(64, value));
    else throw new RangeError(`invalid int64: ${value}`);
  }

  bool(value: boolean): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value ? 1 : 0;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  string(text: string): void {
    if (text.length < SHORT_TEXT && this.#shortText(text)) return;
    const length = Buffer.byteLength(text);
    this.uint32(length);
    this.#reserve(length);
    this.#bytes.write(text, this.#at, length, 'utf8');
    this.#at += length;
  }

  bytes(value: Uint8Array): void {
    this.uint32(value.length);
    this.raw(value);
  }

  /** Fields that were read and not understood. */
  unknown(fields: readonly { no: number; wireType: number; data: Uint8Array }[]): void {
    for (const { no, wireType, data } of fields) {
      this.uint32(((no << 3) | wireType) >>> 0);
      this.raw(data);
    }
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Returns false, with nothing written, for text that is not ASCII. */
  #shortText(text: string): boolean {
    this.#reserve(1 + text.length);
    const start = this.#at + 1;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      this.#bytes[start + i] = code;
    }
    this.#bytes[this.#at] = text.length;
    this.#at = start + text.length;
    return true;
  }

  #varint(value: bigint): void {
    this.#reserve(10);
    let low = Number(value & 0xffffffffn);
    let high = Number(value >> 32n);
    while (high > 0 || low > 0x7f) {
      this.#bytes[this.#at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.#bytes[this.#at++] = low;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.ceil(needed * GROWTH));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) bytes++;
  return bytes;
}
