/** A message in a mailbox. */
export interface Message {
  id: string;
  projectId: string;
  /** The customer whose scope it is in; undefined: the project's own. */
  customerId: string | undefined;
  from: string;
  to: string;
  subject: string;
  /** A JSON object. */
  bodyJson: string;
  /** The id of the thread's first message. */
  threadId: string;
  readAt: Date | undefined;
  createdAt: Date;
}
