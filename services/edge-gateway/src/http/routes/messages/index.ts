import { endpoints } from '../../server/endpoints.js';
import { getMessage } from './get-message.js';
import { listMailboxes } from './list-mailboxes.js';
import { listMessages } from './list-messages.js';
import { markMessageRead } from './mark-message-read.js';
import { sendMessage } from './send-message.js';

export const messageRouter = endpoints(sendMessage, listMessages, listMailboxes, getMessage, markMessageRead);
