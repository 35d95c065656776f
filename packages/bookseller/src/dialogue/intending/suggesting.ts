// A wish for series, with the reason why they are suggested now, and a title that the shop does not have.
import type { Reading } from '../../understanding/reading.ts'
import { relativeMeasures } from '../advance.ts'
import type { Intent, Occasion } from '../intent.ts'
import { pointsAtList } from '../asking/new-request.ts'
import { questOf } from '../quest.ts'
import type { Understood } from '../understood.ts'

export function recommending(understood: Understood): Intent {
  const { reading, state, before, words } = understood
  const missing = reading.series.find(({ role, id }) => role === 'like' && id === undefined)
  if (missing !== undefined && state.conditions.like.length === 0 && state.conditions.want.length === 0)
    return unstocked(understood, missing.text)
  // "Fewer" chooses from the shown list only if the count is smaller than the list.
  const isFewer = reading.changes.includes('fewer') && (reading.count ?? 1) < before.list.length
  const isAmong = reading.referents.includes('all') || pointsAtList(words) || isFewer
  if (isAmong && before.list.length > 1) {
    const measures = relativeMeasures(reading)
    if (measures.length > 0) return { kind: 'compare', ids: before.list, measures }
    const hasCondition = reading.want.length + reading.avoid.length + Object.keys(reading.limits).length > 0
    if (hasCondition) {
      const { seen: _, ...quest } = { ...questOf(understood), among: before.list, exclude: [] }
      return { kind: 'suggest', quest, occasion: 'among' }
    }
    if (reading.changes.includes('fewer')) return { kind: 'compare', ids: before.list, measures: ['better'] }
  }
  return { kind: 'suggest', quest: questOf(understood), occasion: occasionOf(understood) }
}

function occasionOf({ reading, state, before }: Understood): Occasion {
  if (reading.changes.includes('surprise')) return 'surprise'
  if (reading.series.some(({ role }) => role === 'like') && state.conditions.like.length > 0) return 'like'
  if (state.compared !== undefined && before.list.length > 0) return 'compared'
  if (reading.changes.includes('others') && before.list.length > 0) return 'others'
  return state.conditions.like.length > 0 && reading.want.length === 0 ? 'like' : 'wish'
}

/** 「農業高校のやつ」, "the one with the alien mothership". */
const DESCRIBES =
  /(?:やつ|ヤツ|のほう|の方|の話|のお話)$|\p{Script=Han}の$|^the (?:\S+ ){0,4}(?:one|ones)\b|^(?:that|the) (?:story|manga|series) (?:with|about|where)/iu

export const unstockedName = ({ series }: Reading): string | undefined =>
  series.find(({ role, id }) => id === undefined && (role === 'title' || role === 'like'))?.text

/** A name that the shop does not have; words that describe a series instead of naming it are searched. */
export function unstocked(understood: Understood, name: string): Intent {
  if (DESCRIBES.test(name.trim()))
    return { kind: 'identify', quest: { ...questOf(understood, { isPlot: true }), text: name } }
  return { kind: 'unstocked', name, quest: { ...questOf(understood), text: name } }
}
