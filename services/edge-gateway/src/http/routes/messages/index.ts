import type { Route } from '../../exchange/route.js';
import { getMessage } from './get-message.js';
import { listMailboxes } from './list-mailboxes.js';
import { listMessages } from './list-messages.js';
import { markMessageRead } from './mark-message-read.js';
import { sendMessage } from './send-message.js';

export const messagesRoutes: Route[] = [sendMessage, listMessages, listMailboxes, getMessage, markMessageRead];
