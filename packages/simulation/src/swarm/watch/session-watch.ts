// Checks conversations as the store writes them: each version has one writer, and each turn one version.
import type { SessionStore } from '@mangaassist/server/ports/session-store/port'
import type { WatchReport } from './watch-report.ts'

export class SessionWatch {
  readonly #report: WatchReport
  readonly #writers = new Map<string, string>()
  readonly #versions = new Map<string, number>()

  constructor(report: WatchReport) {
    this.#report = report
  }

  over(store: SessionStore): SessionStore {
    return {
      ...store,
      append: async (sessionId, expectedVersion, turn) => {
        const result = await store.append(sessionId, expectedVersion, turn)
        if (result.kind === 'appended') this.#appended(sessionId, result.version, turn.turnId)
        else this.#report.see(`session append ${result.kind}`)
        return result
      },
    }
  }

  #appended(sessionId: string, version: number, turnId: string): void {
    const { breach, trace } = this.#report
    trace(`append ${sessionId} ${version} ${turnId}`)
    const position = `${sessionId} ${version}`
    const writer = this.#writers.get(position)
    if (writer !== undefined && writer !== turnId)
      breach('a version has two writers', `${position}: ${writer}, ${turnId}`)
    this.#writers.set(position, turnId)
    const before = this.#versions.get(turnId)
    if (before !== undefined && before !== version)
      breach('a turn is in a conversation twice', `${turnId} in ${position}`)
    this.#versions.set(turnId, version)
  }
}
