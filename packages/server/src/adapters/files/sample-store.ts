// Stores samples as JSON files in a folder of their own; names sort by time and contain the turn id. One write at a time; a
// file appears complete or not at all. Samples of an earlier version, which name no turn, are removed; other files are not
// touched.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Sample, SampleLimits, SampleStore } from '#ports/sample-store/port.ts'

interface Kept extends Pick<Sample, 'turnId' | 'at'> {
  readonly name: string
  readonly bytes: number
}

const OURS = /^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-\w{1,64}-(\w{1,64})\.json$/
const OF_NO_TURN = /^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-\w{1,64}\.json$/
const UNFINISHED = '.part'

export interface FileSampleStoreParts {
  /** Created with the first sample; its parent folder must exist. */
  readonly folder: string
  readonly limits: SampleLimits
}

export function fileSampleStore({ folder, limits }: FileSampleStoreParts): SampleStore {
  let known: Promise<Kept[]> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  async function keep(sample: Sample): Promise<void> {
    const text = JSON.stringify(sample)
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.bytesMax) return
    const kept = await load()
    const name = `${isoTime(sample.at).replaceAll(':', '-')}-${sample.id}-${sample.turnId}.json`
    // Readable by the owner only: samples are private even when redacted.
    await writeFile(join(folder, `${name}${UNFINISHED}`), text, { mode: 0o600 })
    await rename(join(folder, `${name}${UNFINISHED}`), join(folder, name))
    kept.push({ name, bytes, turnId: sample.turnId, at: sample.at })
    let total = kept.reduce((sum, file) => sum + file.bytes, 0)
    while (kept.length > limits.countMax || total > limits.bytesMax) {
      const oldest = kept.shift()
      if (oldest === undefined) break
      total -= oldest.bytes
      await rm(join(folder, oldest.name), { force: true })
    }
  }

  async function forget(turnIds: ReadonlySet<string>): Promise<number> {
    const kept = await load()
    const gone = kept.filter(({ turnId }) => turnIds.has(turnId))
    for (const { name } of gone) {
      await rm(join(folder, name), { force: true })
      kept.splice(
        kept.findIndex((file) => file.name === name),
        1,
      )
    }
    return gone.length
  }

  async function load(): Promise<Kept[]> {
    known ??= storedIn(folder)
    try {
      return await known
    } catch (error) {
      // The next sample tries again: the disk may work by then.
      known = undefined
      throw error
    }
  }

  return {
    keep: (sample) => inTurn(() => keep(sample)),
    newest: (max) =>
      inTurn(async () => {
        const names = (await load()).map(({ name }) => name)
        const texts = names.slice(-max).map((name) => readFile(join(folder, name), 'utf8'))
        return (await Promise.all(texts)).toReversed().map((text) => JSON.parse(text) as Sample)
      }),
    turns: () => inTurn(async () => (await load()).map(({ turnId, at }) => ({ turnId, at }))),
    forget: (turnIds) => inTurn(() => forget(turnIds)),
  }
}

async function storedIn(folder: string): Promise<Kept[]> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const names = (await readdir(folder)).sort()
  const isUnfinished = (name: string) => name.endsWith(UNFINISHED) && OURS.test(name.slice(0, -UNFINISHED.length))
  const useless = names.filter((name) => isUnfinished(name) || (OF_NO_TURN.test(name) && !OURS.test(name)))
  for (const name of useless) await rm(join(folder, name), { force: true })
  const found = names.map((name) => OURS.exec(name)).filter((match) => match !== null)
  return Promise.all(
    found.map(async ([name, turnId = '']) => {
      const { mtimeMs, size } = await stat(join(folder, name))
      return { name, turnId, at: mtimeMs, bytes: size }
    }),
  )
}
