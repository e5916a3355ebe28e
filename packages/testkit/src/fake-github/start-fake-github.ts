import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../http-server.js';
import { packArchive, type Tree, toCommitId } from './archive.js';

/** One request that arrived. */
export interface GithubRequest {
  path: string;
  headers: IncomingHttpHeaders;
}

/** An answer instead of the usual one. */
export interface GithubAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A fake of GitHub: commits over REST, archives as codeload serves them. */
export interface FakeGithub {
  readonly apiUrl: string;
  readonly codeloadUrl: string;
  /** All requests, oldest first. */
  readonly requests: readonly GithubRequest[];
  /** Publishes a tree at a branch or tag (default `main`) and returns its commit id. Earlier commits stay readable. */
  push(repository: string, tree: Tree, ref?: string): string;
  /** Sets the answer to the next matching request. */
  answerNext(path: RegExp, answer: GithubAnswer): void;
  stop(): Promise<void>;
}

interface Repository {
  refs: Map<string, string>;
  trees: Map<string, Tree>;
}

/** Starts on the loopback interface, without any repository. */
export async function startFakeGithub(): Promise<FakeGithub> {
  const repositories = new Map<string, Repository>();
  const requests: GithubRequest[] = [];
  const scripted: { path: RegExp; answer: GithubAnswer }[] = [];
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  const port = await listenOnLoopback(server, 0);
  const url = `http://127.0.0.1:${port}`;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '';
    requests.push({ path, headers: req.headers });
    const index = scripted.findIndex((candidate) => candidate.path.test(path));
    const given = index === -1 ? await usual(req, path) : scripted.splice(index, 1)[0]!.answer;
    res.writeHead(given.status, given.headers);
    res.end(given.body);
  }

  async function usual(req: IncomingMessage, path: string): Promise<GithubAnswer> {
    if (path.startsWith('/codeload/')) return archiveAnswer(repositories, path.slice('/codeload/'.length));
    return commitAnswer(repositories, path, req.headers.accept ?? '');
  }

  return {
    apiUrl: `${url}/api`,
    codeloadUrl: `${url}/codeload`,
    requests,
    push(name, tree, ref = 'main') {
      const key = name.toLowerCase();
      const repository = repositories.get(key) ?? { refs: new Map(), trees: new Map() };
      const id = toCommitId(tree);
      repository.refs.set(ref, id);
      repository.trees.set(id, tree);
      repositories.set(key, repository);
      return id;
    },
    answerNext: (path, given) => void scripted.push({ path, answer: given }),
    stop: () => closeServer(server),
  };
}

type Repositories = ReadonlyMap<string, Repository>;

function commitAnswer(repositories: Repositories, path: string, accept: string): GithubAnswer {
  const [, owner, repo, encoded] = /^\/api\/repos\/([^/]+)\/([^/]+)\/commits\/(.+)$/.exec(path) ?? [];
  const repository = repositories.get(`${owner}/${repo}`.toLowerCase());
  if (!repository) return refusal(404, 'Not Found');
  const ref = decodeURIComponent(encoded ?? '');
  const id = repository.refs.get(ref) ?? (repository.trees.has(ref) ? ref : undefined);
  if (id === undefined) return refusal(422, `No commit found for SHA: ${ref}`);
  if (accept === 'application/vnd.github.sha') {
    return { status: 200, headers: { 'content-type': `${accept}; charset=utf-8` }, body: id };
  }
  return json(200, {
    sha: id,
    node_id: 'C_',
    commit: { message: 'a commit', tree: { sha: id } },
    parents: [],
    files: [],
  });
}

async function archiveAnswer(repositories: Repositories, path: string): Promise<GithubAnswer> {
  const [, owner, repo = '', id = ''] = /^([^/]+)\/([^/]+)\/tar\.gz\/(.+)$/.exec(path) ?? [];
  const tree = repositories.get(`${owner}/${repo}`.toLowerCase())?.trees.get(id);
  if (!tree) return { status: 404, body: '404: Not Found' };
  const headers = {
    'content-type': 'application/x-gzip',
    'content-disposition': `attachment; filename=${repo}-${id}.tar.gz`,
  };
  return { status: 200, headers, body: await packArchive(repo, id, tree) };
}

function refusal(status: number, message: string): GithubAnswer {
  return json(status, { message, documentation_url: 'https://docs.github.com/rest', status: String(status) });
}

function json(status: number, body: object): GithubAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}
