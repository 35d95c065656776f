// Runs one part of a move: a bounded number of items at a time, each tried again while its store is unavailable, because every
// verb can be repeated.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { ForEach, Part, PartResult } from './part.ts'

const AT_ONCE = 16
const TRIES_MAX = 8
const PAUSE_FIRST_MS = 100
const EXAMPLES_MAX = 10

export interface RunPartOptions {
  readonly clock: Clock
  readonly onProgress: (part: Part, done: number) => void
}

export async function movePart(part: Part, options: RunPartOptions): Promise<number> {
  const { done, each } = counted(part, options)
  await part.move(each)
  return done()
}

export async function verifyPart(part: Part, options: RunPartOptions): Promise<PartResult> {
  const { done, each } = counted(part, options)
  const examples: string[] = []
  let different = 0
  await part.verify(each, (what) => {
    different += 1
    if (examples.length < EXAMPLES_MAX) examples.push(what)
  })
  return { part, done: done(), different, examples }
}

function counted(part: Part, { clock, onProgress }: RunPartOptions): { done: () => number; each: ForEach } {
  let done = 0
  const each: ForEach = async (items, work, atOnce = AT_ONCE) => {
    const running = new Set<Promise<void>>()
    let failure: { readonly error: unknown } | undefined
    const run = async (item: Parameters<typeof work>[0]) => {
      try {
        const things = await patiently(clock, () => work(item))
        done += things ?? 1
        onProgress(part, done)
      } catch (error) {
        failure ??= { error }
      }
    }
    for await (const item of items) {
      const one = run(item).finally(() => running.delete(one))
      running.add(one)
      if (running.size >= atOnce) await Promise.race(running)
      if (failure !== undefined) break
    }
    await Promise.all(running)
    if (failure !== undefined) throw failure.error
  }
  return { done: () => done, each }
}

async function patiently<Answer>(clock: Clock, call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    const answer = await orUnavailable(call)
    if (!(answer instanceof StoreUnavailable)) return answer
    await clock.sleep(PAUSE_FIRST_MS * 2 ** (tries - 1))
  }
  return call()
}
