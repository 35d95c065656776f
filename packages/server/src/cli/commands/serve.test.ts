// The flags of `mangaassist serve`. What it serves is tested in `test/e2e`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { UsageError } from '../command.ts'
import { serve } from './serve.ts'

test('a demo that is wanted and not wanted, and an unknown flag, are wrong command lines', async (context) => {
  for (const args of [['--demo', '--no-demo'], ['--demos']])
    await assert.rejects(async () => serve.run(args, fakeTerminal(context)), UsageError, args.join(' '))
})
