// The series that a message refers to: by name, by place in the list, or as the one that is talked about.
import type { Reading, Referent } from '../understanding/reading.ts'
import type { DialogueState } from './state.ts'

type Known = Pick<DialogueState, 'list' | 'focus' | 'page'>

/** Empty when the message refers to nothing that was shown. */
export function referred(
  { series, referents }: Pick<Reading, 'series' | 'referents'>,
  state: Known,
): readonly string[] {
  const named = series.flatMap(({ role, id }) => (role === 'title' && id !== undefined ? [id] : []))
  const pointed = referents.flatMap((referent) => pointedAt(referent, state))
  return [...new Set([...named, ...pointed])]
}

/** Those, or else what is talked about, the page, or the whole list. */
export function subjectOf(reading: Pick<Reading, 'series' | 'referents'>, state: Known): readonly string[] {
  const meant = referred(reading, state)
  if (meant.length > 0) return meant
  if (reading.series.some(({ role, id }) => role === 'title' && id === undefined)) return []
  if (state.focus.length > 0) return state.focus
  return state.list.length === 0 && state.page !== undefined ? [state.page] : state.list
}

function pointedAt(referent: Referent, { list, focus, page }: Known): readonly string[] {
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
      return focus.length === 2 ? focus : list.length === 2 ? list : focus.length > 2 ? focus : list.slice(0, 2)
    case 'all':
      return list
    case 'other': {
      const others = list.filter((id) => !focus.includes(id))
      return focus.length === 0 ? list.slice(1, 2) : others.slice(0, list.length === 2 ? 1 : 2)
    }
  }
}
