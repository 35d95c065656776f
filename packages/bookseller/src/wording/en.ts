// The English wording of every line.
import { FACT_LINES } from './en/facts.ts'
import { PICKS } from './en/picks.ts'
import { SERVICE } from './en/service.ts'
import { TALK_LINES } from './en/talk.ts'
import type { Wording } from './lines.ts'

export { offerInEnglish } from './en/talk.ts'

export const EN: Wording = { ...PICKS, ...FACT_LINES, ...SERVICE, ...TALK_LINES }
