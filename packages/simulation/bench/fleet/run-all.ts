// Makes runs on several processes; each takes the next as soon as it is free.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Result } from './stored-results.ts'
import type { Task } from './table-plan.ts'

const WORKER = join(import.meta.dirname, 'worker.ts')

export async function runAll(tasks: readonly Task[], workers: number, onResult: (result: Result) => void) {
  // One iterator for all workers: the next free one takes from it.
  const left = tasks.values()
  const count = Math.min(workers, tasks.length)
  await Promise.all(Array.from({ length: count }, () => work(left, onResult)))
}

async function work(left: Iterable<Task>, onResult: (result: Result) => void): Promise<void> {
  const child = fork(WORKER)
  try {
    for (const task of left) onResult(await answerOf(child, task))
  } finally {
    child.kill()
  }
}

function answerOf(child: ChildProcess, task: Task): Promise<Result> {
  const { promise, reject, resolve } = Promise.withResolvers<Result>()
  const onExit = () => reject(new Error(`the run ${JSON.stringify(task)} ended its process`))
  child.once('exit', onExit)
  child.once('message', (result: Result) => {
    child.off('exit', onExit)
    resolve(result)
  })
  child.send(task)
  return promise
}
