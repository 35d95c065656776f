// What `setup` makes for the samples: a bucket that is not public, with a rule that deletes old samples, also those of nodes that are no
// longer there. And the least policies of IAM for it.
import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutPublicAccessBlockCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type {
  BucketLocationConstraint,
  GetBucketLifecycleConfigurationCommandOutput,
  LifecycleRule,
  S3Client,
} from '@aws-sdk/client-s3'
import type { SetupStep } from '#domain/setup-step.ts'
import type { Clock } from '#ports/clock/port.ts'
import { setupCall } from '../setup-calls.ts'

export interface SampleBucket {
  readonly client: S3Client
  readonly clock: Clock
  readonly region: string
  readonly bucket: string
  readonly prefix: string
}

const RULE_ID = 'mangaassist-samples'
const NO_RULES = 'NoSuchLifecycleConfiguration'
const EXPIRY_DAYS = 30
const NONCURRENT_DAYS = 1
const CLOSED = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
}
/** Where buckets need no location: S3's first region. */
const FIRST_REGION = 'us-east-1'

/** Examines the bucket. Changes nothing. */
export async function bucketSteps(parts: SampleBucket): Promise<readonly SetupStep[]> {
  const bucket = await bucketStep(parts)
  if (bucket.state !== 'unknown') {
    const isThere = bucket.state === 'present'
    return [bucket, await closedStep(parts, isThere), await expiryStep(parts, isThere)]
  }
  // A bucket that could not be checked may be there, with settings of others.
  const rest = [closedName(parts), EXPIRY_NAME].map((what): SetupStep => {
    return { what, state: 'unknown', detail: 'the bucket could not be checked', isOptional: true }
  })
  return [bucket, ...rest]
}

const closedName = ({ bucket }: Pick<SampleBucket, 'bucket'>) => `bucket ${bucket} closed to the public`
const EXPIRY_NAME = `samples deleted after ${EXPIRY_DAYS} days`

async function bucketStep({ bucket: Bucket, client, clock, region }: SampleBucket): Promise<SetupStep> {
  const what = `bucket ${Bucket}`
  const state = await stateOf(
    () => setupCall(clock, (to) => client.send(new HeadBucketCommand({ Bucket }), to)),
    ['NotFound', 'NoSuchBucket'],
  )
  if (state.kind === 'found') return { what, state: 'present' }
  if (state.kind === 'unknown') return { what, state: 'unknown', detail: state.detail }
  const place = { LocationConstraint: region as BucketLocationConstraint }
  return {
    what,
    state: 'missing',
    detail: `in ${region}, encrypted by S3`,
    apply: async () => {
      await setupCall(clock, (to) =>
        client.send(
          new CreateBucketCommand({ Bucket, ...(region === FIRST_REGION ? {} : { CreateBucketConfiguration: place }) }),
          to,
        ),
      )
    },
  }
}

async function closedStep({ bucket: Bucket, client, clock }: SampleBucket, isThere: boolean): Promise<SetupStep> {
  const what = closedName({ bucket: Bucket })
  const apply = async () => {
    await setupCall(clock, (to) =>
      client.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: CLOSED }), to),
    )
  }
  if (!isThere) return { what, state: 'missing', isOptional: true, apply }
  const state = await stateOf(
    () => setupCall(clock, (to) => client.send(new GetPublicAccessBlockCommand({ Bucket }), to)),
    ['NoSuchPublicAccessBlockConfiguration'],
  )
  if (state.kind === 'unknown') return { what, state: 'unknown', detail: state.detail, isOptional: true }
  if (state.kind === 'none') return { what, state: 'missing', isOptional: true, apply }
  const set: Readonly<Record<string, boolean | undefined>> = { ...state.value.PublicAccessBlockConfiguration }
  const open = Object.keys(CLOSED).filter((name) => set[name] !== true)
  if (open.length === 0) return { what, state: 'present' }
  return { what, state: 'differs', detail: `${open.join(', ')} not set`, isOptional: true, apply }
}

async function expiryStep(
  { bucket: Bucket, client, clock, prefix }: SampleBucket,
  isThere: boolean,
): Promise<SetupStep> {
  const what = EXPIRY_NAME
  const rule: LifecycleRule = {
    ID: RULE_ID,
    Status: 'Enabled',
    Filter: { Prefix: prefix },
    Expiration: { Days: EXPIRY_DAYS },
    // In a bucket that keeps versions, what was deleted stays as an old version.
    NoncurrentVersionExpiration: { NoncurrentDays: NONCURRENT_DAYS },
  }
  const read = () => setupCall(clock, (to) => client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }), to))
  // The rules of a bucket are written together: those of others stay, also ones that were made since the examination.
  const apply = async () => {
    const found = await stateOf(read, [NO_RULES])
    if (found.kind === 'unknown') throw found.error
    const others = rulesOf(found).filter(({ ID }) => ID !== RULE_ID)
    const LifecycleConfiguration = { Rules: [...others, rule] }
    await setupCall(clock, (to) =>
      client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }), to),
    )
  }
  if (!isThere) return { what, state: 'missing', isOptional: true, apply }
  const state = await stateOf(read, [NO_RULES])
  if (state.kind === 'unknown') return { what, state: 'unknown', detail: state.detail, isOptional: true }
  const own = rulesOf(state).find(({ ID }) => ID === RULE_ID)
  if (own === undefined) return { what, state: 'missing', isOptional: true, apply }
  const isSame =
    own.Status === 'Enabled' &&
    own.Filter?.Prefix === prefix &&
    own.Expiration?.Days === EXPIRY_DAYS &&
    own.NoncurrentVersionExpiration?.NoncurrentDays === NONCURRENT_DAYS
  if (isSame) return { what, state: 'present' }
  return { what, state: 'differs', detail: `the rule ${RULE_ID}`, isOptional: true, apply }
}

function rulesOf(found: Exclude<Found<GetBucketLifecycleConfigurationCommandOutput>, { readonly kind: 'unknown' }>) {
  return found.kind === 'none' ? [] : (found.value.Rules ?? [])
}

type Found<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly detail: string; readonly error: Error }

async function stateOf<Value>(ask: () => Promise<Value>, absent: readonly string[]): Promise<Found<Value>> {
  try {
    return { kind: 'found', value: await ask() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (absent.includes(error.name)) return { kind: 'none' }
    return { kind: 'unknown', detail: reasonOf(error), error }
  }
}

/** The reply to a HEAD has no body, so the SDK knows nothing but its status. */
const HEAD_REASONS: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect: the bucket is in another region',
  400: 'BadRequest: the credentials have expired, or the bucket is in another region',
  403: 'AccessDenied: the credentials may not do it, or the bucket belongs to another account',
}

function reasonOf(error: Error): string {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  const isNamed = !/^(Unknown|UnknownError|\d+)$/.test(error.name)
  return (isNamed ? undefined : HEAD_REASONS[status]) ?? `${error.name}: ${error.message}`
}

/** For the server and for `doctor`. */
export function samplesPolicy({ bucket, prefix, region }: Omit<SampleBucket, 'client' | 'clock'>): object {
  return policyOf([
    {
      Sid: 'ReadAndWriteSamples',
      Action: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      Resource: [`${arnOf(bucket, region)}/${prefix}*`],
    },
    { Sid: 'ListSamples', Action: ['s3:ListBucket'], Resource: [arnOf(bucket, region)] },
    { Sid: 'DescribeBucket', Action: DESCRIBE, Resource: [arnOf(bucket, region)] },
  ])
}

/** For `setup --apply`, in the hands of an operator. */
export function bucketPolicy({ bucket, region }: Omit<SampleBucket, 'client' | 'clock' | 'prefix'>): object {
  const Action = ['s3:CreateBucket', ...DESCRIBE, 's3:ListBucket', ...MAKE]
  return policyOf([{ Sid: 'MakeBucket', Action, Resource: [arnOf(bucket, region)] }])
}

const DESCRIBE = ['s3:GetBucketPublicAccessBlock', 's3:GetLifecycleConfiguration']
const MAKE = ['s3:PutBucketPublicAccessBlock', 's3:PutLifecycleConfiguration']

function policyOf(statements: readonly object[]): object {
  return { Version: '2012-10-17', Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })) }
}

function arnOf(bucket: string, region: string): string {
  const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
  return `arn:${partition}:s3:::${bucket}`
}
