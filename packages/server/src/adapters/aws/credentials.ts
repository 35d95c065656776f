// Reads AWS credentials from the environment. Without any, the SDK searches its usual sources: profiles, containers,
// instances. Loads no SDK, because the configuration is checked with it before anything is opened.

/** One credential from the environment. */
export type AwsCredentials =
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'keys'
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken?: string
    }

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that show that the SDK can find credentials itself: in a profile, a container, a web identity. */
export const AWS_HINTS = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
]

/** Returns undefined to leave the search to the SDK. */
export function awsKeysIn(env: Environment): AwsCredentials | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  if (!accessKeyId || !secretAccessKey) return undefined
  return { kind: 'keys', accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
}

/** Whether the SDK may find credentials outside the environment. */
export function maySdkFindCredentials(env: Environment, fileExists: (path: string) => boolean): boolean {
  if (AWS_HINTS.some((name) => env[name])) return true
  const folder = `${env.HOME ?? env.USERPROFILE ?? ''}/.aws`
  const files = [env.AWS_SHARED_CREDENTIALS_FILE ?? `${folder}/credentials`, env.AWS_CONFIG_FILE ?? `${folder}/config`]
  return files.some(fileExists)
}
