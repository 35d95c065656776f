// What questions that yes or no answers take to be so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supposedIn } from './supposed.ts'

test('a question that yes or no answers supposes something', () => {
  for (const [words, supposed] of [
    ['is it finished?', 'finished'],
    ['もう完結してますか', 'finished'],
    ['そろそろ終わりますか', 'finished'],
    ['Is it still going?', 'running'],
    ['まだ続いてます?', 'running'],
    ['who drew it and is it finished', 'finished'],
    ['どっちも完結してる?', 'finished'],
    ['まだ連載してる?', 'running'],
    ['在庫ありますか', 'in-stock'],
    ['売り切れてないですよね?', 'in-stock'],
    ['is it sold out?', 'sold-out'],
    ['アニメになってますか', 'animated'],
    ['映画になってますか', 'filmed'],
    ['実写化されてますか', 'live-action'],
    ['is there a live-action version?', 'live-action'],
    ['would a 9-year-old be OK with it?', 'suitable'],
    ['6歳の息子と一緒に読めますかね', 'suitable'],
  ] as const)
    assert.deepEqual(supposedIn(words), [supposed], words)
})

test('a question for one of several, or for a number, supposes nothing', () => {
  for (const words of [
    'is it finished or still going?',
    'how many volumes until it is finished?',
    '何巻で完結ですか',
    '完結してますか、それともまだ続いてますか',
    'まだ終わってないんですか',
    'who is it by?',
  ])
    assert.deepEqual(supposedIn(words), [], words)
})
