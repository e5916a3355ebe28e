export { createMessage, decodeMessage, encodeMessage, type Init, NO_BYTES, registerCodec } from './message-codec.js';
export { MessageWriter } from './message-writer.js';
