// The Bedrock client: the common AWS client, with our own decoding of event streams.
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import type { StreamLimits } from '#domain/model/drive-stream.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import { awsClientSettings } from '../client.ts'
import type { AwsClientParts } from '../client.ts'
import { defensiveSerde } from './event-stream.ts'

export interface BedrockClientParts extends AwsClientParts {
  readonly limits: AwsClientParts['limits'] & StreamLimits
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
}

export function bedrockClient(parts: BedrockClientParts): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    ...awsClientSettings(parts),
    eventStreamSerdeProvider: defensiveSerde(parts.onAnomaly),
  })
}
