import { endpoints } from '../../../server/endpoints.js';
import { addConversationItems } from './add-conversation-items.js';
import { createConversation } from './create-conversation.js';
import { deleteConversation } from './delete-conversation.js';
import { deleteConversationItem } from './delete-conversation-item.js';
import { getConversation } from './get-conversation.js';
import { getConversationItem } from './get-conversation-item.js';
import { listConversationItems } from './list-conversation-items.js';
import { updateConversation } from './update-conversation.js';

export const conversationRouter = endpoints(
  createConversation,
  getConversation,
  updateConversation,
  deleteConversation,
  addConversationItems,
  listConversationItems,
  getConversationItem,
  deleteConversationItem,
);
