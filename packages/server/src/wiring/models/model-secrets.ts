// Where secrets come from: the environment, and nowhere else. A server on this machine needs none.
import type { BedrockCredentials } from '#adapters/aws/bedrock/client.ts'
import type { Config } from '#config/config.ts'

type ModelConfig = Config['models'][string]
export type Environment = Readonly<Record<string, string | undefined>>

/** What shows that the AWS SDK will find credentials by itself: in a profile, a container, a web identity. */
const AWS_HINTS = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
]

/** Undefined leaves the search to the AWS SDK. */
export function bedrockCredentialsOf(model: ModelConfig, env: Environment): BedrockCredentials | undefined {
  const token = env[model.apiKeyEnv ?? 'AWS_BEARER_TOKEN_BEDROCK']
  if (token) return { kind: 'bearer', token }
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  if (accessKeyId && secretAccessKey) {
    return { kind: 'keys', accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  }
  if (isLocal(model.baseURL)) return { kind: 'keys', accessKeyId: 'local', secretAccessKey: 'local' }
  return undefined
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
  if (bedrockCredentialsOf(model, env) !== undefined || AWS_HINTS.some((name) => env[name])) return true
  const folder = `${env.HOME ?? env.USERPROFILE ?? ''}/.aws`
  const files = [env.AWS_SHARED_CREDENTIALS_FILE ?? `${folder}/credentials`, env.AWS_CONFIG_FILE ?? `${folder}/config`]
  return files.some(fileExists)
}

export function isLocal(baseURL: string | undefined): boolean {
  if (baseURL === undefined || !URL.canParse(baseURL)) return false
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseURL).hostname)
}
