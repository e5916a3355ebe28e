import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { writeCreateSource } from './create-source.js';
import { MessageWriter } from './message-writer.js';
import { writeReadSource } from './read-source.js';
import { type FunctionSource, Source } from './source.js';
import { writeWriteSource } from './write-source.js';

/**
 * Does what `create`, `toBinary` and `fromBinary` of the library do, with functions that are generated for each message on its
 * first use. The library walks the descriptor field by field, which costs more than the rest of a call in one process.
 * Messages that need what our contracts do not use (see `Source`) are rejected.
 */
interface MessageCodec {
  create(init?: object): object;
  write(writer: MessageWriter, message: object): void;
  read(reader: BinaryReader, end: number, into?: object): object;
}

/** A whole message of the init form. Returns `init` itself if it is one. */
export function createMessage<Desc extends DescMessage>(desc: Desc, init?: MessageInitShape<Desc>): MessageShape<Desc> {
  return codecFor(desc).create(init) as MessageShape<Desc>;
}

const writer = new MessageWriter();

/** The binary form of a message, or of its init form. */
export function encodeMessage<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Buffer {
  codecFor(desc).write(writer.start(), message);
  return writer.finish();
}

/** @throws Error for bytes that are not a valid message */
export function decodeMessage<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return codecFor(desc).read(new BinaryReader(bytes), bytes.length) as MessageShape<Desc>;
}

const codecs = new WeakMap<DescMessage, MessageCodec>();

function codecFor(desc: DescMessage): MessageCodec {
  let codec = codecs.get(desc);
  if (!codec) {
    codec = compileOnUse(desc);
    codecs.set(desc, codec);
  }
  return codec;
}

/** Each function replaces itself by the generated one when it is called for the first time. */
function compileOnUse(desc: DescMessage): MessageCodec {
  const codec: MessageCodec = {
    create(init) {
      codec.create = compile(desc, writeCreateSource);
      return codec.create(init);
    },
    write(to, message) {
      codec.write = compile(desc, writeWriteSource);
      codec.write(to, message);
    },
    read(reader, end, into) {
      codec.read = compile(desc, writeReadSource);
      return codec.read(reader, end, into);
    },
  };
  return codec;
}

function compile<Fn>(desc: DescMessage, write: (desc: DescMessage, source: Source) => FunctionSource): Fn {
  const source = new Source(desc);
  const { parameters, body } = write(desc, source);
  const children = source.messages.map(codecFor);
  // The source consists of names and numbers of our own contracts.
  const make = new Function('codecs', 'NO_BYTES', `${source.declarations}\nreturn (${parameters}) => {\n${body}\n};`);
  return make(children, NO_BYTES) as Fn;
}

const NO_BYTES = new Uint8Array(0);
