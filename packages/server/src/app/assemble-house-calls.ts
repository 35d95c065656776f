// Assembles house calls and their users: probes of lanes until they serve again, proof that a model is available for
// deferred questions, and summaries.
import type { Config } from '#config/config.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { createModelReturn } from '#turn/deferred/model-return.ts'
import type { ModelReturn } from '#turn/deferred/model-return.ts'
import { createHealLane } from '#turn/house-calls/heal-lane.ts'
import { createHouseCall } from '#turn/house-calls/house-call.ts'
import type { MakeHouseCall } from '#turn/house-calls/house-call.ts'
import { createProbeLane } from '#turn/house-calls/probe-lane.ts'
import { isVendors } from '#turn/invocation/rung-context.ts'
import type { Rung } from '#turn/turn.ts'
import { createSummaries } from '#turn/summaries/summaries.ts'
import type { Summaries } from '#turn/summaries/summaries.ts'
import { createSummaryCap } from '#turn/summaries/summary-cap.ts'
import type { Ports } from './app-ports.ts'
import type { Costs } from './assemble-costs.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import { economyRung } from './ladder.ts'
import type { Ladder } from './ladder.ts'
import type { Round } from './upkeep.ts'

export interface HouseCalls {
  readonly houseCall: MakeHouseCall
  readonly modelReturn: ModelReturn
  readonly summaries: Summaries
  readonly rounds: readonly Round[]
}

export interface HouseCallsParts {
  readonly ladder: Ladder
  readonly costs: Costs
  readonly access: LaneAccess
  readonly settings: RunSettings
}

const HEAL_EVERY_MS = 500

export function createHouseCalls(
  ports: Ports,
  config: Config,
  { ladder, costs, access, settings }: HouseCallsParts,
): HouseCalls {
  const { budgets, clock, ledger, random, sessions, telemetry } = ports
  const { lanes, nodes, queue, rejections, typical } = access
  const { estimates, spending } = costs
  const houseCall = createHouseCall({
    clock,
    random,
    ledger,
    lanes,
    rejections,
    queue,
    estimates,
    spending,
    config,
    telemetry,
  })
  const rungs = ladder.whole
  const isAlone = ({ name }: Rung) =>
    !rungs.some((other) => other.name !== name && isVendors(other) && access.works(other))
  const probeLane = createProbeLane({ clock, telemetry, houseCall, config, typical, isAlone })
  const healLane = createHealLane({ clock, lanes, nodes, probeLane, rejections, settings })
  return {
    houseCall,
    modelReturn: createModelReturn({ clock, lanes, queue, rungs, probeLane, settings }),
    summaries: createSummaries({
      clock,
      sessions,
      telemetry,
      config,
      houseCall,
      capFor: createSummaryCap({ budgets, config }),
      estimates,
      rung: economyRung(config, ladder.names, ladder.rungs),
    }),
    // One for each, because a model that stays silent must not delay the probes of another.
    rounds: rungs.filter(isVendors).map((rung) => {
      return { name: 'heal-lanes', everyMs: HEAL_EVERY_MS, work: () => healLane(rung) }
    }),
  }
}
