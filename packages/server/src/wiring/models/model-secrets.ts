// Secrets of models come only from the environment. A server on this machine needs none.
import { AWS_HINTS, awsKeysIn, maySdkFindCredentials } from '#adapters/aws/credentials.ts'
import type { AwsCredentials } from '#adapters/aws/credentials.ts'
import type { Config } from '#config/config.ts'

type ModelConfig = Config['models'][string]
export type Environment = Readonly<Record<string, string | undefined>>

/** Undefined: the AWS SDK searches for credentials. */
export function bedrockCredentialsOf(model: ModelConfig, env: Environment): AwsCredentials | undefined {
  const token = env[model.apiKeyEnv ?? 'AWS_BEARER_TOKEN_BEDROCK']
  if (token) return { kind: 'bearer', token }
  const local: AwsCredentials = { kind: 'keys', accessKeyId: 'local', secretAccessKey: 'local' }
  return awsKeysIn(env) ?? (isLocal(model.baseURL) ? local : undefined)
}

/** Every variable by which the AWS SDK finds credentials and a region. */
export const AWS_VARIABLES: readonly string[] = [
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  ...AWS_HINTS,
  'AWS_EC2_METADATA_DISABLED',
]

export function mayHaveBedrockCredentials(
  model: ModelConfig,
  env: Environment,
  fileExists: (path: string) => boolean,
): boolean {
  return bedrockCredentialsOf(model, env) !== undefined || maySdkFindCredentials(env, fileExists)
}

export function isLocal(baseURL: string | undefined): boolean {
  if (baseURL === undefined || !URL.canParse(baseURL)) return false
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseURL).hostname)
}
