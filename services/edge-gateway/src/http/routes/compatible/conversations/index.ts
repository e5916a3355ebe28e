import { endpoints } from '../../../server/endpoints.js';
import {
  addConversationItems,
  createConversation,
  deleteConversation,
  deleteConversationItem,
  getConversation,
  getConversationItem,
  listConversationItems,
  updateConversation,
} from './conversations.js';

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
