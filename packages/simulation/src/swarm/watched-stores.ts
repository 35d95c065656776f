// The stores of a simulated fleet with watchers over them, behind the network: they see every executed call, whether or
// not its answer arrived. A planted bug sits between store and watcher, so that the watchers see its effects.
import { memoryLedger } from '@mangaassist/server/adapters/memory/ledger'
import { memorySessionStore } from '@mangaassist/server/adapters/memory/session-store'
import { memoryBudgets } from '@mangaassist/server/adapters/memory/budgets'
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { GivenStores } from '../network/shared-stores.ts'
import { SimulatedStore } from '../network/simulated-store.ts'
import { doubleSettling, plantedRun } from './planted.ts'
import type { PlantedBug } from './planted.ts'
import { LaneWatch } from './watch/lane-watch.ts'
import { MoneyWatch } from './watch/money-watch.ts'
import { SessionWatch } from './watch/session-watch.ts'
import { TurnWatch } from './watch/turn-watch.ts'
import type { WatchReport } from './watch/watch-report.ts'

type Argument = string | number

export class Watchers {
  readonly turns: TurnWatch
  readonly lanes: LaneWatch
  readonly money: MoneyWatch
  readonly sessions: SessionWatch
  readonly #bug: PlantedBug | undefined

  constructor(report: WatchReport, bug: PlantedBug | undefined) {
    this.turns = new TurnWatch(report)
    this.lanes = new LaneWatch(report)
    this.money = new MoneyWatch(report)
    this.sessions = new SessionWatch(report)
    this.#bug = bug
  }

  storesOn(clock: Clock): GivenStores {
    const state = memoryBudgets({ clock })
    return {
      turnsAndLanes: new WatchedStore(clock, this, this.#bug),
      budgets: this.money.over(this.#bug === 'double-settle' ? doubleSettling(state) : state),
      sessions: this.sessions.over(memorySessionStore({ clock })),
      ledger: memoryLedger(),
    }
  }
}

class WatchedStore extends SimulatedStore {
  readonly #watchers: Watchers
  readonly #bug: PlantedBug | undefined

  constructor(clock: Clock, watchers: Watchers, bug: PlantedBug | undefined) {
    super(clock)
    this.#watchers = watchers
    this.#bug = bug
  }

  override run(script: Script, keys: readonly string[], args: readonly Argument[]): unknown {
    const { name } = script
    const [key = ''] = keys
    const { lanes, turns } = this.#watchers
    const run = (given: readonly Argument[]) => super.run(script, keys, given)
    const answer = this.#bug === undefined ? run(args) : plantedRun(this.#bug, { name, key, args, run }, this.#watchers)
    if (name.startsWith('turn-log.')) turns.ran({ name, key, args }, answer)
    else if (name.startsWith('lane-')) lanes.ran({ name, key, args }, answer)
    return answer
  }

  override unanswered({ name }: Script, [key = '']: readonly string[]): void {
    // A turn that began without the log is opened by a rewrite of the whole log.
    if (name === 'turn-log.open' || name === 'turn-log.rewrite') this.#watchers.turns.openingUnanswered.add(key)
  }

  override restart(): void {
    super.restart()
    this.#watchers.lanes.restarted()
  }
}
