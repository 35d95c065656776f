// The client of OpenSearch: one attempt per call, each with a deadline, signed for AWS (`es`, or `aoss` for Serverless), with basic
// authentication, or plain. Rejects with an `EngineFailure` and nothing else.
import { Client } from '@opensearch-project/opensearch'
import type { ClientOptions } from '@opensearch-project/opensearch'
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws-v3'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import { agentOf } from './agent.ts'
import { failureOf } from './failure.ts'

export type OpenSearchAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly kind: 'aws'
      readonly region: string
      readonly service: 'es' | 'aoss'
      /** Absent: the SDK searches its usual sources. */
      readonly credentials?: AwsKeys | undefined
    }

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface OpenSearchOptions {
  /** `https://host` of the cluster or of the collection. */
  readonly node: string
  readonly auth: OpenSearchAuth
  readonly connectMs: number
  readonly clock: Clock
}

export interface CallLimit {
  readonly ms: number
  readonly signal: AbortSignal
}

/** A call of the client's, made with these options. */
export type OpenSearchCall<Body> = (
  client: Client,
  options: { readonly requestTimeout: number; readonly ignore?: number[] },
) => PromiseLike<{ readonly body: Body }> & { abort(): unknown }

export interface OpenSearchClient extends Disposable {
  /** A collection of Serverless: it has no nodes, and fewer verbs. */
  readonly isServerless: boolean
  /** Host and port. */
  readonly address: string
  call<Body>(limit: CallLimit, ask: OpenSearchCall<Body>): Promise<Body>
  /** Like `call`, but returns undefined where OpenSearch answers 404. */
  find<Body>(limit: CallLimit, ask: OpenSearchCall<Body>): Promise<Body | undefined>
}

const NOT_FOUND = 404
const SOCKET_TIMEOUT_FACTOR = 20

export function openSearchClient({ auth, clock, connectMs, node }: OpenSearchOptions): OpenSearchClient {
  const agent = agentOf(node, { clock, connectMs })
  const client = new Client({
    node,
    maxRetries: 0,
    // A dead node is tried by the next question that the circuit allows, and by nothing else.
    resurrectStrategy: 'none',
    agent: () => agent,
    ...authOf(auth),
  })
  const timers = fairTimers({ clock })

  async function call<Body>({ ms, signal }: CallLimit, ask: OpenSearchCall<Body>): Promise<Body> {
    signal.throwIfAborted()
    const answer = await withDeadline(timers, { ms, signal }, async (own) => {
      // Our own deadline comes first: it does not count time in which this process could not read an answer.
      const request = ask(client, { requestTimeout: SOCKET_TIMEOUT_FACTOR * ms })
      // `void`: a returned promise would make its rejection an error of the listener.
      own.addEventListener('abort', () => void request.abort(), { once: true })
      return (await request).body
    }).catch((error: unknown) => {
      throw failureOf(error)
    })
    timers.answerReceived()
    if (answer !== LATE) return answer
    signal.throwIfAborted()
    throw new EngineFailure('late', `OpenSearch did not answer within ${ms} ms`)
  }

  return {
    isServerless: auth.kind === 'aws' && auth.service === 'aoss',
    address: new URL(node).host,
    call,
    async find(limit, ask) {
      try {
        return await call(limit, ask)
      } catch (error) {
        if (error instanceof EngineFailure && error.status === NOT_FOUND) return undefined
        throw error
      }
    },
    [Symbol.dispose]() {
      agent.destroy()
      client.close().catch(() => {})
    },
  }
}

function authOf(auth: OpenSearchAuth): Pick<ClientOptions, 'auth' | 'Connection' | 'Transport'> {
  switch (auth.kind) {
    case 'none':
      return {}
    case 'basic':
      return { auth: { username: auth.username, password: auth.password } }
    case 'aws': {
      const { credentials, region, service } = auth
      const own = credentials === undefined ? {} : { getCredentials: async () => credentials }
      const { Connection, Transport } = AwsSigv4Signer({ region, service, ...own })
      return { Connection, Transport }
    }
  }
}
