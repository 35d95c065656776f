// Finds out that the file takes no writes for longer than a moment, as on a full disk: then an open turn may get no end, and
// its readers must not wait for one. Used by `turn-log.ts`.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Database, GroupEnd } from '../files/database.ts'

/** Between a write that failed and the one that confirms it. */
const CONFIRM_MS = 3000
const PROBE = 'INSERT OR REPLACE INTO probes (only_row, at) VALUES (1, ?)'

export class FailingFile {
  readonly #database: Database
  readonly #clock: Clock
  readonly #onFound: () => void
  #isConfirming = false
  #isFailing = false

  /** `onFound` is called when `check` begins to throw. */
  constructor({ clock, database }: { readonly clock: Clock; readonly database: Database }, onFound: () => void) {
    this.#clock = clock
    this.#database = database
    this.#onFound = onFound
    database.onGroupEnd((end) => this.#groupEnded(end))
  }

  /** Throws while the file takes no writes. */
  check = (): void => {
    if (this.#isFailing) throw new StoreUnavailable('the turn log cannot be written')
  }

  #groupEnded(end: GroupEnd): void {
    if (end === 'kept') this.#isFailing = false
    else if (!this.#isConfirming && !this.#isFailing) {
      this.#isConfirming = true
      this.#clock.after(CONFIRM_MS, () => void this.#confirm())
    }
  }

  async #confirm(): Promise<void> {
    try {
      await this.#database.write(() => void this.#database.statement(PROBE).run(this.#clock.now()))
    } catch {
      // Its next group that succeeds ends this.
      this.#isFailing = true
      this.#onFound()
    } finally {
      this.#isConfirming = false
    }
  }
}
