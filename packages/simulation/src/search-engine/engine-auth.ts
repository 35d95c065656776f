// Who may ask the search engine: anyone, a user with a password, or a signer of AWS. A signature itself is not computed again: region,
// service, key and the signed headers are checked.
import type { IncomingHttpHeaders } from 'node:http'
import { createHash } from 'node:crypto'
import { EngineRefusal } from './refusal.ts'

export type EngineAuth =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'basic'
      readonly username: string
      readonly password: string
      /** The methods that the user may use; default: all. */
      readonly methods?: readonly string[]
    }
  /** Anyone, with the rights of a policy. The path begins with a slash. */
  | { readonly kind: 'policy'; readonly allows: (method: string, path: string) => boolean }
  | { readonly kind: 'aws'; readonly accessKeyId: string; readonly region: string; readonly service: 'es' | 'aoss' }

interface AskedBy {
  readonly method: string
  readonly path: readonly string[]
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** Undefined when it is allowed. */
export function isAllowed(auth: EngineAuth, { body, headers, method, path }: AskedBy): EngineRefusal | undefined {
  if (auth.kind === 'none') return undefined
  if (auth.kind === 'policy') {
    const isRight = auth.allows(method, `/${path.join('/')}`)
    return isRight ? undefined : new EngineRefusal(403, 'security_exception', 'User is not authorized')
  }
  if (auth.kind === 'basic') {
    const wanted = `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
    if (headers.authorization !== wanted) return new EngineRefusal(401, 'security_exception', 'Unauthorized')
    if (auth.methods?.includes(method) === false)
      return new EngineRefusal(403, 'security_exception', `no permissions for [${method}]`)
    return undefined
  }
  const { accessKeyId, region, service } = auth
  const signed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/u
  const [, key, , inRegion, forService, names = ''] = signed.exec(headers.authorization ?? '') ?? []
  const isSigned =
    key === accessKeyId &&
    inRegion === region &&
    forService === service &&
    ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name)) &&
    headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex')
  return isSigned ? undefined : new EngineRefusal(403, 'security_exception', 'the request is not signed as it must be')
}
