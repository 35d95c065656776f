// Content notes, moods and genres in Japanese, in the words of a bookseller.
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { LineOf } from '../lines.ts'
import { isMild, mainContent } from '../content-order.ts'
import type { ContentKey } from '../content-order.ts'
import { japanese } from './words.ts'

const { title } = japanese

const CONTENT: Readonly<Record<ContentKey, string>> = {
  'violence-mild': '軽い暴力の場面',
  'violence-strong': '激しい暴力の場面',
  gore: '流血などの残酷な場面',
  'sexual-mild': '軽い性的な描写',
  'sexual-strong': 'はっきりした性描写',
  nudity: '裸の描写',
  frightening: '怖い場面',
  loss: '大切な人が亡くなる場面',
  bullying: 'いじめの場面',
  suicide: '自死にふれる場面',
  abuse: '虐待の描写',
  drugs: '薬物の描写',
  'alcohol-tobacco': '飲酒や喫煙の場面',
  war: '戦争の場面',
  discrimination: '差別の描写',
  'strong-language': '乱暴な言葉づかい',
  'animal-death': '動物が死ぬ場面',
}

/** 「A」「AとB」「A、B、それにC」. */
export function contentInJapanese(keys: readonly ContentKey[]): string {
  const texts = keys.map((key) => CONTENT[key])
  const last = texts.at(-1) ?? ''
  if (texts.length < 2) return last
  return texts.length === 2 ? texts.join('と') : `${texts.slice(0, -1).join('、')}、それに${last}`
}

/** What to know of a series, as the end of a sentence. */
export function warningInJapanese(keys: readonly ContentKey[], max: number): string {
  const main = mainContent(keys, max)
  return isMild(main) ? `${contentInJapanese(main)}が少しあるくらいです` : `${contentInJapanese(main)}があります`
}

/** How a mood joins another one: 「ダークで泣ける」. */
const JOINING: Readonly<Record<string, string>> = {
  dark: 'ダークで',
  light: '気軽に読めて',
  funny: '笑えて',
  heartwarming: '心が温まって',
  tense: '緊迫感があって',
  sad: '泣けて',
  hopeful: '前向きになれて',
  epic: '壮大で',
  quiet: '静かで',
  stylish: 'スタイリッシュで',
  thoughtful: '考えさせられて',
  bittersweet: 'ほろ苦くて',
  thrilling: '熱くて',
  romantic: 'ときめきがあって',
  nostalgic: '懐かしくて',
  strange: '不思議で',
  gritty: '骨太で',
  cosy: 'のんびりしていて',
}

/** Before a noun: 「ダークで泣ける」. */
const moodsBeforeNoun = (keys: readonly string[]): string =>
  keys.map((key, at) => (at < keys.length - 1 && JOINING[key]) || labelOf(MOODS, key, 'ja')).join('')

const genresIn = (keys: readonly string[]): string => keys.map((key) => labelOf(GENRES, key, 'ja')).join('や')

/** Moods that make a shopper ask what to be ready for. */
const HEAVY: ReadonlySet<string> = new Set(['dark', 'sad', 'gritty'])

export function fitInJapanese({ product, has, content, genres, moods, age }: LineOf<'fit'>): readonly string[] {
  const own = product.content ?? []
  const name = title(product)
  if (has === undefined)
    return [
      `申し訳ありません、${name}にそうした場面があるかどうかは確認できておりません。`,
      `${name}の細かな描写までは、こちらではわかりかねます。`,
    ]
  const kind = product.genres.length === 0 ? '' : `${genresIn(product.genres.slice(0, 2))}を中心にした作品です。`
  const strong = mainContent(own, 2)
  const notes = strong.length === 0 || isMild(strong) ? '' : `${contentInJapanese(strong)}はあります。`
  if (content.length > 0) {
    const rest = mainContent(
      own.filter((key) => !content.includes(key)),
      2,
    )
    const more = rest.length === 0 || isMild(rest) ? '' : `ほかに、${contentInJapanese(rest)}もあります。`
    const without = content.map((key) => CONTENT[key]).join('や')
    const asked = contentInJapanese(mainContent(content, 3))
    return has
      ? [`はい、${name}には${asked}があります。${more}`, `はい、${name}には${asked}が出てきます。${more}`]
      : [
          `いいえ、${name}に${without}は特にありません。${notes === '' ? '' : `ただ、${notes}`}`,
          `いいえ、${name}なら${without}の心配はいらないと思います。${notes === '' ? '' : `ただ、${notes}`}`,
        ]
  }
  const warned =
    moods.some((key) => HEAVY.has(key)) || age !== undefined
      ? notes.replace(/はあります。$/u, has ? 'もあります。' : 'はあります。')
      : ''
  const felt = moodsBeforeNoun(moods)
  const about = genresIn(genres)
  if (!has)
    return felt === ''
      ? [
          `いいえ、${name}に${about}の要素はほとんどありません。${kind}`,
          `いいえ、${name}は${about}の作品ではありません。${kind}`,
        ]
      : [
          `いいえ、${name}は${felt}作品というわけではありません。${warned || kind}`,
          `いいえ、${name}は、あまり${felt}作品ではないと思います。${warned || kind}`,
        ]
  if (felt === '')
    return [
      `はい、${name}には${about}の要素があります。${warned}`,
      `はい、${name}では${about}もしっかり描かれています。${warned}`,
    ]
  const also = about === '' ? '' : `、${about}の要素もある`
  return [`はい、${name}は${felt}${also}作品です。${warned}`, `はい、${name}は、${felt}${also}一作です。${warned}`]
}
