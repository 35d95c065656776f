// Finished runs, stored as lines of a file, so that an interrupted comparison continues. Runs of another version of the
// program stay in the file and are not used.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FleetRun } from '../../src/fleet/fleet-run.ts'
import type { Task } from './table-plan.ts'

export interface Result {
  /** Seconds are stored only for the runs that are drawn. */
  readonly run: FleetRun
  readonly cpuMs: number
}

interface Line extends Result {
  readonly program: string
}

const ROOT = resolve(import.meta.dirname, '../../../..')
const FILE = 'runs.jsonl'

export const keyOf = ({ scenario, policy, seed }: Task): string => `${scenario}/${policy}/${seed}`

export class StoredResults {
  readonly #path: string
  readonly #program = programDigest()
  readonly #results = new Map<string, Result>()
  /** Number of lines of another version of the program. */
  readonly others: number

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, FILE)
    const lines = existsSync(this.#path) ? readFileSync(this.#path, 'utf8').split('\n').flatMap(lineOf) : []
    const own = lines.filter(({ program }) => program === this.#program)
    for (const { cpuMs, run } of own) this.#results.set(keyOf(run), { cpuMs, run })
    this.others = lines.length - own.length
  }

  get(task: Task): Result | undefined {
    return this.#results.get(keyOf(task))
  }

  add(result: Result): void {
    this.#results.set(keyOf(result.run), result)
    const line: Line = { program: this.#program, ...result }
    appendFileSync(this.#path, `\n${JSON.stringify(line)}`)
  }
}

/** The last line may be truncated. */
function lineOf(text: string): readonly Line[] {
  try {
    return text === '' ? [] : [JSON.parse(text) as Line]
  } catch {
    return []
  }
}

/** Hash of everything that a run depends on. */
function programDigest(): string {
  const hash = createHash('sha256')
  const packages = ['server/src', 'simulation/src', 'simulation/scenarios', 'protocol/src', 'bookseller/src']
  for (const folder of [...packages.map((path) => `packages/${path}`), 'data']) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    const read = files.filter((file) => /\.(ts|yaml|json|jsonl)$/.test(file) && !/\.test\.ts$|^local\//.test(file))
    for (const file of read.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, folder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
