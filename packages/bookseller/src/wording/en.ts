// The English wording of every line.
import { EN_FACTS } from './en/facts.ts'
import { EN_PICKS } from './en/picks.ts'
import { EN_SEVERAL } from './en/several.ts'
import { EN_SERVICE } from './en/service.ts'
import { EN_TALK } from './en/talk.ts'
import type { Wording } from './lines.ts'

export { followUpInEnglish } from './en/talk.ts'

export const EN: Wording = { ...EN_PICKS, ...EN_FACTS, ...EN_SEVERAL, ...EN_SERVICE, ...EN_TALK }
