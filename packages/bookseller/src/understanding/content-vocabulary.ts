// The words of shoppers for content that they may not want, by the keys of the catalogue. An asterisk stands for any ending.
import type { CONTENT_KEYS } from '../catalogue/catalogue.ts'

const WORDS: Readonly<Partial<Record<(typeof CONTENT_KEYS)[number], string>>> = {
  gore:
    'グロ、エログロ、むごい、むごたらし、えぐい、エグい、エグ、生々しい、血、血まみれ、血なまぐさ、血みどろ、血しぶき、血が、流血、残酷、残虐、スプラッタ、内臓、痛い、首が飛、拷問、死体、人食い、人を食べ、人が食べられ、人が食われ、カニバリズム、' +
    'gore、gory、gross、grossed、grisly、gruesome、disgusting、blood、bloody、guts、graphic、dismember*、decapitat*、behead*、mutilat*、body horror、torture*、cannibal*、corpses、slaughter*、splatter*',
  'violence-mild': '暴力、バイオレンス、殴、殴り合い、蹴ったり、叩いたり、violence、violent、punch*、kicking、hitting',
  'violence-strong':
    'むごい、むごたらし、暴力、バイオレンス、殺し、殺人、殺さ、血なまぐさ、血みどろ、殺戮、虐殺、惨殺、人が死、残酷、残虐、拷問、性暴力、刺され、首が飛、暴行、' +
    'violence、violent、killing、killings、brutal*、murder*、massacre*、stabbing*、slasher*、torture*、assault*、slaughter*、behead*、serial killer、serial killers',
  'sexual-mild':
    'エロ、エロい、えろい、えろく、エッチ、えっち、お色気、下ネタ、セクシー、性的、いやらし、スケベ、すけべ、パンチラ、ラッキースケベ、サービスシーン、下品、露出、巨乳、官能、濡れ場、ベッドシーン、18禁、成人向け、成年向け、アダルト、' +
    'ecchi、fan service、fanservice、sexy、sexual*、lewd*、perv*、nudity、raunchy、racy、saucy、horny、erotic*、panty、panties、dirty jokes、risque、sexualised、sexualized、steamy、smut*、porn*、indecent',
  'sexual-strong':
    'エロ、エロい、えろい、エッチ、えっち、性的、アダルト、性描写、性行為、レイプ、強姦、性暴力、性被害、濡れ場、ベッドシーン、官能、ポルノ、寝取られ、近親相姦、18禁、18歳未満、成人向け、成年向け、成人漫画、R18、R-18、NTR、' +
    'ecchi、sexual*、sex、explicit*、smut*、nsfw、rape、rapes、rapey、porn*、erotic*、hentai、bedroom scenes、sex scenes、r18、r 18、18+、18 rated、x rated、adult content、adult only、adults only、incest、non con、noncon、dubcon',
  nudity:
    'エロ、裸、全裸、半裸、ヌード、エッチ、お色気、脱ぐ、服が破れ、nudity、nude、nudes、naked、topless、boobs、ecchi、fan service、fanservice',
  frightening:
    '幽霊、お化け、おばけ、ゆうれい、怖、恐い、恐ろし、恐怖、怖い、こわい、こわく、こわさ、コワい、コワイ、不気味、ゾッと、ぞっと、トラウマ、悪夢、心霊、' +
    'ghost、ghosts、ghoul、ghouls、scary、scare、scares、scared、scarier、frighten*、creepy、creep、spooky、eerie、nightmare*、terrif*、jump scare、jump scares、disturbing',
  loss:
    '死別、人が死、死ぬ、死ん、死に、死な、死ネタ、お別れ、亡くな、余命、難病、不治の病、葬式、お葬式、' +
    'die、dead、death、deaths、dies、died、dying、deathbed*、grief、grieving、loss、mourning、funeral*、tragic、tragedy、tragedies、terminal illness、cancer',
  bullying:
    'いじめ、イジメ、虐め、苛め、仲間はずれ、仲間外れ、意地悪、いじわる、パワハラ、bully*、bullied、mean girls、harass*、hazing',
  suicide: '自殺、自死、自傷、リストカット、一家心中、無理心中、suicid*、self harm*、self injury',
  abuse:
    '虐待、毒親、毒母、dv、ネグレクト、モラハラ、家庭内暴力、性暴力、性被害、レイプ、子どもがひどい、子供がひどい、子どもが酷い、子供が酷い、子どもがつらい、子どもが被害、子どもが傷つ、' +
    'abuse、abused、abusive、abuser、rape、rapes、rapey、domestic violence、child neglect、toxic relationship*、kids suffering、kids getting hurt、children getting hurt、cruel to kids、child cruelty、kids in danger、kid in danger、grooming、incest',
  drugs: 'ドラッグ、麻薬、薬物、覚醒剤、drug、drugs、drug use、narcotics、cocaine、heroin',
  'alcohol-tobacco':
    'タバコ、たばこ、煙草、喫煙、お酒、飲酒、酔っ払、smoking、smoke、smokers、alcohol*、drinking、drunk、drunks、booze、cigarettes、cigarette',
  war: '戦争、せんそう、戦時、空襲、原爆、特攻、war、wars、wartime、world war、wwii、ww2、nazis、nazi、bombings',
  discrimination:
    '差別、女性蔑視、男尊女卑、racism、racist、sexism、sexist、homophob*、transphob*、discriminat*、slurs',
  'animal-death': 'ペットロス、animal cruelty、cruelty to animals、hurt animals、animal abuse、動物虐待',
  'strong-language':
    '汚い言葉、乱暴な言葉、言葉遣いが悪、言葉づかいが悪、暴言、swear、swears、swearing、profan*、bad language、bad words、curse words、cursing、strong language、foul language、dirty words、f bombs',
}

export const CONTENT_WORDS: ReadonlyMap<(typeof CONTENT_KEYS)[number], readonly string[]> = new Map(
  Object.entries(WORDS).map(([key, words]) => [key as (typeof CONTENT_KEYS)[number], words.split('、')]),
)
