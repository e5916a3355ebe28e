import * as billing from '@tollgate/api/billing';
import * as compatible from '@tollgate/api/compatible';
import * as connections from '@tollgate/api/connections';
import * as hooks from '@tollgate/api/hooks';
import * as identity from '@tollgate/api/identity';
import * as modelRequests from '@tollgate/api/model-requests';
import * as runs from '@tollgate/api/runs';
import * as state from '@tollgate/api/state';
import * as values from '@tollgate/api/values';
import { z } from 'zod';
import { toPascalCase } from './schema.js';

/** Names that clients see instead of those in the code. */
const renamed: readonly [z.ZodType, string][] = [
  [billing.usageSchema, 'CustomerUsage'],
  [billing.balanceSchema, 'CustomerBalance'],
  [billing.tierInputSchema, 'CreateTierRequest'],
  [billing.tierUpdateSchema, 'UpdateTierRequest'],
  [billing.customerInputSchema, 'CreateCustomerRequest'],
  [billing.claimCustomerSchema, 'ClaimCustomerRequest'],
  [billing.subscriptionInputSchema, 'SetSubscriptionRequest'],
  [billing.tierCheckoutSchema, 'CreateTierCheckoutRequest'],
  [billing.subscribeCustomerSchema, 'SubscribeCustomerRequest'],
  [billing.myCheckoutSchema, 'CreateMyCheckoutRequest'],
  [billing.changeTierSchema, 'ChangeTierRequest'],
  [billing.walletTopUpInputSchema, 'TopUpWalletRequest'],
  [billing.accountTopUpInputSchema, 'CreateAccountTopUpRequest'],
  [billing.refundInputSchema, 'RefundPaymentRequest'],
  [billing.refundEnvelopeSchema, 'RefundResult'],
  [billing.creditWithdrawalInputSchema, 'WithdrawCreditRequest'],
  [billing.autoTopUpInputSchema, 'SetAutoTopUpRequest'],
  [billing.confirmCardSetupSchema, 'ConfirmCardSetupRequest'],
  [billing.startCardVerificationSchema, 'StartCardVerificationRequest'],
  [billing.confirmCardVerificationSchema, 'ConfirmCardVerificationRequest'],
  [compatible.chatCompletionsBody, 'ChatCompletionRequest'],
  [compatible.compatibleResponsesBody, 'OpenAiResponseRequest'],
  [compatible.compatibleResponseSchema, 'OpenAiResponse'],
  [compatible.messagesBody, 'AnthropicMessageRequest'],
  [compatible.googleModelsPageSchema, 'GoogleModelList'],
  [modelRequests.responsesBody, 'CreateResponseRequest'],
  [modelRequests.responseResource, 'ModelResponse'],
  [modelRequests.compatibleModelSchema, 'OpenAiModel'],
  [modelRequests.listCompatibleModelsResponse, 'OpenAiModelList'],
  [compatible.anthropicModelsPageSchema, 'AnthropicModelList'],
  [modelRequests.embeddingsBody, 'CreateEmbeddingsRequest'],
  [modelRequests.speechBody, 'CreateSpeechRequest'],
  [modelRequests.decisionsBody, 'CreateDecisionRequest'],
  [modelRequests.decisionsResponse, 'Decision'],
  [compatible.batchSchema, 'FileBatch'],
  [compatible.createFileForm, 'CreateFileRequest'],
  [compatible.fileObjectSchema, 'File'],
  [modelRequests.responsesBatchBody, 'CreateBatchRequest'],
  [modelRequests.responsesBatchResponse, 'Batch'],
  [modelRequests.imageGenerateBody, 'GenerateImageRequest'],
  [identity.customerTokenBody, 'MintCustomerTokenRequest'],
  [identity.customerTokenResponse, 'CustomerToken'],
  [runs.runSnapshotSchema, 'Run'],
  [runs.fragmentSchema, 'AgentFragment'],
  [runs.toolResultsBody, 'SubmitToolResultsRequest'],
  [runs.toolResultsResponse, 'AcceptedToolResults'],
];

/** Parts of exported schemas that clients meet on their own. */
const parts: readonly [z.ZodType, string][] = [
  [billing.tierSchema.shape.models.element, 'TierModel'],
  [billing.usageSchema.shape.daily.element, 'DailyUsage'],
  [billing.balanceHistorySchema.shape.entries.element, 'BalanceEntry'],
  [values.apiErrorSchema.shape.failures.unwrap().element, 'Failure'],
  [values.apiErrorSchema.shape.fields.unwrap().element, 'FieldError'],
  [runs.lintWorkflowResponse.shape.issues.element, 'WorkflowIssue'],
  [runs.listRunsResponse.shape.runs.element, 'RunSummary'],
  [runs.listRunStepsResponse.shape.steps.element, 'RunStep'],
  [runs.listRunTasksResponse.shape.tasks.element, 'RunTask'],
  [runs.runSnapshotSchema.shape.nodes.element, 'RunNode'],
  [runs.runSnapshotSchema.shape.cost_summary, 'RunCost'],
  [runs.runSnapshotSchema.shape.cost_summary.shape.line_items.element, 'RunCostItem'],
  [runs.pendingToolsResponse.shape.pending.element, 'PendingToolCalls'],
  [runs.agentRunResponse.shape.usage, 'AgentRunUsage'],
];

/**
 * Returns the names of the schemas in the document. A schema that @tollgate/api exports has the name of its export:
 * `customerSchema` is `Customer`, `createProjectBody` is `CreateProjectRequest`.
 */
export function schemaNames(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>([...renamed, ...parts]);
  const taken = new Set(names.values());
  for (const room of [billing, compatible, connections, hooks, identity, modelRequests, runs, state, values]) {
    for (const [exported, schema] of Object.entries(room)) {
      if (!(schema instanceof z.ZodType) || names.has(schema) || !isStructure(schema)) continue;
      const name = toName(exported);
      if (taken.has(name)) continue;
      names.set(schema, name);
      taken.add(name);
    }
  }
  return names;
}

function toName(exported: string): string {
  const word = exported.replace(/Schema$|Resource$/, '').replace(/(Body|Form)$/, 'Request');
  // Generators of Go clients call the whole answer of an operation `…Response`.
  return toPascalCase(word.replace(/Response$/, 'Result'));
}

/** Whether a schema is worth a name: objects, unions and lists of values. */
export function isStructure(schema: z.ZodType): boolean {
  return ['object', 'union', 'enum', 'intersection'].includes(schema.def.type);
}
