// Pages are loaded one after the other, late responses do not mix, and a failed page can be loaded again.
import assert from 'node:assert/strict'
import test from 'node:test'
import { noFilters } from './routes.ts'
import { createShelf } from './shelf.ts'
import type { Series, SeriesPage } from './store-api.ts'

const series = (id: string): Series => ({ id }) as Series
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function setUp() {
  const asked: string[] = []
  const answers: PromiseWithResolvers<SeriesPage>[] = []
  const shelf = createShelf(
    (query) => {
      asked.push(query.toString())
      const answer = Promise.withResolvers<SeriesPage>()
      answers.push(answer)
      return answer.promise
    },
    () => {},
  )
  const ids = () => shelf.state.items.map(({ id }) => id)
  return { shelf, asked, answers, ids }
}

test('the next page follows the last one, without repeats', async () => {
  const { shelf, asked, answers, ids } = setUp()
  shelf.show(noFilters, 'ja')
  answers[0]?.resolve({ items: [series('a'), series('b')], next: 'b' })
  await tick()
  shelf.more()
  shelf.more()
  answers[1]?.resolve({ items: [series('b'), series('c')], next: undefined })
  await tick()
  assert.deepEqual(asked, ['limit=24', 'limit=24&after=b'])
  assert.deepEqual([ids(), shelf.state.next, shelf.state.phase], [['a', 'b', 'c'], undefined, 'ready'])
})

test('a late response is not shown under other filters', async () => {
  const { shelf, answers, ids } = setUp()
  shelf.show(noFilters, 'ja')
  shelf.show({ ...noFilters, q: 'x' }, 'ja')
  answers[1]?.resolve({ items: [series('x')], next: undefined })
  await tick()
  answers[0]?.resolve({ items: [series('a')], next: undefined })
  await tick()
  assert.deepEqual(ids(), ['x'])
})

test('back shows the loaded series at once', async () => {
  const { shelf, asked, answers, ids } = setUp()
  shelf.show(noFilters, 'ja')
  answers[0]?.resolve({ items: [series('a')], next: undefined })
  await tick()
  shelf.show({ ...noFilters, q: 'x' }, 'ja')
  shelf.show(noFilters, 'ja')
  assert.deepEqual([ids(), asked.length], [['a'], 2])
})

test('a failed page can be requested again, and the series before it stay', async () => {
  const { shelf, asked, answers, ids } = setUp()
  shelf.show(noFilters, 'ja')
  answers[0]?.resolve({ items: [series('a')], next: 'a' })
  await tick()
  shelf.more()
  answers[1]?.reject(new Error('x'))
  await tick()
  assert.deepEqual([ids(), shelf.state.phase], [['a'], 'failed'])
  shelf.more()
  assert.equal(asked[2], asked[1])
})
