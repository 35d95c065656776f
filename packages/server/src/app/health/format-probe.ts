// The request of a format probe, and the judgement of the answer. Used at intervals by `model-probes.ts`, and once by the
// live check of `doctor`.
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { textMessage } from '#domain/model/model-message.ts'
import type { ModelPart } from '#domain/model/model-part.ts'
import { judgeProbe } from '#domain/model/probe.ts'
import type { ProbeVerdict } from '#domain/model/probe.ts'

const SYSTEM = 'You are being checked. Answer in a few words.'
const MESSAGES = [textMessage('user', 'Say hello.')] as const
const INPUT_TOKENS = genericCounter.prompt({ system: SYSTEM, messages: MESSAGES })

export const FORMAT_PROBE = {
  system: SYSTEM,
  messages: MESSAGES,
  grounding: UNGROUNDED,
  language: 'en',
  temperature: 0,
} as const

/** `undecodableEvents` are those of the model since the last probe. */
export function judgeFormat(
  parts: readonly ModelPart[],
  { outputTokensMax, undecodableEvents }: { readonly outputTokensMax: number; readonly undecodableEvents: number },
): ProbeVerdict {
  return judgeProbe({ parts, inputTokensEstimated: INPUT_TOKENS, outputTokensMax, undecodableEvents })
}
