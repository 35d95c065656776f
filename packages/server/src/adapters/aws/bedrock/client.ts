// The AWS SDK's client as we want it: one attempt (retries are ours), HTTP/1.1 over a small pool of kept-alive
// connections, and none of its own limits on time (`agents.ts` and `drive-stream.ts` have fair ones). Its default handler speaks HTTP/2,
// where a lost stream looks like success.
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { StreamLimits } from '#domain/model/drive-stream.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import type { Clock } from '#ports/clock/port.ts'
import { bedrockAgents } from './agents.ts'
import type { AgentLimits } from './agents.ts'
import { defensiveSerde } from './event-stream.ts'

/** One secret of the environment; without one the SDK looks where it always does: profiles, containers, instances. */
export type BedrockCredentials =
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'keys'
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken?: string
    }

export interface BedrockClientParts {
  readonly region: string
  /** In place of AWS's own endpoint: a simulator, a VPC endpoint. */
  readonly baseURL?: string
  readonly credentials?: BedrockCredentials
  readonly clock: Clock
  readonly limits: AgentLimits & StreamLimits
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
}

export function bedrockClient(parts: BedrockClientParts): BedrockRuntimeClient {
  const { baseURL, limits } = parts
  return new BedrockRuntimeClient({
    region: parts.region,
    maxAttempts: 1,
    ...(baseURL === undefined ? {} : { endpoint: baseURL }),
    ...authentication(parts.credentials),
    eventStreamSerdeProvider: defensiveSerde(parts.onAnomaly),
    // 0 is no limit; without it the SDK may have one by default.
    requestHandler: new NodeHttpHandler({ ...bedrockAgents(parts.clock, limits), socketTimeout: 0 }),
  })
}

function authentication(credentials: BedrockCredentials | undefined): BedrockRuntimeClientConfig {
  if (credentials === undefined) return {}
  if (credentials.kind === 'bearer') {
    return { token: { token: credentials.token }, authSchemePreference: ['httpBearerAuth'] }
  }
  const { kind: _, ...keys } = credentials
  return { credentials: keys }
}
