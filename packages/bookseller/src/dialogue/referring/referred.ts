// The series that a message refers to: by name, by place in the list, or as the one that is talked about.
import type { Reading, Referent } from '../../understanding/reading.ts'
import type { DialogueState } from '../state.ts'

type Known = Pick<DialogueState, 'list' | 'focus' | 'page' | 'talked'>

/** Words for several series, which mean those that the message itself names where it names several. */
const SEVERAL: ReadonlySet<Referent> = new Set(['both', 'all'])

/** Empty when the message refers to nothing that was shown. */
export function referred(
  { series, referents }: Pick<Reading, 'series' | 'referents'>,
  state: Known,
): readonly string[] {
  const named = series.flatMap(({ role, id }) => (role === 'title' && id !== undefined ? [id] : []))
  const single = referents.filter((referent) => !SEVERAL.has(referent))
  const own = [...new Set([...named, ...single.flatMap((referent) => pointedAt(referent, state))])]
  if (own.length > 1) return own
  const several = referents.filter((referent) => SEVERAL.has(referent))
  const pointed = [...new Set([...own, ...several.flatMap((referent) => pointedAt(referent, state))])]
  if (own.length === 0 || !several.includes('both')) return pointed
  // "X, and both of them": with what is talked about.
  return [...new Set([...own, ...state.focus, ...state.talked, ...state.list])].slice(0, 2)
}

/** The series that the message refers to; otherwise the current one, the series of the page, or the whole list. */
export function subjectOf(reading: Pick<Reading, 'series' | 'referents'>, state: Known): readonly string[] {
  const meant = referred(reading, state)
  if (meant.length > 0) return meant
  if (reading.series.some(({ role, id }) => role === 'title' && id === undefined)) return []
  if (state.focus.length > 0) return state.focus
  return state.list.length === 0 && state.page !== undefined ? [state.page] : state.list
}

function pointedAt(referent: Referent, known: Known): readonly string[] {
  const { list, focus, page } = known
  const first = focus[0]
  switch (referent) {
    case '1':
    case '2':
    case '3':
    case '4':
      return list.slice(Number(referent) - 1, Number(referent))
    case 'last':
      return list.slice(-1)
    case 'page':
      return page === undefined ? (first === undefined ? list.slice(0, 1) : [first]) : [page]
    case 'it':
      if (first !== undefined) return focus
      return page !== undefined && list.length === 0 ? [page] : list.slice(0, 1)
    case 'both':
      return bothOf(known)
    case 'all':
      return list
    case 'other':
      return otherOf(known)
  }
}

/** Two that are talked about, two that were shown, or the last two that were talked about. */
function bothOf({ list, focus, talked }: Known): readonly string[] {
  if (focus.length > 1) return focus
  const isShown = list.length === 2 && focus.every((id) => list.includes(id))
  return isShown || talked.length < 2 ? list.slice(0, 2) : talked.slice(0, 2)
}

function otherOf({ list, focus, talked }: Known): readonly string[] {
  const others = list.filter((id) => !focus.includes(id))
  if (focus.length === 0) return list.slice(1, 2)
  if (list.length === 2 && others.length === 1) return others
  const before = talked.filter((id) => !focus.includes(id)).slice(0, 1)
  return before.length > 0 ? before : others.slice(0, 2)
}
