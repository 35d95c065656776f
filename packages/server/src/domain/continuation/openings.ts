// Phrases that open an answer and hardly ever continue one: remarks about the answer itself, thanks and apologies, yes or no,
// hedges, questions back, the shopper's situation repeated. Generic phrases of courtesy, not those of a particular model.

const TALK_JA =
  /^[（(\s]*(?:それは)?(?:続き|つづき|(?:先|さき)ほど|途中で|失礼|お待たせ|改めて|あらためて|もう一度|再度|申し訳|すみません|恐れ入り|あいにく|ありがとう|ご(?:質問|相談|連絡|依頼)(?:あり|いただ|の件|に(?:お答え|つい))|お(?:問い合わせ|尋ね)(?:あり|いただ|の件|に(?:お答え|つい))|お答え|ご(?:不便|迷惑|心配)|承知|了解|かしこまり|こんにち|こんばん|いらっしゃい|はい|いいえ|いえ、|そうですね|もちろん|残念|誠に|大変|まず|人(?:それぞれ|によ)|個人的|いくつか|いろいろ|たくさん|おすすめ[はな])/u
const TALK_EN =
  /^[(\s]*(?:continu(?:ed|ing)|as i was|where i left|to continue|picking up|here(?:’|'| i)s|let me|sorry|apologies|i apologi[sz]e|i(?:’|'| a)m (?:sorry|afraid)|my (?:apologies|pick|favou?rite)|thank|thanks|sure|certainly|of course|absolutely|yes|yep|yeah|no|nope|not? (?:really|at all|directly)|unfortunately|hi|hello|hey|okay|ok|great|good (?:question|news)|happy to|glad to|it depends|that depends|depends|honestly|personally|in short|ask|try|check|start with|i(?:’|'| woul)d)(?![\p{L}])/iu
/** The first sentence repeats or questions what the shopper said, hedges, or is an exclamation or a short heading. */
const SAID_BACK_JA = /^[^。！？!?\n]{0,40}(?:ですね|ますね|でしょうか|ますか|ですか)[。！？!?]/u
const HEDGE_JA = /^[^、。\n]{1,14}(?:です|ます|せん)が、/u
const SUGGESTION_JA = /^[^、。\n]{1,20}でしょう。/u
const ASKS_BACK_JA = /(?:ますか|ですか|でしょうか)[。？?]/u
const EXCLAMATION = /^(?:[^\s.!?]+\s){0,4}[^\s.!?]+!(?:\s|$)/u
const HEADING = /^\p{Lu}(?:[^\s.,:]+\s){1,4}[^\s.,:]+:\s/u
const QUESTION = /^(?:could|can|would|have|do|did|are|is|what|which|how|may)\s[^.!?\n]{0,120}\?/iu

const OPENINGS = [TALK_JA, TALK_EN, SAID_BACK_JA, HEDGE_JA, SUGGESTION_JA, ASKS_BACK_JA, EXCLAMATION, QUESTION]

export function opensAnAnswer(text: string): boolean {
  return OPENINGS.some((opening) => opening.test(text))
}

/** "Three main benefits: …" at the beginning of a sentence. */
export function isHeading(text: string): boolean {
  return HEADING.test(text)
}
