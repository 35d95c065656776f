// What a message asks after a list was shown: a request of its own, a refinement of the one before, or a choice from the list.
// Read by the trained model, over the catalogue that comes with the program.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { NEVER } from '#lib/async/never.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'

const searches = await wireSearches({})
after(() => searches[Symbol.dispose]())

type Row = readonly [before: string, says: string]

const NEW: readonly Row[] = [
  ['ラブコメのおすすめは？', '泣ける完結作を3つ'],
  ['異世界ファンタジーを教えて', '泣ける完結作を3つ教えてください'],
  ['ホラー漫画のおすすめを教えて', '癒やされる漫画を2つお願いします'],
  ['スポーツ漫画を教えて', '大人向けの恋愛漫画を3作品'],
  ['SFが読みたい', 'おすすめの料理漫画を教えて'],
  ['ミステリーのおすすめある？', 'おすすめの泣ける漫画を教えて'],
  ['歴史ものを教えて', '笑える短編を3つ挙げて'],
  ['ホラー漫画のおすすめを教えて', '10巻以内で読める泣ける作品を3つ紹介して'],
  ['進撃の巨人みたいな漫画ある？', '心温まる家族ものを3つ'],
  ['進撃の巨人みたいな漫画ある？', '切ない作品を2作品教えて'],
  ['音楽漫画のおすすめは？', '次は泣ける名作を三つお願い'],
  ['バトル漫画のおすすめは？', '静かで癒される完結済みの漫画を4つ'],
  ['百合漫画を教えて', '感動する漫画のおすすめを3つください'],
  ['ファンタジーのおすすめは？', 'ほのぼのした漫画を一つ教えて'],
  ['サッカー漫画ある？', '元気が出る作品をいくつか紹介してください'],
  ['ジャンプのバトル漫画を教えて', '泣ける少女漫画を3つ'],
  ['ラブコメのおすすめは？', 'ダークな作品のおすすめを教えてください'],
  ['ホラー漫画のおすすめを教えて', '泣ける漫画が読みたい'],
  ['recommend a horror manga', 'three finished tearjerkers please'],
  ['recommend a horror manga', 'give me three heartwarming series'],
  ['Looking for fantasy', 'Can you recommend two sad manga?'],
  ['something like Attack on Titan', 'three cosy slice-of-life series, please'],
  ['sports manga please', 'Recommend me a funny manga'],
  ['I want a romance', 'suggest three dark thrillers'],
  ['mystery manga?', 'Could you suggest two uplifting series for a rainy day'],
  ['sci-fi please', 'What are three good tearjerkers?'],
  ['cooking manga please', "I'd like four short heartwarming manga"],
  ['anything by Junji Ito?', 'two relaxing series please'],
  ['a good isekai?', 'list three sad finished series'],
  ['historical manga please', 'What heartwarming manga do you recommend?'],
  ['recommend a horror manga', 'short heartwarming manga please'],
]

const REFINED: readonly Row[] = [
  ['ラブコメのおすすめは？', 'もっと短いのは？'],
  ['ホラー漫画のおすすめを教えて', '完結してるやつを3つ'],
  ['ホラー漫画のおすすめを教えて', '泣けるのがいい'],
  ['ホラー漫画のおすすめを教えて', '10巻以内でお願いします'],
  ['スポーツ漫画を教えて', 'もう少し泣けるのを3つ'],
  ['スポーツ漫画を教えて', '泣けるやつだけ見せて'],
  ['SFが読みたい', '候補を3つ挙げて、完結しているもので'],
  ['ファンタジーのおすすめは？', '同じ条件で泣けるものを3つ'],
  ['ファンタジーのおすすめは？', 'でも暗い作品は苦手'],
  ['ファンタジーのおすすめは？', '他に3つ教えて'],
  ['百合漫画を教えて', '完結している作品がいい'],
  ['百合漫画を教えて', 'もっと泣ける作品を3つ'],
  ['音楽漫画のおすすめは？', '在庫があるものだけ3つ'],
  ['recommend a horror manga', 'three more please'],
  ['recommend a horror manga', 'something shorter'],
  ['recommend a horror manga', 'three shorter ones please'],
  ['Looking for fantasy', 'without romance please'],
  ['sports manga please', 'but sadder'],
  ['sports manga please', 'under ten volumes please'],
  ['sports manga please', 'two or three you actually have in stock'],
  ['sci-fi please', 'same but finished, three please'],
  ['mystery manga?', 'finished series only, three please'],
]

const CHOSEN: readonly Row[] = [
  ['ラブコメのおすすめは？', 'その中で完結しているのは？'],
  ['ラブコメのおすすめは？', 'この3つの中で泣けるのはどれ？'],
  ['ラブコメのおすすめは？', 'その中から大人向けを2つ選んで'],
  ['歴史ものを教えて', '1つに絞って'],
  ['歴史ものを教えて', '一番泣けるのを1つだけ選んで'],
  ['recommend a horror manga', 'only the finished ones'],
  ['recommend a horror manga', 'of these, which is the saddest?'],
  ['Looking for fantasy', 'which of those is finished?'],
  ['Looking for fantasy', 'just two of them, the sad ones'],
  ['sci-fi please', 'narrow it down to one'],
  ['I want a romance', 'three sad ones from that list'],
]

interface Asked {
  readonly before: Grounding
  readonly now: Grounding
  /** The ids that were shown before. */
  readonly list: readonly string[]
  readonly text: string
}

async function ask([first, second]: Row): Promise<Asked> {
  const history: StoredTurn[] = []
  const say = (message: string) => {
    const language = detectLanguage(message)
    return searches.lookUp.find({ message, language, interfaceLanguage: language, history, limit: 5 }, NEVER)
  }
  const before = await say(first)
  const { text, cards, suggestions } = compose(before, before.language)
  const list = cards.map(({ product }) => product.id)
  assert.ok(list.length > 1, `${first} shows ${list.join(', ')}`)
  history.push({
    turnId: 'first',
    question: first,
    answer: text,
    language: before.language,
    finishReason: 'stop',
    tier: 'embedded',
    productIds: list,
    suggestions,
    at: 0,
  })
  const now = await say(second)
  return { before, now, list, text: compose(now, now.language).text }
}

const questOf = ({ intent }: Grounding) => ('quest' in intent ? intent.quest : undefined)
/** What was wished for, as words, series and people. */
function wishOf(grounding: Grounding): readonly string[] {
  const { want, like, by, publishedIn } = questOf(grounding)?.conditions ?? grounding.state.conditions
  return [...want.map(({ text }) => text), ...like, ...by, ...publishedIn]
}

for (const row of NEW)
  test(`a request of its own: ${row.join(' / ')}`, async () => {
    const { before, now } = await ask(row)
    const [quest, earlier] = [questOf(now), wishOf(before)]
    assert.equal(now.intent.kind, 'suggest')
    assert.deepEqual([quest?.among, quest?.compared, quest?.seen], [undefined, undefined, undefined])
    assert.ok((quest?.conditions.want.length ?? 0) > 0, 'it has a wish')
    assert.deepEqual(
      wishOf(now).filter((wish) => earlier.includes(wish)),
      [],
      'nothing of the earlier wish',
    )
  })

for (const row of REFINED)
  test(`a refinement: ${row.join(' / ')}`, async () => {
    const { before, now } = await ask(row)
    assert.equal(now.intent.kind, 'suggest')
    assert.equal(questOf(now)?.among, undefined, 'the whole shop is searched')
    const after = wishOf(now)
    assert.deepEqual(
      wishOf(before).filter((wish) => !after.includes(wish)),
      [],
      'all of the earlier wish',
    )
  })

for (const row of CHOSEN)
  test(`a choice from the list: ${row.join(' / ')}`, async () => {
    const { now, list } = await ask(row)
    const { intent } = now
    const among = intent.kind === 'compare' ? intent.ids : questOf(now)?.among
    assert.deepEqual(among, list)
  })

test('a request names how many, and whether they are finished', async () => {
  const { now } = await ask(['a good isekai?', 'suggest two sad finished series'])
  assert.deepEqual([questOf(now)?.count, now.products.every(({ status }) => status === 'completed')], [2, true])
})

test('a dislike and an age hold for a new request, too', async () => {
  const { now } = await ask(['10歳の子に冒険もの。怖いのはだめ', '泣ける作品を3つ'])
  const { avoid, limits } = questOf(now)?.conditions ?? {}
  assert.deepEqual([avoid?.map(({ text }) => text), limits?.age], [['怖い'], 10])
})

test('where none of those shown meets the wish, the answer says so', async () => {
  const { now, list, text } = await ask(['recommend a horror manga', 'three sad ones from that list'])
  assert.ok(now.products.every(({ id }) => !list.includes(id)))
  assert.match(text, /^(?:None of those fits|Not among those)/)
})

interface Kept {
  readonly like?: readonly string[]
  readonly age?: number
  readonly totalYenMax?: number
}
const NEPHEW = '10歳の甥っ子に3000円以内でプレゼントしたい'
const NIECE = 'A gift for my 10 year old niece, under 3000 yen'
const OF_CHILD: Kept = { age: 10, totalYenMax: 3000 }

const OTHER_READER: readonly (readonly [...Row, Kept])[] = [
  ['進撃の巨人が好きなんだけど、次に読むもの何かない？', NEPHEW, OF_CHILD],
  ['鬼滅の刃みたいな漫画ある？', '友人への誕生日プレゼントを5000円以内で', { totalYenMax: 5000 }],
  [NEPHEW, '今度は父へのプレゼントを5000円以内で探しています', { totalYenMax: 5000 }],
  ['I just finished Death Note and loved it. What next?', NIECE, OF_CHILD],
  ['something like Naruto', 'a birthday present for my best friend, max 5000 yen', { totalYenMax: 5000 }],
  [NIECE, 'a present for my best friend, max 5000 yen', { totalYenMax: 5000 }],
]
const OTHER_SERIES: readonly (readonly [...Row, Kept])[] = [
  [NEPHEW, 'SPY×FAMILYみたいで、もっと暗いの', { like: ['spy-x-family'] }],
  [NEPHEW, '鬼滅の刃みたいな漫画ある？', { like: ['kimetsu-no-yaiba'] }],
  [NIECE, 'something like Spy x Family but darker', { like: ['spy-x-family'] }],
  [NIECE, 'Manga similar to Naruto?', { like: ['naruto'] }],
  [NIECE, 'something like Naruto for my niece', { like: ['naruto'], ...OF_CHILD }],
]
const SAME_READER: readonly (readonly [...Row, Kept])[] = [
  [NEPHEW, 'もう少し安いのは？', OF_CHILD],
  [NEPHEW, '2000円以内だと？', { age: 10, totalYenMax: 2000 }],
  [NIECE, 'under 2000 yen?', { age: 10, totalYenMax: 2000 }],
  [NIECE, 'something cheaper?', OF_CHILD],
  [NIECE, 'she likes things like Naruto', { like: ['naruto'], ...OF_CHILD }],
  ['鬼滅の刃みたいな漫画ある？', '大人向けで', { like: ['kimetsu-no-yaiba'] }],
  ['something like Naruto', 'for adults please', { like: ['naruto'] }],
]

for (const [rows, about] of [
  [OTHER_READER, 'a request for another reader'],
  [OTHER_SERIES, 'a request from another series'],
  [SAME_READER, 'the same reader and series'],
] as const)
  for (const [first, second, { like = [], ...limits }] of rows)
    test(`${about}: ${first} / ${second}`, async () => {
      const { now } = await ask([first, second])
      const conditions = questOf(now)?.conditions
      const { age, totalYenMax } = conditions?.limits ?? {}
      assert.deepEqual(
        [conditions?.like, { age, totalYenMax }],
        [like, { age: limits.age, totalYenMax: limits.totalYenMax }],
      )
    })

test('a request from another series names it and how others should differ, and is compared with it', async () => {
  const { now, text } = await ask([NIECE, 'something like Spy x Family but darker'])
  assert.deepEqual(questOf(now)?.compared, { measures: ['darker'], than: ['spy-x-family'] })
  assert.match(text, /^For something like \[Spy x Family\]\S* but darker, try /)
})

test('what was compared for one reader is not compared for another', async () => {
  const { now } = await ask(['進撃の巨人みたいで、もっと短い漫画ある？', NEPHEW])
  assert.equal(questOf(now)?.compared, undefined)
})
