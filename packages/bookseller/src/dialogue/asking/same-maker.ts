// Whether a message asks for other works of the maker of the series that is talked about, whatever else it wishes for, and whether
// of the writer or of the artist.
import { isQuestion } from './fit-question.ts'

const MAKER =
  /同じ(?:作者|作家|漫画家|先生|人|方)|(?:この|その|あの)(?:作者|作家|漫画家|先生|絵の人|人の)|\b(?:same|that|this) (?:author|artist|writer|creator|mangaka|guy|man|woman|person|dude)\b|\b(?:author|artist|creator|writer|mangaka) (?:of|who (?:did|made|wrote|drew))\b|\bwhoever (?:made|wrote|drew)\b|\bby (?:him|her|them)\b|\b(?:of|from) (?:his|hers|theirs)\b|\b(?:has|have|did|does|didn['’]?t|hasn['’]?t) (?:he|she|they|the same \w+)(?: also| ever)? (?:done|made|do|make|drawn|written|write|draw)\b|\b(?:his|her) other\b|\bhas (?:he|she) done\b/iu
const OTHERS =
  /ほか|他に|他の|別の|もう(?:一|ひと|少し)|何か|なにか|短|長|ある|あり(?:ます|ませ)|\b(?:else|others?|another|more|anything|something|also)\b|\bdo (?:one|that|the|a)\b|\bdone\b/iu

export const asksSameMaker = (words: string): boolean => MAKER.test(words) && OTHERS.test(words)

const WHO = /作者(?:は|って|誰|だれ)|誰|だれ|\bwho\b/iu
const OTHER_WORKS = /ほか|他|別|もっと|同じ|other|else|also|more|another|same/iu
const ARTIST = /作画|絵(?:を|の|描)|画を|illustrat|artist|\bart\b|drew|draws/iu
const WRITER = /原作|脚本|ストーリー(?:を|の)|writer|wrote|story by/iu

/** Whether the words ask who made the series, and not which other series that person made. */
export const asksWho = (words: string): boolean => WHO.test(words) && !OTHER_WORKS.test(words)

export const partAsked = (words: string): 'any' | 'writer' | 'artist' =>
  ARTIST.test(words) ? 'artist' : WRITER.test(words) ? 'writer' : 'any'

const NAME_AGAIN =
  /(?:名前|題名|タイトル)(?:は|って|が|を)?(?:何|なん|もう一度|もういちど)?(?:だっけ|だったっけ|でしたっけ|でしたか|ですか|教え|忘れ|[?？])|(?:何|なん)(?:て|と)(?:いう|いった|いいました|言いました|言った|名前)|\b(?:called|name|title)\b.{0,12}\b(?:again|was it)\b|\bwhat(?:'s|s| is| was) (?:it|that(?: one)?|the \w+ one)(?:'s)? (?:called|name)/iu

/** Whether the words ask for the title again. */
export const asksName = (words: string): boolean => NAME_AGAIN.test(words)

const SAME =
  /同じ(?:作者|作家|漫画家|先生|人|方)(?:です|なん|な?の|か|が|の(?:作品|漫画)?(?:です|[?？])|[?？]|$)|\bsame (?:author|artist|writer|creator|mangaka|guy|man|woman|person|dude)(?: as| who| that|[?.]|$)|\bby the same\b/iu
const ELSEWHERE = /ほか|他|別|何か|なにか|ある|あり|短|長|\b(?:else|others?|another|more|anything|something|any)\b/iu

/** Whether two series have one maker, and not what else the maker has made. */
export const asksIfSame = (words: string): boolean => SAME.test(words) && !ELSEWHERE.test(words) && isQuestion(words)
