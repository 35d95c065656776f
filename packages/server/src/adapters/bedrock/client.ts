// The AWS SDK's client as we want it: one attempt (retries are ours), HTTP/1.1 over a small pool of kept-alive
// connections, and limits that throw. Its default handler speaks HTTP/2, where a lost stream looks like success.
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { ModelAnomaly } from '#domain/model-part.ts'
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
  readonly limits: BedrockLimits
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
}

interface BedrockLimits {
  readonly connectMs: number
  /** To the response's headers. */
  readonly firstByteMs: number
  readonly stallMs: number
  readonly connectionsMax: number
}

export function bedrockClient(parts: BedrockClientParts): BedrockRuntimeClient {
  const { baseURL, limits } = parts
  const agent = { keepAlive: true, maxSockets: limits.connectionsMax }
  return new BedrockRuntimeClient({
    region: parts.region,
    maxAttempts: 1,
    ...(baseURL === undefined ? {} : { endpoint: baseURL }),
    ...authentication(parts.credentials),
    eventStreamSerdeProvider: defensiveSerde(parts.onAnomaly),
    requestHandler: new NodeHttpHandler({
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.firstByteMs,
      throwOnRequestTimeout: true,
      socketTimeout: limits.stallMs,
    }),
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
