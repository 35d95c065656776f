// The Japanese wording of every line.
import { FACT_LINES } from './ja/facts.ts'
import { PICKS } from './ja/picks.ts'
import { SERVICE } from './ja/service.ts'
import { TALK_LINES } from './ja/talk.ts'
import type { Wording } from './lines.ts'

export { offerInJapanese } from './ja/talk.ts'

export const JA: Wording = { ...PICKS, ...FACT_LINES, ...SERVICE, ...TALK_LINES }
