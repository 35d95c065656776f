// The shop's desk as shoppers see it, in the chat and on the support page: how it is called and reached, and when it answers.
import type { DeskView, Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { deskTimes } from '#domain/desk/opening-hours.ts'
import { hoursOf } from '#domain/desk/placeholder.ts'
import { isoTime } from '#lib/time/iso-time.ts'

export function deskView(store: Config['store'], now: number, language: Language): DeskView {
  const { contact, desk, timeZone } = store
  const hours = hoursOf(store)
  const times = deskTimes(hours, now, timeZone)
  const { changesAt, isOpen } = times ?? {}
  return {
    name: desk.name[language],
    contact: contact[language],
    timeZone,
    hours: hours.map((some) => ({ ...some, days: [...some.days] })),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(changesAt === undefined ? {} : { [isOpen === true ? 'closesAt' : 'opensAt']: isoTime(changesAt) }),
  }
}
