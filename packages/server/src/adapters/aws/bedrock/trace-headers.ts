// Tells Bedrock which span a call belongs to. The headers are added before the request is signed; the signature leaves out
// X-Ray's, which proxies may change.
import { xRayHeaderOf, traceparentOf } from '#domain/telemetry/trace-context.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'

interface Traceable {
  readonly middlewareStack: {
    add(
      middleware: <Args extends { request: unknown }, Result>(
        next: (args: Args) => Promise<Result>,
      ) => (args: Args) => Promise<Result>,
      options: { readonly step: 'build'; readonly name: string },
    ): void
  }
}

export function withTrace<Command extends Traceable>(command: Command, trace: TraceContext | undefined): Command {
  if (trace === undefined) return command
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers?: Record<string, string> }
      if (headers !== undefined) {
        headers['traceparent'] = traceparentOf(trace)
        headers['X-Amzn-Trace-Id'] = xRayHeaderOf(trace)
      }
      return next(args)
    },
    { step: 'build', name: 'mangaassistTrace' },
  )
  return command
}
