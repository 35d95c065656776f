// The Japanese wording of every line.
import { JA_FACTS } from './ja/facts.ts'
import { JA_PICKS } from './ja/picks.ts'
import { JA_SEVERAL } from './ja/several.ts'
import { JA_SERVICE } from './ja/service.ts'
import { JA_TALK } from './ja/talk.ts'
import type { Wording } from './lines.ts'

export { followUpInJapanese } from './ja/talk.ts'

export const JA: Wording = { ...JA_PICKS, ...JA_FACTS, ...JA_SEVERAL, ...JA_SERVICE, ...JA_TALK }
