import { randomUUID } from 'node:crypto';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { AppError } from '@tollgate/errors';
import { type Registration, register } from '@tollgate/rpc';

export interface FakeAgent {
  system?: string;
  model?: string;
  tools?: object[];
  fragments?: object;
  max_steps?: number;
  max_duration_sec?: number;
  step_timeout_sec?: number;
  tool_failure_policy?: 'stop' | 'continue' | 'retry';
  tool_retry_count?: number;
}

interface Kept {
  id: string;
  slug: string;
  revisions: FakeAgent[];
}

/** A fake agent registry with revisions and memories, which records its calls. */
export class FakeAgents {
  readonly resolved: string[] = [];
  readonly #projectId: string;
  readonly #agents = new Map<string, Kept>();
  /** By agent id. */
  readonly memories = new Map<string, string>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Adds an agent or its next revision. Returns the agent's id. */
  put(slug: string, agent: FakeAgent = {}): string {
    const kept = this.#agents.get(slug) ?? { id: randomUUID(), slug, revisions: [] };
    kept.revisions.push({ model: 'm', ...agent });
    this.#agents.set(slug, kept);
    return kept.id;
  }

  delete(slug: string): void {
    this.#agents.delete(slug);
  }

  registration(): Registration {
    const refuse = () => {
      throw new Error('the engine only resolves agents');
    };
    return register(AgentService, {
      createAgent: refuse,
      updateAgent: refuse,
      getAgent: refuse,
      listAgents: refuse,
      listAgentVersions: refuse,
      listRunnableAgents: refuse,
      deleteAgent: refuse,
      resolveAgent: async ({ by }, call) => {
        const reference = by.case === 'reference' ? by.value : '';
        this.resolved.push(reference);
        if (call.requirePrincipal().projectId !== this.#projectId) throw new AppError('NOT_FOUND', 'agent not found');
        return { snapshot: this.#snapshot(reference) };
      },
    });
  }

  #snapshot(reference: string) {
    const [slug = '', revision] = reference.split('@');
    const kept = this.#agents.get(slug);
    const at = revision === undefined ? (kept?.revisions.length ?? 0) : Number(revision);
    const version = kept?.revisions[at - 1];
    if (!kept || !version) throw new AppError('NOT_FOUND', 'agent not found');
    return {
      agent: { id: kept.id, slug, name: slug, currentRevision: kept.revisions.length },
      version: {
        revision: at,
        system: version.system ?? '',
        model: version.model ?? '',
        toolsJson: JSON.stringify(version.tools ?? []),
        fragmentsJson: version.fragments ? JSON.stringify(version.fragments) : '',
        maxSteps: version.max_steps ?? 10,
        maxDurationSec: version.max_duration_sec ?? 300,
        stepTimeoutSec: version.step_timeout_sec ?? 60,
        toolFailurePolicy: version.tool_failure_policy ?? 'stop',
        ...(version.tool_retry_count !== undefined && { toolRetryCount: version.tool_retry_count }),
      },
    };
  }
}
