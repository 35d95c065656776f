// The address and the hours of a desk that no shop has configured yet. The hours belong to that address: a shop with an address of its
// own that names no hours has none.
import { DAYS } from '@mangaassist/protocol'
import type { DeskHours, Language } from '@mangaassist/protocol'

/** The names of days in settings. */
export const DESK_DAYS = DAYS

export const PLACEHOLDER_CONTACT: Readonly<Record<Language, string>> = {
  ja: 'サポート窓口 support@shop.example（10:00〜21:00）',
  en: 'our support desk, support@shop.example (10:00–21:00 JST)',
}

const PLACEHOLDER_HOURS: readonly DeskHours[] = [{ days: [...DAYS], from: '10:00', to: '21:00' }]

export function hoursOf({
  contact,
  desk,
}: {
  readonly contact: Readonly<Record<Language, string>>
  readonly desk: { readonly hours?: readonly DeskHours[] }
}): readonly DeskHours[] {
  const isPlaceholder = contact.ja === PLACEHOLDER_CONTACT.ja && contact.en === PLACEHOLDER_CONTACT.en
  return desk.hours ?? (isPlaceholder ? PLACEHOLDER_HOURS : [])
}
