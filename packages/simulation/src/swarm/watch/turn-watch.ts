// Checks every turn's log after each script against its own copy: epochs never decrease, an old epoch writes nothing,
// text is contiguous and never removed, and there is one end with nothing after it.
import { createHash } from 'node:crypto'
import { recordFrom } from '@mangaassist/server/domain/turn/record-codec'
import type { TurnEnd, TurnStart } from '@mangaassist/server/domain/turn/log-records'
import type { LogRecord } from '@mangaassist/server/ports/turn-log/port'
import type { WatchReport } from './watch-report.ts'

export interface WatchedTurn {
  readonly turnId: string
  readonly start: TurnStart
  epoch: number
  count: number
  text: string
  end: TurnEnd | undefined
  /** When the shared log got its end. */
  endedAt: number | undefined
  /** The shared log got the turn only after its owner had begun without it. */
  isLate: boolean
  /** It was answered from the cache: the shop may have paid for a call that renews the cached answer. */
  isCached: boolean
  /** Events of the turn, for the report of a breach. */
  readonly history: string[]
}

type Argument = string | number

interface ScriptRun {
  readonly name: string
  readonly key: string
  readonly args: readonly Argument[]
}

const HISTORY_MAX = 40

export class TurnWatch {
  readonly turns = new Map<string, WatchedTurn>()
  /** Keys of turns whose opening was not answered: their owner cannot know whether the shared log has them. */
  readonly openingUnanswered = new Set<string>()
  readonly #report: WatchReport
  readonly #byKey = new Map<string, WatchedTurn>()

  constructor(report: WatchReport) {
    this.#report = report
  }

  /** Turns without an end. */
  open(): readonly WatchedTurn[] {
    return [...this.turns.values()].filter(({ end }) => end === undefined)
  }

  turnOf(key: string): WatchedTurn | undefined {
    return this.#byKey.get(key)
  }

  /** Called after each script that the store runs. */
  ran({ name, key, args }: ScriptRun, answer: unknown): void {
    switch (name) {
      case 'turn-log.open':
        if (answer === 1) this.#opened(key, String(args[3]))
        return
      case 'turn-log.take-over':
        if (answer !== null && answer !== undefined) this.#takenOver(key, (answer as [number])[0])
        return
      case 'turn-log.extend':
        return this.#extended(key, args, answer as readonly Argument[])
      case 'turn-log.rewrite':
        return this.#rewritten(key, args, answer as readonly Argument[])
      default:
        return
    }
  }

  #opened(key: string, record: string): WatchedTurn | undefined {
    const first = recordFrom(JSON.parse(record) as LogRecord)
    if (first.kind !== 'start' || this.#byKey.has(key)) return undefined
    const { start } = first
    const turn = {
      turnId: start.turnId,
      start,
      epoch: 1,
      count: 1,
      text: '',
      end: undefined,
      endedAt: undefined,
      isLate: false,
      isCached: false,
      history: [],
    }
    this.#byKey.set(key, turn)
    this.turns.set(start.turnId, turn)
    if (start.deferredFrom !== undefined) this.#report.see('deferred question asked again')
    this.#note(turn, `open ${start.turnId}`)
    return turn
  }

  #takenOver(key: string, epoch: number): void {
    const turn = this.#byKey.get(key)
    if (turn === undefined || epoch === turn.epoch) return
    if (epoch !== turn.epoch + 1) this.#report.breach('an epoch was skipped or decreased', `${turn.turnId} to ${epoch}`)
    turn.epoch = epoch
    this.#report.see(epoch > 2 ? 'taken over twice' : 'taken over')
    if (turn.text !== '') this.#report.see('taken over mid-answer')
    if (this.openingUnanswered.has(key)) this.#report.see('taken over, opening unanswered')
    this.#note(turn, `take over ${turn.turnId} ${epoch}`)
  }

  #extended(key: string, args: readonly Argument[], [state, count]: readonly Argument[]): void {
    const turn = this.#byKey.get(key)
    if (turn === undefined) return
    if (state === 'fenced') return this.#fenced(turn, Number(args[1]))
    if (state !== 'done') return
    const [first, records] = [Number(args[2]), args.slice(6)]
    const news = records.slice(Math.max(0, turn.count - first))
    if (Number(count) < turn.count + news.length && turn.end === undefined) {
      this.#report.breach('records were dropped', turn.turnId)
    }
    if (news.length > 0) this.#written(turn, Number(args[1]), news)
  }

  #rewritten(key: string, args: readonly Argument[], [state]: readonly Argument[]): void {
    const [base, records] = [Number(args[2]), args.slice(8)]
    const made = this.#byKey.get(key) === undefined ? this.#opened(key, String(records[0])) : undefined
    const turn = this.#byKey.get(key)
    if (turn === undefined) return
    if (state === 'fenced') return this.#fenced(turn, Number(args[1]))
    if (state !== 'done') return
    if (made !== undefined) Object.assign(turn, { epoch: Number(args[1]), isLate: true })
    const after = base + records.length - 1
    if (after < turn.count) return
    this.#report.see('log rewritten')
    this.#checkRewrite(turn, records)
    const news = records.slice(Math.max(1, 1 + turn.count - base))
    turn.count = Math.max(turn.count, base)
    if (news.length > 0) this.#written(turn, Number(args[1]), news)
  }

  /** A rewrite must preserve the text that the log had. */
  #checkRewrite(turn: WatchedTurn, records: readonly Argument[]): void {
    let text = ''
    for (const record of records.slice(1)) {
      const parsed = JSON.parse(String(record)) as LogRecord
      if (parsed.kind === 'snapshot') text = parsed.snapshot.text
      if (parsed.kind === 'text') text = text.slice(0, parsed.offset) + parsed.text
    }
    if (!text.startsWith(turn.text)) this.#report.breach('text in the log was removed', turn.turnId)
  }

  #fenced(turn: WatchedTurn, epoch: number): void {
    if (epoch < turn.epoch) this.#report.see('an old epoch was refused')
    this.#note(turn, `fenced ${turn.turnId} ${epoch}`)
  }

  #written(turn: WatchedTurn, epoch: number, news: readonly Argument[]): void {
    const { breach } = this.#report
    if (epoch !== turn.epoch) breach('an old epoch wrote to a log', `${turn.turnId}: ${epoch}, it is at ${turn.epoch}`)
    for (const text of news) {
      const record = JSON.parse(String(text)) as LogRecord
      if (turn.end !== undefined) breach('a record was written after the end', `${turn.turnId}: ${record.kind}`)
      if (record.seq !== turn.count) breach('a sequence has a gap', `${turn.turnId}: ${record.seq} after ${turn.count}`)
      if (record.epoch > turn.epoch) breach('a record has a future epoch', turn.turnId)
      turn.count += 1
      this.#applied(turn, record)
    }
    this.#note(turn, `write ${turn.turnId} ${epoch} ${turn.count} ${turn.text.length}`)
  }

  #applied(turn: WatchedTurn, record: LogRecord): void {
    const { breach, see } = this.#report
    switch (record.kind) {
      case 'text':
        if (record.offset !== turn.text.length) {
          breach('text in a log is not contiguous', `${turn.turnId}: ${record.offset} after ${turn.text.length}`)
        }
        turn.text = turn.text.slice(0, record.offset) + record.text
        return
      case 'snapshot':
        see('log trimmed')
        if (!record.snapshot.text.startsWith(turn.text)) breach('text in the log was removed', turn.turnId)
        turn.text = record.snapshot.text
        return
      case 'meta':
        turn.isCached ||= record.meta.tier === 'cached'
        if (record.meta.tier === 'cached' && record.meta.degraded) see('stale cached answer')
        return
      case 'queued':
        return see('waited in a queue')
      case 'turn-end':
        return this.#ended(turn, record.end)
      default:
        return
    }
  }

  #ended(turn: WatchedTurn, end: TurnEnd): void {
    const { breach, see } = this.#report
    turn.end = end
    turn.endedAt = this.#report.now()
    const { text } = turn
    if (!text.isWellFormed()) breach('a text has a lone surrogate', turn.turnId)
    if (text.length !== end.length) breach('a length is wrong', `${turn.turnId}: ${end.length}, ${text.length} units`)
    else if (createHash('sha256').update(text).digest('hex') !== end.sha256) breach('a hash is wrong', turn.turnId)
    see(`log end ${end.finishReason}`)
    if (turn.start.deferredFrom?.isOver === false && end.tier !== 'message') see('deferred question answered')
  }

  #note(turn: WatchedTurn, what: string): void {
    this.#report.trace(what)
    turn.history.push(`${this.#report.now()} ${what}`)
    if (turn.history.length > HISTORY_MAX) turn.history.shift()
  }
}
