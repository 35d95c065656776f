// How the service is, in words for shoppers: up, degraded in which part, or down, and since when. Made of the readiness of this node at intervals, so that a
// change is noticed without a visitor. Nothing internal is in it: no model, no dependency, no figure.
import type { Clock } from '#ports/clock/port.ts'
import type { ReadinessReport } from '../http/health.ts'

/** `questions`: none are taken; `answers`: simpler than usual; `search`: the shop's search; `history`: earlier conversations. */
export type StatusPart = 'questions' | 'answers' | 'search' | 'history'

export interface ServiceStatus {
  readonly status: 'up' | 'degraded' | 'down'
  readonly parts: readonly StatusPart[]
  /** Since when `status` and `parts` are so, as far as this node knows. */
  readonly since: number
  readonly checkedAt: number
}

type Reported = Pick<ReadinessReport, 'dependencies' | 'mode' | 'ready' | 'status'>

const CHECK_EVERY_MS = 10_000
const FRESH_MS = 5000
const LANE = 'lane:'
/** Lanes that are no model's, with the part of the service that depends on them. */
const PART_OF_LANE: Readonly<Record<string, StatusPart>> = {
  search: 'search',
  catalogue: 'search',
  sessions: 'history',
  redis: 'history',
}

/** Which parts do not work as usual. */
export function statusOf({ dependencies, mode, ready, status }: Reported): Pick<ServiceStatus, 'status' | 'parts'> {
  // A lame duck answers as usual.
  if ((!ready && status !== 'lame-duck') || mode === 'maintenance') return { status: 'down', parts: ['questions'] }
  const parts = new Set<StatusPart>()
  if (mode === 'read-only') parts.add('questions')
  if (mode === 'reduced') parts.add('answers')
  const lanes = Object.entries(dependencies).filter(([name]) => name.startsWith(LANE))
  const models: boolean[] = []
  for (const [name, health] of lanes) {
    const part = PART_OF_LANE[name.slice(LANE.length)]
    if (part === undefined) models.push(health.status === 'error')
    else if (health.status === 'error') parts.add(part)
  }
  // One model of several is replaced by the next without the shopper's notice.
  if (models.length > 0 && models.every((isDown) => isDown)) parts.add('answers')
  // A dependency without which the server still answers.
  if (status === 'degraded') parts.add('history')
  return { status: parts.size === 0 ? 'up' : 'degraded', parts: [...parts] }
}

export class StatusWatch implements Disposable {
  readonly #clock: Clock
  readonly #report: () => Promise<Reported>
  #known: ServiceStatus | undefined
  #checking: Promise<ServiceStatus> | undefined
  #timer: Disposable | undefined

  constructor(parts: { readonly clock: Clock; readonly report: () => Promise<Reported> }) {
    this.#clock = parts.clock
    this.#report = parts.report
  }

  /** Any number of visitors costs one check in some seconds. */
  async current(): Promise<ServiceStatus> {
    if (this.#known !== undefined && this.#clock.now() - this.#known.checkedAt < FRESH_MS) return this.#known
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined))
    return this.#checking
  }

  start(): void {
    this.#timer = this.#clock.after(CHECK_EVERY_MS, () => {
      void this.current().catch(() => undefined)
      this.start()
    })
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]()
  }

  async #check(): Promise<ServiceStatus> {
    const found = statusOf(await this.#report())
    const now = this.#clock.now()
    const before = this.#known
    const isSame = before?.status === found.status && before.parts.join() === found.parts.join()
    this.#known = { ...found, since: isSame ? before.since : now, checkedAt: now }
    return this.#known
  }
}
