// Reports what routing would save while it is off. Prints nothing for a shop that would save nothing.
import { commandLine } from '#config/installation.ts'
import type { Configured } from '#wiring/configure.ts'
import { StartError } from '#wiring/start-error.ts'
import { pricedLadderOf, proposeHere, savingText } from '../route/proposal.ts'
import type { Finding } from './checks.ts'

export async function checkRouting(configured: Pick<Configured, 'config' | 'readBook'>): Promise<Finding[]> {
  const check = 'routing'
  try {
    const proposal = await proposeHere(await pricedLadderOf(configured), configured.config)
    if (proposal === undefined) return []
    const { levels, setting } = proposal
    const byModel = Map.groupBy(Object.entries(levels), ([, name]) => name)
    const first = [...byModel].map(([name, of]) => `${name} for ${of.map(([level]) => level).join(' and ')} questions`)
    return [
      {
        check,
        ok: true,
        detail: `off; it would save ${savingText(proposal)}, with ${first.join(' and ')}`,
        fix: `Set ${setting}; ${commandLine('route --replay')} then shows the figures behind it.`,
      },
    ]
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [{ check, ok: true, isWarning: true, detail: error.message, fix: 'Install the program again.' }]
  }
}
