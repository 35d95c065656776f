// Samples in a bucket of S3, which several nodes share. The name of an object says when the sample was made and of which turn, so that
// a list is an index: names begin with the time that is left until a far day, so that the newest are listed first.
import type { Sample, SampleLimits, SampleStore } from '#ports/sample-store/port.ts'
import type { Bucket, BucketObject } from './bucket.ts'

export interface S3SampleStoreParts {
  readonly bucket: Bucket
  readonly limits: SampleLimits
}

interface Kept extends BucketObject, Pick<Sample, 'turnId' | 'at'> {}

/** The year 5138: every time before it gives as many digits. */
const FAR = 99_999_999_999_999
const OURS = /^(\d{14})-\w{1,64}-(\w{1,64})\.json$/
/** Above the limit there are those of other nodes that have not removed the oldest yet. */
const LISTED_MAX = 20_000
const REMOVED_AT_ONCE = 1000
const READ_AT_ONCE = 8

export function s3SampleStore({ bucket, limits }: S3SampleStoreParts): SampleStore {
  let last: Promise<unknown> = Promise.resolve()

  /** One write after the other: what one node stores, it also counts. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** The newest first. */
  async function kept(max = LISTED_MAX): Promise<readonly Kept[]> {
    return (await bucket.list(max)).flatMap((object) => {
      const [, left, turnId] = OURS.exec(object.name) ?? []
      return left === undefined || turnId === undefined ? [] : [{ ...object, turnId, at: FAR - Number(left) }]
    })
  }

  async function removeAll(objects: readonly BucketObject[]): Promise<void> {
    for (let from = 0; from < objects.length; from += REMOVED_AT_ONCE)
      await bucket.remove(objects.slice(from, from + REMOVED_AT_ONCE).map(({ name }) => name))
  }

  async function keep(sample: Sample): Promise<void> {
    const text = JSON.stringify(sample)
    if (Buffer.byteLength(text) > limits.bytesMax) return
    const left = String(FAR - Math.floor(sample.at)).padStart(14, '0')
    await bucket.put(`${left}-${sample.id}-${sample.turnId}.json`, text)
    let total = 0
    const beyond = (await kept()).filter(({ bytes }, place) => {
      total += bytes
      return place >= limits.countMax || total > limits.bytesMax
    })
    await removeAll(beyond)
  }

  async function newest(max: number): Promise<readonly Sample[]> {
    const names = (await kept(max)).map(({ name }) => name)
    const samples: Sample[] = []
    for (let from = 0; from < names.length; from += READ_AT_ONCE) {
      const texts = await Promise.all(names.slice(from, from + READ_AT_ONCE).map((name) => bucket.get(name)))
      // One may have been removed since.
      samples.push(...texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Sample])))
    }
    return samples
  }

  return {
    keep: (sample) => inTurn(() => keep(sample)),
    newest: (max) => inTurn(() => newest(max)),
    turns: () => inTurn(async () => (await kept()).map(({ at, turnId }) => ({ turnId, at })).toReversed()),
    forget: (turnIds) =>
      inTurn(async () => {
        // An erasure must not miss one, however many there are.
        const gone = (await kept(Number.POSITIVE_INFINITY)).filter(({ turnId }) => turnIds.has(turnId))
        await removeAll(gone)
        return gone.length
      }),
  }
}
