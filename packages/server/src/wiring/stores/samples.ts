// Opens the samples of vendors' responses: files of the node, or a bucket of S3 that all nodes share.
import { join } from 'node:path'
import type { Bucket } from '#adapters/aws/s3/bucket.ts'
import { fileSampleStore } from '#adapters/files/sample-store.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SampleStore } from '#ports/sample-store/port.ts'
import type { Environment } from '../models/model-secrets.ts'
import { awsAddressOf } from './open-dynamo.ts'

export interface SamplesParts {
  /** DATA_DIR. */
  readonly folder: string
  readonly clock: Clock
  readonly env: Environment
  readonly opened: DisposableStack
}

const CONNECTIONS_MAX = 8

export async function openSamples(config: Config, parts: SamplesParts): Promise<SampleStore> {
  const { samples: limits } = config
  if (chosenStores(config).samples === 'files')
    return fileSampleStore({ folder: join(parts.folder, 'samples'), limits })
  const { s3SampleStore } = await import('#adapters/aws/s3/sample-store.ts')
  return s3SampleStore({ bucket: parts.opened.use(await openSampleBucket(config, parts)), limits })
}

export async function openSampleBucket(config: Config, parts: Pick<SamplesParts, 'clock' | 'env'>): Promise<Bucket> {
  // Loaded on demand: a shop without S3 does not load its client.
  const { openBucket } = await import('#adapters/aws/s3/bucket.ts')
  const { bucket = '', callMs, prefix } = config.s3
  return openBucket({ ...s3PlaceOf(config, parts), bucket, prefix, callMs })
}

/** Where the bucket is, and as whom it is used. */
export function s3PlaceOf({ s3 }: Pick<Config, 's3'>, { clock, env }: Pick<SamplesParts, 'clock' | 'env'>) {
  const limits = { connectMs: s3.connectMs, connectionsMax: CONNECTIONS_MAX }
  return { ...awsAddressOf(s3, env), clock, limits }
}
