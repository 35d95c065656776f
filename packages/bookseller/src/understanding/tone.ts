// Recognises messages that are no question: abuse, distress, or an attempt to override our instructions.
import type { Tone } from './ask.ts'
import type { Utterance } from './utterance.ts'

const TONES: readonly (readonly [Tone, RegExp])[] = [
  [
    'distress',
    /自殺したい|死にたい|消えてしまいたい|生きていたくない|生きるのがつらい|\b(?:i (?:just )?(?:want|wanna) (?:to )?die(?! laughing)|kill myself|end my life|suicidal|don't want to live)\b/u,
  ],
  [
    'abuse',
    /死ね|くたばれ|殺すぞ|ぶっ殺|バカ野郎|馬鹿野郎|クソ(?:ボット|野郎|が)|\b(?:fuck (?:you|off)|go to hell|piss off|shut up|drop dead|you(?:'re| are) (?:an? )?(?:idiot|moron|stupid|useless))\b/u,
  ],
  [
    'override',
    /\b(?:ignore|disregard|forget) (?:all |any |your |the |my )*(?:previous |prior |above |earlier )?(?:instructions?|rules|prompts?)\b|(?:指示|命令|ルール|プロンプト)(?:は|を)?(?:すべて|全て|全部)?(?:無視|忘れ)|\bsystem prompt\b|システムプロンプト/u,
  ],
]

export function readTone({ folded }: Utterance): Tone | undefined {
  return TONES.find(([, said]) => said.test(folded))?.[0]
}
