export { createMessage, decodeMessage, encodeMessage } from './message-codec.js';
export { MessageWriter } from './message-writer.js';
