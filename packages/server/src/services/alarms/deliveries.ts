// Sends the messages that are due and writes down which senders took them. A notice is claimed in the shared state before it is sent,
// so that one node of the cluster sends it; what fails the leader tries again later, a limited number of times.
import type { Alarm } from '#domain/alarms/alarm.ts'
import type { AlarmState, Notice } from '#domain/alarms/incidents.ts'
import { messageOf } from '#domain/alarms/message.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface DeliveriesParts {
  readonly board: AlarmBoard
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Telemetry
  readonly senders: readonly AlarmSender[]
  readonly alarms: ReadonlyMap<string, Alarm>
  readonly runbookUrl: string
  readonly language: 'ja' | 'en'
}

/** Longer than the tries of any sender together. */
const CLAIM_MS = 180_000
const TRIES_MAX = 5
const RETRY_MS = 60_000
/** How often a change is tried again after another node's change. */
export const WRITES_MAX = 4
/** Messages that this process remembers to have sent. */
const SENT_MAX = 500

export class Deliveries {
  readonly #parts: DeliveriesParts
  /** The key and the sender of what was sent: a state that could not be written must not make this process send again. */
  readonly #sent = new Set<string>()

  constructor(parts: DeliveriesParts) {
    this.#parts = parts
  }

  /** Claims the notices that no node is sending. */
  claim(state: AlarmState, now: number): { readonly state: AlarmState; readonly claimed: readonly Notice[] } {
    const due = state.notices.filter(({ claimedUntil }) => claimedUntil <= now)
    if (due.length === 0) return { state, claimed: [] }
    const claimed = due.map((notice) => ({ ...notice, claimedUntil: now + CLAIM_MS }))
    const byKey = new Map(claimed.map((notice) => [notice.key, notice]))
    return { state: { ...state, notices: state.notices.map((notice) => byKey.get(notice.key) ?? notice) }, claimed }
  }

  /** Never rejects. */
  async deliver(claimed: readonly Notice[]): Promise<void> {
    for (const notice of claimed) {
      const failed = await this.send(notice)
      // While the store is unavailable the claim lapses, and another node may send it once more.
      await this.#settle(notice, failed).catch(() => {})
    }
  }

  /** Returns the names of the senders that did not take it. */
  async send(notice: Notice, standaloneHost?: string): Promise<readonly string[]> {
    const { alarms, language, runbookUrl, senders } = this.#parts
    const alarm = alarms.get(notice.incident.id)
    if (alarm === undefined) return []
    const { at, incident, key, kind } = notice
    const alone = standaloneHost === undefined ? {} : { standaloneHost }
    const message = messageOf({ key, kind, at, alarm, incident, runbookUrl, language, ...alone })
    const ends = senders
      .filter(({ name }) => notice.senders.includes(name) && !this.#sent.has(`${key} ${name}`))
      .map(async (sender) => ({ sender, end: await sender.send(message) }))
    const failed: string[] = []
    for (const { end, sender } of await Promise.all(ends)) {
      this.#count(sender, end.outcome)
      if (end.outcome === 'delivered') this.#remember(`${key} ${sender.name}`)
      else {
        failed.push(sender.name)
        const fields = { alarm: alarm.id, sender: sender.name, reason: end.reason }
        this.#parts.telemetry.log('warn', 'alarm.message-failed', fields)
      }
    }
    return failed
  }

  #count(sender: AlarmSender, outcome: 'delivered' | 'failed'): void {
    this.#parts.telemetry.count('alarm_messages_total', { sender: sender.name, outcome })
  }

  #remember(sent: string): void {
    this.#sent.add(sent)
    for (const oldest of this.#sent) {
      if (this.#sent.size <= SENT_MAX) break
      this.#sent.delete(oldest)
    }
  }

  async #settle({ key }: Notice, failed: readonly string[]): Promise<void> {
    const { board, clock, telemetry } = this.#parts
    for (let writes = 0; writes < WRITES_MAX; writes += 1) {
      const { state, version } = await board.read()
      const stored = state.notices.find((notice) => notice.key === key)
      if (stored === undefined) return
      const tries = stored.tries + 1
      const isLost = failed.length > 0 && tries >= TRIES_MAX
      const again = { ...stored, senders: failed, tries, claimedUntil: clock.now() + RETRY_MS * tries }
      const keeps = failed.length > 0 && !isLost
      const notices = state.notices.flatMap((notice) => (notice.key === key ? (keeps ? [again] : []) : [notice]))
      if (!(await board.write({ ...state, notices }, version))) continue
      if (isLost) telemetry.log('error', 'alarm.message-lost', { alarm: stored.incident.id, senders: failed.join(' ') })
      return
    }
  }
}
