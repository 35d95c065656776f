// `mangaassist metrics`: prints the page of all metrics and log events. No server is asked.
import { telemetryChapters, telemetryReference } from '#domain/telemetry/reference.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

export const metrics: Command = {
  summary: 'Print every metric and every log event, with its labels or fields and its meaning',
  usage: `Usage: mangaassist metrics [PART]

Prints the metrics at /metrics and the events of the log as a page in Markdown. docs/metrics.md
explains what all of them have in common. No server is asked.

PART   only those whose name contains it, for example prewarm or mangaassist_lane_`,

  async run(args, terminal) {
    const { positionals } = parseWords(args, {})
    const [part, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
    const page = telemetryReference(telemetryChapters, part)
    if (page === '') throw new CommandError(`No metric and no event has ${JSON.stringify(part)} in its name.`)
    terminal.stdout.write(page)
    return 0
  },
}
