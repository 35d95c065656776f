// Which questions cost a call of the model, in the whole app over the bundled catalogue and understanding: the same question typed
// otherwise costs nothing, and another question never gets its answer. Whether a call was made says which.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import type { Model } from '#ports/model/port.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { openBookshop } from '#fixtures/shop/bookshop.ts'
import { withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'

const vendor: Config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } }, ladder: ['primary'] }

async function openShop(config = vendor) {
  const clock = systemClock()
  const limits = config.answers
  let cache = memoryAnswerCache({ clock, limits })
  let script: readonly ModelStep[] = answering('はい。')
  let isSearchDown = false
  let calls = 0
  const model: Model = {
    id: 'primary-id',
    stream: (request) => ((calls += 1), scriptedModel(clock, script, 'primary-id').stream(request)),
  }
  const shop = await openBookshop({
    config,
    rewired: ({ answers, search }) => ({
      models: new Map([['primary', model]]),
      answers: withVerbs(answers, {
        find: (key) => cache.find(key),
        keep: (key, answer) => cache.keep(key, answer),
      }),
      search: withVerbs(search, {
        find: (...asked) => (isSearchDown ? Promise.reject(new Error('down')) : search.find(...asked)),
      }),
    }),
  })
  return {
    /** How many calls the first question of a new conversation costs. */
    async cost(message: string): Promise<number> {
      const before = calls
      await shop.ask(message)
      return calls - before
    },
    tierOf: async (message: string) => (await shop.ask(message)).done.tier,
    empty: () => void (cache = memoryAnswerCache({ clock, limits })),
    break: () => void (script = [failure('invalid')]),
    breakSearch: () => void (isSearchDown = true),
  }
}

const shop = openShop()

/** Each group is one question, as people type it. */
const ALIKE: readonly (readonly string[])[] = [
  [
    '完結している料理漫画を教えて',
    '完結している料理漫画を教えて！',
    '完結している料理漫画を教えて。',
    '完結している料理漫画を教えて？',
    ' 完結している料理漫画を教えて',
    '完結している料理漫画を教えて\n',
    '完結している料理漫画を教えてください',
    '完結している料理漫画を教えてください。',
    '完結している料理漫画を教えていただけますか？',
    '完結している料理漫画を 教えて',
  ],
  ['百合漫画を教えて', '百合漫画を教えて。', '百合漫画を教えて!'],
  [
    'completed cooking manga',
    'Completed Cooking Manga',
    'COMPLETED COOKING MANGA',
    'Completed cooking manga, please.',
    'completed  cooking manga!',
    'completed cooking manga?',
  ],
  [
    '鬼滅の刃は完結していますか？',
    '鬼滅の刃は完結していますか',
    '鬼滅の刃は完結してますか?',
    '鬼滅の刃は、完結してる？',
  ],
  [
    'ワンピースは何巻まで出ていますか',
    'ワンピースは何巻まで出ていますか？',
    'ワンピースは何巻まで出てますか？',
    'ONE PIECEは何巻まで出ていますか',
    'one pieceは 何巻まで出ていますか？',
    'ﾜﾝﾋﾟｰｽは何巻まで出ていますか',
  ],
  ['進撃の巨人は全巻でいくらですか？', '進撃の巨人は全巻でいくら？', '進撃の巨人は全巻でいくらでしょうか'],
  ['ハイキュー!!の作者は誰ですか', 'ハイキューの作者は誰？'],
  ['チェンソーマンの在庫はありますか？', 'チェンソーマンの在庫はある？', 'チェンソーマンの在庫はあります？'],
  ['ベルセルクの3巻はありますか', 'ベルセルクの三巻はありますか？', 'ベルセルクの３巻はありますか'],
  ['SPY×FAMILYは何歳から読めますか？', 'スパイファミリーは何歳から読めますか'],
  ['Is Frieren finished?', 'is frieren finished', 'IS FRIEREN FINISHED?'],
  ['How many volumes does Berserk have?', 'how many volumes does berserk have', 'How many volumes does Berserk have??'],
  ['Who is the author of Chainsaw Man?', 'who is the author of “Chainsaw Man”?', 'Who is the author of Chainsaw Man'],
  [
    'How much is the whole set of Slam Dunk?',
    'How much is the whole set of Slam Dunk',
    ' How much is the whole set of slam dunk?',
  ],
  [
    'Is volume 3 of Vinland Saga in stock?',
    'Is Volume 3 of Vinland Saga in stock',
    'Is volume three of Vinland Saga in stock?',
  ],
  ['Tell me about Monster', 'tell me about Monster.'],
  ['Tell me about Goodnight Punpun', 'Please tell me about Goodnight Punpun'],
  ['ヴィンランド・サガについて教えて', 'ヴィンランドサガについて教えてください'],
  ['鋼の錬金術師ってどんな漫画ですか？', '鋼の錬金術師ってどんなマンガですか', '鋼の錬金術師ってどんな漫画？'],
  ['ダンダダンの新刊はいくらですか？', 'ダンダダンの新刊はいくら', 'ダンダダンの新刊は、いくらでしょうか。'],
  [
    '予算5000円で完結した少年漫画を教えて',
    '予算5,000円で完結した少年漫画を教えて',
    '予算５０００円で完結した少年漫画を教えてください。',
  ],
  ['10巻以内で泣ける漫画', '10巻以内で泣ける漫画。', '十巻以内で泣ける漫画'],
  [
    '鬼滅の刃みたいな漫画を探しています',
    '鬼滅の刃みたいな漫画を探してます',
    '鬼滅の刃みたいな漫画を探しているんですが',
  ],
  ['Something like Berserk', 'something like berserk', 'Something like Berserk, please!'],
  [
    'Can you recommend a horror manga under 3000 yen?',
    'Can you recommend a horror manga under 3,000 yen?',
    'Please recommend a horror manga under 3000 yen',
  ],
  ['Recommend three sports manga', 'Recommend 3 sports manga', 'recommend three sports manga please'],
  ['funny manga without romance', 'Funny manga without romance', 'funny manga without romance!'],
  ['怖い漫画を3つ教えて', '怖い漫画を三つ教えてください'],
  ['ワンピースとナルトはどっちが長い？', 'ワンピースとナルトはどっちが長いですか', 'ワンピースとナルトはどっちが長い'],
  ['Which is longer, Naruto or Bleach?', 'which is longer, Naruto or Bleach', 'Which is longer: Naruto or Bleach?'],
  ['送料はいくらですか？', '送料はいくら？', '送料はいくらですか'],
  ['返品できますか', '返品できますか？', '返品できる？'],
  ['How much is shipping?', 'how much is shipping'],
  ['Can I return a book?', 'can i return a book', 'CAN I RETURN A BOOK?'],
  ['ギフトラッピングはできますか？', 'ギフトラッピングはできますか'],
  ['手塚治虫の作品を教えて', '手塚治虫の作品を教えてください'],
  ['Other manga by Naoki Urasawa', 'other manga by Naoki Urasawa.', 'Other manga by Naoki Urasawa, please'],
  ['ワンピースとナルト、両方全巻でいくら？', 'ワンピースとナルト、両方全巻でいくらですか？'],
]

/** Questions of which none may get the answer of another one in its group. */
const DIFFERENT: readonly (readonly string[])[] = [
  // What is denied.
  ['ホラーのある料理漫画を教えて', 'ホラーのない料理漫画を教えて'],
  ['恋愛ものの漫画を教えて', '恋愛もの以外の漫画を教えて'],
  ['BLはありますか', 'BLはありませんか'],
  ['BLはない？', 'BLはない'],
  ['恋愛なし、ホラーを教えて', '恋愛、なしホラーを教えて'],
  ['鬼滅の刃は完結していますか？', '鬼滅の刃は完結していませんか？'],
  ['funny manga with romance', 'funny manga without romance'],
  ['no romance please', 'No, romance please'],
  ['Is Frieren finished?', 'Is Frieren not finished?'],
  ['horror manga with gore', 'horror manga with no gore'],
  ['manga that is not sad', 'manga that is sad'],
  ['detective manga like Conan', 'detective manga other than Conan'],
  ['I want romance but no school', 'I want school but no romance'],
  ['グロくないホラー', 'グロいホラー'],
  ['動物が死ぬ漫画', '動物が死なない漫画'],
  ['manga -romance', 'manga romance', 'manga !romance'],
  ['恋愛× スポーツ漫画', '恋愛×スポーツ漫画'],
  ['a little romance, mostly adventure', 'little romance, mostly adventure'],
  // Numbers and volumes.
  ['ベルセルクの3巻はありますか', 'ベルセルクの4巻はありますか', 'ベルセルクの13巻はありますか'],
  ['ワンピースの1-3巻はいくら', 'ワンピースの13巻はいくら', 'ワンピースの1、3巻はいくら'],
  [
    'Is volume 3 of Vinland Saga in stock?',
    'Is volume 30 of Vinland Saga in stock?',
    'Is volume four of Vinland Saga in stock?',
  ],
  ['怖い漫画を3つ教えて', '怖い漫画を2つ教えて'],
  ['recommend three sports manga', 'recommend two sports manga'],
  ['10巻以内で泣ける漫画', '20巻以内で泣ける漫画', '10巻以上で泣ける漫画'],
  ['鋼の錬金術師の最新刊はいくら', '鋼の錬金術師の最初の巻はいくら'],
  ['90年代の漫画を教えて', '80年代の漫画を教えて'],
  ['manga from the 90s', 'manga from the 80s'],
  ['18+ manga', '18 manga'],
  // Prices.
  ['予算5000円で完結した少年漫画を教えて', '予算500円で完結した少年漫画を教えて'],
  ['3000円以内の漫画を教えて', '3000円以上の漫画を教えて', '3000円の漫画を教えて'],
  ['3000円〜の漫画を教えて', '〜3000円の漫画を教えて'],
  ['horror manga under 3000 yen', 'horror manga over 3000 yen', 'horror manga under 300 yen'],
  ['manga for 1,500 yen', 'manga for 15,000 yen'],
  // Another series, or the same in another role.
  ['鬼滅の刃は完結していますか？', '呪術廻戦は完結していますか？'],
  ['ワンピースは何巻まで出ていますか', 'ワンパンマンは何巻まで出ていますか'],
  ['Is Naruto finished?', 'Is Bleach finished?'],
  ['東京喰種は全巻いくら', '東京喰種:reは全巻いくら'],
  ['Something like Berserk', 'Something like Claymore', 'Something about Berserk', 'Berserk'],
  ['鬼滅の刃みたいな漫画を教えて', '鬼滅の刃を教えて'],
  ['鬼滅の刃はありますか', '鬼滅の刃もありますか', '鬼滅の刃だけありますか'],
  ['What does Demon Slayer mean?', 'What does Kimetsu no Yaiba mean?'],
  ['ナルトを読んだのでワンピースみたいな漫画を教えて', 'ワンピースを読んだのでナルトみたいな漫画を教えて'],
  // What is compared, with what, by what.
  ['ワンピースはナルトより長いですか', 'ナルトはワンピースより長いですか'],
  ['Is Naruto longer than Bleach?', 'Is Bleach longer than Naruto?'],
  [
    'Which is longer, Naruto or Bleach?',
    'Which is shorter, Naruto or Bleach?',
    'Which is longer, Naruto or One Piece?',
    'Which is longer, Bleach or Naruto?',
  ],
  ['ワンピースとナルトはどっちが長い？', 'ワンピースとナルトはどっちが安い？'],
  // Another reader.
  ['10歳の子供におすすめの漫画', '15歳の子供におすすめの漫画'],
  ['大人におすすめの漫画', '子供におすすめの漫画'],
  ['manga for a beginner', 'manga for an expert'],
  ['少年漫画を教えて', '少女漫画を教えて'],
  // Another fact, another part, or more than one.
  ['鬼滅の刃は完結していますか？', '鬼滅の刃は面白いですか？', '鬼滅の刃のアニメは完結していますか？'],
  ['鬼滅の刃は完結していますか？', '鬼滅の刃は完結していますか？全巻でいくらですか？'],
  ['鬼滅の刃は全巻でいくら？', '鬼滅の刃は1冊いくら？'],
  ['ハイキュー!!の作者は誰ですか', 'ハイキュー!!の出版社はどこですか'],
  ['Who is the author of Chainsaw Man?', 'Who is the publisher of Chainsaw Man?'],
  ['送料はいくらですか？', '送料はいつ払いますか？', '海外への送料はいくらですか？'],
  ['沖縄まで送料はいくら？', '沖縄まで送料はいくら？何日で届く？'],
  ['返品できますか', '返品できませんか'],
  ['Can I return a book?', 'Can I return an opened book?'],
  ['手塚治虫の作品を教えて', '手塚治虫の短い作品を教えて'],
  ['Other manga by Naoki Urasawa', 'Other manga by Naoki Urasawa and Osamu Tezuka'],
  [
    '完結している料理漫画を教えて',
    '完結していない料理漫画を教えて',
    '連載中の料理漫画を教えて',
    '完結しそうな料理漫画を教えて',
    '完結している料理漫画を全部教えて',
  ],
  ['completed cooking manga', 'completed cooking manga in stock', '完結している料理漫画を教えて'],
  ['怖い漫画', '怖がりの漫画'],
]

const pairsIn = (groups: readonly (readonly string[])[]) => groups.reduce((sum, { length }) => sum + length - 1, 0)

test('a question that is typed otherwise costs no call', async () => {
  assert.ok(pairsIn(ALIKE) >= 60)
  const { cost, empty } = await shop
  const missed: string[] = []
  for (const [first = '', ...others] of ALIKE) {
    empty()
    assert.equal(await cost(first), 1, first)
    for (const other of others) if ((await cost(other)) > 0) missed.push(`${first} | ${other}`)
  }
  assert.deepEqual(missed, [])
})

test('another question costs a call of its own, and has an answer of its own from then on', async () => {
  assert.ok(pairsIn(DIFFERENT) >= 60)
  const { cost, empty } = await shop
  const shared: string[] = []
  for (const group of DIFFERENT) {
    empty()
    for (const question of group) if ((await cost(question)) === 0) shared.push(`${group[0]} | ${question}`)
    for (const question of group) assert.equal(await cost(question), 0, `${question} is in the cache`)
  }
  assert.deepEqual(shared, [])
})

test('while no model answers, a question that is typed otherwise gets the cached answer, also without search', async () => {
  const { tierOf, ...faults } = await openShop({ ...vendor, answers: { ...vendor.answers, freshMs: 0 } })
  const asked = [
    ['completed cooking manga', 'COMPLETED COOKING MANGA!'],
    ['完結している料理漫画を教えて', '完結している料理漫画を教えてください？'],
  ] as const
  for (const [question] of asked) assert.equal(await tierOf(question), 'primary')
  faults.break()
  for (const [, other] of asked) assert.equal(await tierOf(other), 'cached')
  faults.breakSearch()
  for (const [, other] of asked) assert.equal(await tierOf(other), 'cached')
  assert.notEqual(await tierOf('ongoing cooking manga'), 'cached')
})
