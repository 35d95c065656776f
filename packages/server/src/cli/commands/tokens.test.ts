// `mangaassist tokens` reads a text, or texts in lines, and prints a line of JSON for each, for any model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

async function counted(context: TestContext, typed: string, args: readonly string[] = [], env = {}) {
  const terminal = fakeTerminal(context, { typed, env })
  const code = await main(['tokens', ...args], terminal)
  const lines = terminal.printed.out.split('\n').filter((line) => line !== '')
  const answers = lines.map((line) => JSON.parse(line) as { id?: unknown; tokens: number; family: string })
  return { code, answers, err: terminal.printed.err }
}

test('a text gives one line with its tokens, counted for the family of the default model', async (context) => {
  const { code, answers, err } = await counted(context, '泣ける漫画を教えてください。\n')
  assert.deepEqual([code, err], [0, ''])
  assert.equal(answers.length, 1)
  assert.equal(answers[0]?.family, 'claude-3')
  assert.ok((answers[0]?.tokens ?? 0) > 8 && (answers[0]?.tokens ?? 0) < 24)
  assert.deepEqual(
    (await counted(context, '')).answers.map(({ tokens }) => tokens),
    [0],
  )
})

test('--model accepts an id, its beginning, a family or a configured name', async (context) => {
  const familyOf = async (model: string, env = {}) =>
    (await counted(context, 'x', ['--model', model], env)).answers[0]?.family
  assert.equal(await familyOf('global.anthropic.claude-opus-5-5'), 'claude-4-7')
  assert.equal(await familyOf('anthropic.claude-3-haiku-20240307-v1:0'), 'claude-3')
  assert.equal(await familyOf('gpt-4o-mini-2024-07-18'), 'o200k')
  assert.equal(await familyOf('gpt-4-1106-preview'), 'cl100k')
  assert.equal(await familyOf('qwen3:4b'), 'qwen')
  assert.equal(await familyOf('cl100k'), 'cl100k')
  const configured = { MANGA_MODELS__QUICK__PROVIDER: 'openai', MANGA_MODELS__QUICK__ID: 'gpt-5.4-nano' }
  assert.equal(await familyOf('quick', configured), 'o200k')
})

test('an unknown model is counted with the generic costs, and a note says so', async (context) => {
  const { code, answers, err } = await counted(context, 'hello', ['--model', 'house-model-7'])
  assert.deepEqual([code, answers[0]?.family], [0, 'generic'])
  assert.match(err, /house-model-7.*generic/)
})

test('each line gets its own result, and only a newline ends a line', async (context) => {
  const typed = `${JSON.stringify({ id: 'a', text: 'one\u2028two' })}\r\n\n${JSON.stringify({ text: '' })}`
  const { code, answers } = await counted(context, typed, ['--jsonl'])
  assert.equal(code, 0)
  assert.deepEqual([answers.map(({ id }) => id), answers[1]?.tokens], [['a', undefined], 0])
})

test('an invalid line is reported with its number, and the exit code is 1', async (context) => {
  const broken = await counted(context, '{"text":"fine"}\n{oops\n', ['--jsonl'])
  assert.deepEqual([broken.code, broken.answers.length], [1, 1])
  assert.match(broken.err, /^Line 2 is not valid JSON/)
  const textless = await counted(context, '{"words":"x"}', ['--jsonl'])
  assert.equal(textless.code, 1)
  assert.match(textless.err, /^Line 1 has no `text`/)
})
