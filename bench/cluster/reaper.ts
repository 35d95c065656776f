// A process that outlives its starter by a moment: it receives the ids of the other processes on stdin, and when that
// closes, however the starter ended, it ends those that still run and removes the folder. Lines: `+pid`, `-pid`.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const folder = process.argv[2]
const running = new Set<number>()

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) running.add(pid)
  else running.delete(pid)
}
for (const pid of running) {
  try {
    // Each is the leader of a group.
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
if (folder !== undefined && folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
