// The shop's desk: the people who answer when a shopper asks for one. A part of `config.ts`.
import Type from 'typebox'
import { DESK_DAYS } from '#domain/desk/placeholder.ts'
import { section } from './section.ts'

const Time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'a time such as 09:30' })
const HOURS_MAX = 21

export const DeskShape = section({
  /** How the desk is called in the chat. */
  name: Type.Object({ ja: Type.String(), en: Type.String() }, { additionalProperties: false }),
  /**
   * When it answers, in `store.timeZone`: `to` at or before `from` is on the next day. Default: shoppers see no hours but those in
   * `store.contact`.
   */
  hours: Type.Optional(
    Type.Array(
      section({ days: Type.Array(Type.Enum([...DESK_DAYS]), { minItems: 1, maxItems: 7 }), from: Time, to: Time }),
      {
        maxItems: HOURS_MAX,
      },
    ),
  ),
})

export const deskDefaults = {
  name: { ja: 'サポート窓口', en: 'Support desk' },
}
