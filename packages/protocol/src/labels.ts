// Names of the catalogue's keys in both languages, as labels: pages and cards show them. Labels inside sentences are the bookseller's.
import type { Localized } from './vocabulary.ts'

/** The genres of the bundled catalogue, the most common first. A genre that only one shop has is shown by its id. */
export const genreNames = {
  drama: { ja: 'ドラマ', en: 'Drama' },
  comedy: { ja: 'コメディ', en: 'Comedy' },
  action: { ja: 'アクション', en: 'Action' },
  romance: { ja: '恋愛', en: 'Romance' },
  'slice-of-life': { ja: '日常', en: 'Slice of life' },
  school: { ja: '学園', en: 'School' },
  'sci-fi': { ja: 'SF', en: 'Sci-fi' },
  historical: { ja: '歴史', en: 'Historical' },
  adventure: { ja: '冒険', en: 'Adventure' },
  supernatural: { ja: '怪異', en: 'Supernatural' },
  fantasy: { ja: 'ファンタジー', en: 'Fantasy' },
  thriller: { ja: 'サスペンス', en: 'Thriller' },
  sports: { ja: 'スポーツ', en: 'Sports' },
  psychological: { ja: '心理', en: 'Psychological' },
  'dark-fantasy': { ja: 'ダークファンタジー', en: 'Dark fantasy' },
  mystery: { ja: 'ミステリー', en: 'Mystery' },
  horror: { ja: 'ホラー', en: 'Horror' },
  crime: { ja: '犯罪', en: 'Crime' },
  survival: { ja: 'サバイバル', en: 'Survival' },
  music: { ja: '音楽', en: 'Music' },
  work: { ja: 'お仕事', en: 'Work' },
  'post-apocalyptic': { ja: '終末', en: 'Post-apocalyptic' },
  war: { ja: '戦争', en: 'War' },
  'time-travel': { ja: 'タイムトラベル', en: 'Time travel' },
  'martial-arts': { ja: '格闘', en: 'Martial arts' },
  cooking: { ja: '料理', en: 'Cooking' },
  samurai: { ja: '剣客', en: 'Samurai' },
  game: { ja: 'ゲーム・勝負', en: 'Games' },
  cyberpunk: { ja: 'サイバーパンク', en: 'Cyberpunk' },
  animals: { ja: '動物', en: 'Animals' },
  'boys-love': { ja: 'BL', en: 'Boys’ love' },
  medical: { ja: '医療', en: 'Medical' },
  mecha: { ja: 'ロボット', en: 'Mecha' },
  isekai: { ja: '異世界', en: 'Isekai' },
  yuri: { ja: '百合', en: 'Yuri' },
} as const satisfies Record<string, Localized>

export const readershipNames = {
  shounen: { ja: '少年', en: 'Shōnen' },
  shoujo: { ja: '少女', en: 'Shōjo' },
  seinen: { ja: '青年', en: 'Seinen' },
  josei: { ja: '女性', en: 'Josei' },
  kodomo: { ja: '児童', en: 'Children' },
} as const satisfies Record<string, Localized>

/** Price, volumes, status and stock of a series. `{n}` is a number, formatted for the language. */
export const productLabels = {
  pricePerVolume: { ja: '{n}円', en: '¥{n}' },
  perVolume: { ja: '／1冊', en: ' a volume' },
  volumes: { ja: '全{n}巻', en: '{n} vol(s)' },
  volumesOnSale: { ja: '{n}巻', en: '{n} vol(s)' },
  volumesSoFar: { ja: '既刊{n}巻', en: '{n} vol(s) so far' },
  completed: { ja: '完結', en: 'Completed' },
  running: { ja: '連載中', en: 'Ongoing' },
  hiatus: { ja: '休載中', en: 'On hiatus' },
  inStock: { ja: '在庫あり', en: 'In stock' },
  fewLeft: { ja: '残り{n}点', en: 'Only {n} left' },
  outOfStock: { ja: '在庫なし', en: 'Out of stock' },
} as const satisfies Record<string, Localized>
