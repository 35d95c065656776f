// Sums up a run or a comparison in one sentence for each policy: ours first, then the baselines.
import type { Figures } from '../fleet/fleet-run.ts'
import { duration, percent, ratio, whole } from './quantities.ts'

export interface HeadlineRun {
  readonly label: string
  readonly figures: Figures
}

const ORDER = ['ours', 'naive', 'reference', 'sdk']

export function headline(
  runs: readonly HeadlineRun[],
): readonly { readonly label: string; readonly sentence: string }[] {
  return runs
    .map(({ label, figures }) => ({ label, sentence: sentenceOf(figures) }))
    .toSorted((a, b) => rankOf(a.label) - rankOf(b.label))
}

// A label may continue after the policy's name.
function rankOf(label: string): number {
  const rank = ORDER.indexOf(label.split(' ', 1)[0] ?? '')
  return rank === -1 ? ORDER.length : rank
}

function sentenceOf({ amplification, goodput, recoveryMs, unanswered }: Figures): string {
  return [
    `peak ${ratio(amplification.peak)} attempts per arrival`,
    `${percent(goodput)} served in time during the faults`,
    recoveryText(recoveryMs),
    unanswered === 0 ? 'nobody left without an answer' : `${whole(unanswered)} left without an answer`,
  ].join(', ')
}

function recoveryText(recoveryMs: number | null): string {
  if (recoveryMs === null) return 'not back to normal within the run'
  return recoveryMs === 0 ? 'normal at the heal' : `back to normal ${duration(recoveryMs)} after the heal`
}
