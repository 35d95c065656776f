// What every client of the AWS SDK is made with: one attempt (retries are ours), HTTP/1.1 over a small pool of kept-alive connections,
// and none of the SDK's own limits on time (`agents.ts` bounds connecting; adapters bound the rest). The SDK's default handler speaks
// HTTP/2, where a lost stream looks like success.
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Clock } from '#ports/clock/port.ts'
import { awsAgents } from './agents.ts'
import type { AgentLimits } from './agents.ts'
import type { AwsCredentials } from './credentials.ts'

export interface AwsClientParts {
  readonly region: string
  /** In place of AWS's own endpoint: a simulator, a VPC endpoint. */
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
    // 0 is no limit; without it the SDK may have one by default.
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
