import type { Route } from '../../exchange/route.js';
import { getMessage } from './get-message.js';
import { listMessages } from './list-messages.js';
import { markMessageRead } from './mark-message-read.js';
import { sendMessage } from './send-message.js';

export const messagesRoutes: Route[] = [sendMessage, listMessages, getMessage, markMessageRead];
