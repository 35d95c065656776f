// The alarms of this node: it evaluates its own figures at intervals and reports what fires to the board that the nodes share; the
// leader decides for all and has the messages sent. Without the board, the first few nodes send what fires on them by themselves, each
// alarm once: that Redis is unavailable has to reach people, too.
import type { Alarm } from '#domain/alarms/alarm.ts'
import { AlarmEvaluator } from '#domain/alarms/evaluator.ts'
import type { Firing } from '#domain/alarms/evaluator.ts'
import type { FigureSource } from '#domain/alarms/figures.ts'
import { decide, joined, NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { AlarmState, Decided, Deciding, NodeReport } from '#domain/alarms/incidents.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Severity } from '#domain/alarms/alarm.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { NodeFacts } from '#ports/node-registry/port.ts'
import type { NodeWatch } from '../nodes.ts'
import { Deliveries, WRITES_MAX } from './deliveries.ts'
import type { DeliveriesParts } from './deliveries.ts'

export interface AlarmWatchParts extends DeliveriesParts {
  readonly figures: FigureSource
  readonly nodes: Pick<NodeWatch, 'isLeader' | 'seen'>
  readonly self: NodeFacts
  readonly groupMs: number
  /** Which severities a sender wants, by its name. */
  readonly severitiesOf: (sender: AlarmSender) => readonly Severity[]
}

/** So long the board may be unavailable before nodes send by themselves. */
const STANDALONE_AFTER_MS = 30_000
/** The first nodes of the cluster, by the order in which they joined: two of them may be lost too, and fifty would flood people. */
const STANDALONE_NODES = 3

const LEVELS = { page: 'error', warn: 'warn', info: 'info' } as const

export class AlarmWatch {
  readonly #parts: AlarmWatchParts
  readonly #evaluator: AlarmEvaluator
  readonly #deliveries: Deliveries
  readonly #startedAt: number
  #firing: readonly Firing[] = []
  /** The shared state as it was last read or written: what people know when the board becomes unavailable. */
  #known: AlarmState | undefined
  #unavailableSince: number | undefined
  /** The state of this node while it sends by itself. */
  #own: AlarmState | undefined
  #delivering: Promise<void> = Promise.resolve()

  constructor(parts: AlarmWatchParts) {
    this.#parts = parts
    this.#startedAt = parts.clock.now()
    this.#evaluator = new AlarmEvaluator([...parts.alarms.values()], this.#startedAt)
    this.#deliveries = new Deliveries(parts)
  }

  /** What fires on this node, as of the last round. */
  firing(): readonly Firing[] {
    return this.#firing
  }

  /** The state that this node would decide by without the board; undefined while the board is available. */
  standaloneState(): AlarmState | undefined {
    return this.#own
  }

  /** Resolves when the messages that are being sent have been taken or given up. */
  delivered(): Promise<void> {
    return this.#delivering
  }

  async round(): Promise<void> {
    const { board, clock, figures, nodes, self } = this.#parts
    this.#firing = this.#evaluator.evaluate(clock.now(), figures)
    const report = { nodeId: self.id, host: self.host, firing: this.#firing }
    try {
      const reports = await board.report(report)
      if (this.#unavailableSince !== undefined) await this.#join()
      if (nodes.isLeader()) await this.#lead(reports)
      else if (this.#isFirst()) this.#known = (await board.read()).state
    } catch (error) {
      this.#standalone(report)
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  async #lead(reports: readonly NodeReport[]): Promise<void> {
    const { board, clock } = this.#parts
    for (let writes = 0; writes < WRITES_MAX; writes += 1) {
      const { state, version } = await board.read()
      // A store that was emptied has lost what this node still knows.
      const before = version === 0 ? (this.#known ?? state) : state
      const decided = decide(before, this.#deciding(reports, true))
      const { claimed, state: after } = this.#deliveries.claim(decided.state, clock.now())
      if (JSON.stringify(after) !== JSON.stringify(state) && !(await board.write(after, version))) continue
      this.#known = after
      this.#reportDecided(decided)
      this.#deliver(() => this.#deliveries.deliver(claimed))
      return
    }
  }

  /** Every message goes out in the order in which it became due, and no round waits for it. */
  #deliver(work: () => Promise<void>): void {
    this.#delivering = this.#delivering.then(work).catch(() => {})
  }

  #deciding(reports: readonly NodeReport[], canResolve: boolean): Deciding {
    const { alarms, clock, groupMs, senders, severitiesOf } = this.#parts
    const sendersFor = ({ severity }: Alarm) =>
      senders.filter((sender) => severitiesOf(sender).includes(severity)).map(({ name }) => name)
    return { now: clock.now(), alarms, reports, startedAt: this.#startedAt, groupMs, sendersFor, canResolve }
  }

  #reportDecided({ fired, resolved }: Decided): void {
    const { alarms, telemetry } = this.#parts
    for (const { id, series, since } of fired) {
      const severity = alarms.get(id)?.severity ?? 'warn'
      telemetry.count('alarm_fired_total', { alarm: id })
      const hosts = [...new Set(series.flatMap((one) => one.hosts))].join(' ')
      const labels = series.map((one) => Object.values(one.labels).join('/')).join(' ')
      const fields = { alarm: id, severity, since, series: labels, hosts, value: series[0]?.value }
      telemetry.log(LEVELS[severity], 'alarm.fired', fields)
    }
    for (const { id, resolvedAt, since } of resolved) {
      const severity = alarms.get(id)?.severity ?? 'warn'
      telemetry.log('info', 'alarm.resolved', { alarm: id, severity, firingMs: resolvedAt - since })
    }
  }

  /** One of the first nodes to have joined, as the registry was last seen; a node that never saw it is the only one it knows. */
  #isFirst(): boolean {
    const { nodes, self } = this.#parts
    const seen = nodes.seen()?.nodes ?? []
    return seen.length === 0 || seen.slice(0, STANDALONE_NODES).some(({ id }) => id === self.id)
  }

  #standalone(report: NodeReport): void {
    const { clock, self, telemetry } = this.#parts
    this.#unavailableSince ??= clock.now()
    if (clock.now() - this.#unavailableSince < STANDALONE_AFTER_MS) return
    if (this.#own === undefined) telemetry.log('warn', 'alarm.standalone-began')
    const before = this.#own ?? { ...(this.#known ?? NO_ALARM_STATE), notices: [] }
    const decided = decide(before, this.#deciding([report], false))
    this.#own = { ...decided.state, notices: [] }
    this.#reportDecided(decided)
    if (!this.#isFirst()) return
    for (const notice of decided.state.notices)
      this.#deliver(async () => void (await this.#deliveries.send(notice, self.host)))
  }

  /** What this node notified people of is written down for the leader, which resolves it. */
  async #join(): Promise<void> {
    const { board, clock, telemetry } = this.#parts
    const own = this.#own
    if (own !== undefined && own.incidents.length > 0 && this.#isFirst())
      for (let writes = 0; writes < WRITES_MAX; writes += 1) {
        const { state, version } = await board.read()
        const before = version === 0 ? (this.#known ?? state) : state
        if (await board.write(joined(before, own.incidents, clock.now()), version)) break
      }
    this.#unavailableSince = undefined
    this.#own = undefined
    if (own !== undefined) telemetry.log('info', 'alarm.standalone-ended')
  }
}
