// What routing would save here, as `init` and `doctor` propose it: over the turns in DATA_DIR, or over those that come with the program.
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import type { Config } from '#config/config.ts'
import { ladderNames } from '#domain/model/ladder-names.ts'
import { proposeRouting } from '#domain/routing/propose-routing.ts'
import type { PricedLadder, RoutingProposal } from '#domain/routing/propose-routing.ts'
import { readBundledTurns } from '#wiring/bundled-turns.ts'
import type { Configured } from '#wiring/configure.ts'
import { areRecordsInFiles, openStoredRecords } from '#wiring/profiles/stored-records.ts'
import type { StoredRecords } from '#wiring/profiles/stored-records.ts'
import { thousands, usd } from '../usage/print.ts'

export async function pricedLadderOf({
  config,
  readBook,
}: Pick<Configured, 'config' | 'readBook'>): Promise<PricedLadder> {
  const book = await readBook()
  return {
    routing: config.routing,
    ladder: ladderNames(config),
    priceOf(name) {
      const model = config.models[name]
      return model === undefined || model.provider === 'embedded' ? undefined : book.factsOf(model)?.price
    },
  }
}

/** Without a configuration, or where the turns are not in DATA_DIR, the bundled ones are used. Throws a StartError. */
export async function proposeHere(
  priced: PricedLadder,
  config: Config | undefined,
): Promise<RoutingProposal | undefined> {
  using stored = config === undefined ? undefined : readableRecords(config)
  return await proposeRouting(priced, {
    bundled: () => readBundledTurns(),
    ...(stored === undefined ? {} : { recorded: stored.records.all({ kind: 'chat' }) }),
  })
}

function readableRecords(config: Config): StoredRecords | undefined {
  if (!areRecordsInFiles(config)) return undefined
  try {
    return openStoredRecords(config)
  } catch (error) {
    // Damaged, or of another version: `doctor` says so under another name.
    if (error instanceof DataDirError) return undefined
    throw error
  }
}

/** `48 % over the last 1,204 turns of this shop ($4.62 instead of $8.90)`. */
export function savingText({ ladderMicroUsd, routedMicroUsd, saved, source, turns }: RoutingProposal): string {
  const share = `${Math.round(saved * 100)} %`
  if (source === 'bundled') return `${share} over ${thousands(turns)} bundled turns`
  return `${share} over the last ${thousands(turns)} turns of this shop ($${usd(routedMicroUsd)} instead of $${usd(ladderMicroUsd)})`
}
