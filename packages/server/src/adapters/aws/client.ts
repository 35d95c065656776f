// The options of every AWS client: one attempt (retries are ours), HTTP/1.1 over a small pool of keep-alive connections,
// and none of the SDK's own timeouts (`agents.ts` bounds connecting; adapters bound the rest). The SDK's default handler
// speaks HTTP/2, where a lost stream looks like success.
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Clock } from '#ports/clock/port.ts'
import { awsAgents } from './agents.ts'
import type { AgentLimits } from './agents.ts'
import type { AwsCredentials } from './credentials.ts'

export interface AwsClientParts {
  readonly region: string
  /** Replaces AWS's own endpoint, for a simulator or a VPC endpoint. */
  readonly baseURL?: string
  readonly credentials?: AwsCredentials
  readonly clock: Clock
  readonly limits: AgentLimits
}

export function awsClientSettings({ baseURL, clock, credentials, limits, region }: AwsClientParts) {
  return {
    region,
    maxAttempts: 1,
    ...(baseURL === undefined ? {} : { endpoint: baseURL }),
    ...authentication(credentials),
    // 0 means no timeout; without it the SDK may apply a default.
    requestHandler: new NodeHttpHandler({ ...awsAgents(clock, limits), socketTimeout: 0 }),
  }
}

function authentication(credentials: AwsCredentials | undefined) {
  if (credentials === undefined) return {}
  if (credentials.kind === 'bearer') {
    return { token: { token: credentials.token }, authSchemePreference: ['httpBearerAuth'] }
  }
  const { kind: _, ...keys } = credentials
  return { credentials: keys }
}
