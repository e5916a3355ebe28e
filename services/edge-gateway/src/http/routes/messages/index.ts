import { endpoints } from '../../server/endpoints.js';
import { getMessage, listMailboxes, listMessages, markMessageRead, sendMessage } from './messages.js';

export const messageRouter = endpoints(sendMessage, listMessages, listMailboxes, getMessage, markMessageRead);
