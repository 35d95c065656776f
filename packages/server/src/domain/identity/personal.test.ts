// Which texts are found to contain personal data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { personalIn } from './personal.ts'

const isPersonal = (text: string): boolean => personalIn(text).length > 0

const PERSONAL = [
  'メールは taro@example.jp です',
  'my mail is ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  '電話は０９０−１２３４−５６７８です',
  'call 03 (1234) 5678',
  '注文番号を教えて',
  'order number 48213',
  'ご注文 MA-20251104-0012 について',
  'voucher AB12CD34',
  '4111 1111 1111 1111',
  '〒100-0001',
  '東京都千代田区に送れますか',
  'I live at 12 Baker Street',
  'My name is Taro, any shonen?',
  "I'm Taro. Any shonen?",
  'I am Hanako',
  '田中と申します',
  '田中様の分はありますか',
  'Where is my last order?',
  'I recently bought Akira',
  '荷物が届かない',
  '1990/01/31',
  'see https://example.com/me',
  'パスワードを忘れた',
  '注文A12の状況は？',
  'Where is order 4821?',
  '荷物がまだ来ない',
  'ポイント残高は？',
  '昨日買ったやつを返品したい',
]

const ORDINARY = [
  '鬼滅の刃はありますか？',
  '泣ける漫画を教えて',
  '3000円以下で完結しているもの',
  '全部で11,132円です。',
  'under 10,000 yen please',
  '¥12000くらいまで',
  '2010年代の少女漫画',
  'What is the reading order of Fate?',
  "I'm looking for a sad manga in order to cry",
  'I’d like something like Demon Slayer',
  '送料はいくらですか',
  'Do you ship abroad?',
  '様々なジャンルの漫画',
  '20世紀少年と86の違いは？',
  'volumes 1-23',
  '電子書籍はありますか',
]

test('texts about a person, an order or an account are found', () => {
  for (const text of PERSONAL) assert.ok(isPersonal(text), text)
})

test('ordinary questions of shoppers are not found', () => {
  for (const text of ORDINARY) assert.deepEqual(personalIn(text), [], text)
})

test('an e-mail address, a telephone number or an id is found in the middle of any text', () => {
  const anySecret = fc.oneof(
    fc.emailAddress({ size: 'small' }),
    fc.stringMatching(/^0[789]0-[0-9]{4}-[0-9]{4}$/),
    fc.stringMatching(/^[0-9]{5,16}$/),
    fc.stringMatching(/^[A-Z]{2}-?[0-9]{6}$/),
  )
  fc.assert(
    fc.property(fc.constantFrom(...ORDINARY), anySecret, fc.constantFrom(...ORDINARY), (before, secret, after) =>
      isPersonal(`${before} ${secret} ${after}`),
    ),
  )
})
