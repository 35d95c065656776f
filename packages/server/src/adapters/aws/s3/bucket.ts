// A node's client of one bucket of S3: a few verbs on the objects below a prefix, each with one deadline. Any failure is a
// StoreUnavailable.
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { NEVER } from '#lib/async/never.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import { awsClientSettings } from '../client.ts'
import type { AwsClientParts } from '../client.ts'

export interface BucketOptions extends AwsClientParts {
  readonly bucket: string
  /** Begins every key; empty, or it ends with a slash. */
  readonly prefix: string
  readonly callMs: number
}

export interface Bucket extends Disposable {
  put(name: string, text: string): Promise<void>
  /** Undefined when there is none. */
  get(name: string): Promise<string | undefined>
  /** The first objects in the order of their names. */
  list(max: number): Promise<readonly BucketObject[]>
  /** At most 1,000. Names of no object are ignored. */
  remove(names: readonly string[]): Promise<void>
}

export interface BucketObject {
  /** Without the prefix. */
  readonly name: string
  readonly bytes: number
}

const LISTED_AT_ONCE = 1000

/** S3 itself has a name for each bucket; another server is asked by path. */
export function s3ClientOf(parts: AwsClientParts): S3Client {
  return new S3Client({ ...awsClientSettings(parts), forcePathStyle: parts.baseURL !== undefined })
}

export function openBucket(options: BucketOptions): Bucket {
  const { bucket: Bucket, callMs, prefix } = options
  const client = s3ClientOf(options)
  const timers = fairTimers({ clock: options.clock })

  async function call<Output>(name: string, send: (abortSignal: AbortSignal) => Promise<Output>): Promise<Output> {
    try {
      const output = await withDeadline(timers, { ms: callMs, signal: NEVER }, send)
      if (output !== LATE) return output
    } catch (error) {
      throw new StoreUnavailable(`S3 failed at ${name}`, { cause: error })
    }
    throw new StoreUnavailable(`S3 took longer than ${callMs} ms for ${name}`)
  }

  return {
    async put(name, text) {
      const input = { Bucket, Key: `${prefix}${name}`, Body: text, ContentType: 'application/json' }
      await call('put', (abortSignal) => client.send(new PutObjectCommand(input), { abortSignal }))
    },
    get: (name) =>
      call('get', async (abortSignal) => {
        try {
          const { Body: body } = await client.send(new GetObjectCommand({ Bucket, Key: `${prefix}${name}` }), {
            abortSignal,
          })
          return await body?.transformToString()
        } catch (error) {
          if (error instanceof Error && error.name === 'NoSuchKey') return undefined
          throw error
        }
      }),
    async list(max) {
      const found: BucketObject[] = []
      let after: string | undefined
      do {
        const input = {
          Bucket,
          Prefix: prefix,
          MaxKeys: Math.min(LISTED_AT_ONCE, max - found.length),
          ContinuationToken: after,
        }
        const page = await call('list', (abortSignal) => client.send(new ListObjectsV2Command(input), { abortSignal }))
        for (const { Key: key = '', Size: bytes = 0 } of page.Contents ?? [])
          found.push({ name: key.slice(prefix.length), bytes })
        after = page.NextContinuationToken
      } while (after !== undefined && found.length < max)
      return found
    },
    async remove(names) {
      if (names.length === 0) return
      const Delete = { Quiet: true, Objects: names.map((name) => ({ Key: `${prefix}${name}` })) }
      const { Errors: errors = [] } = await call('remove', (abortSignal) =>
        client.send(new DeleteObjectsCommand({ Bucket, Delete }), { abortSignal }),
      )
      if (errors.length > 0)
        throw new StoreUnavailable(`S3 left ${errors.length} of ${names.length} objects: ${errors[0]?.Code}`)
    },
    [Symbol.dispose]: () => client.destroy(),
  }
}
