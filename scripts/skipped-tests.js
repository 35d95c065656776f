// Reports the test files that `run-tests.js` left out, so that the runner counts and names them as skipped.
import { test } from 'node:test'

for (const { file, reason } of JSON.parse(process.env.SKIPPED_TESTS ?? '[]')) test(file, { skip: reason })
