// The provider simulator: Bedrock's runtime and OpenAI's chat completions over plain HTTP on loopback, with configured
// faults. Started in process by tests, and by `mangaassist sim` for development.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { plainAnswer, scripted } from './answer.ts'
import type { Answer, ScriptedAnswer } from './answer.ts'
import { Attempts } from './attempts.ts'
import type { Attempt } from './attempts.ts'
import { FaultBook } from './fault-book.ts'
import type { VendorFault } from './faults.ts'
import { httpHandler } from './http-handler.ts'
import type { Pace } from './pace.ts'
import type { Capacity } from '../provider/habits.ts'
import type { Health } from '../provider/health.ts'
import { Regions } from './regions.ts'

export interface SimulatorOptions {
  readonly clock: Clock
  /** Default 1. The same seed and the same requests in the same order give the same faults and answers. */
  readonly seed?: number
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: as fast as possible. */
  readonly pace?: Partial<Pace>
  /** Active from the start, and again after each reset. */
  readonly faults?: readonly VendorFault[]
  /** The text of every answer, whatever the question. */
  readonly identicalText?: string
  /** The first that fits a prompt is its answer; prompts that none fits are answered as if there were no scripts. */
  readonly answers?: readonly ScriptedAnswer[]
  readonly answer?: Answer
  /** Models with a finite capacity, by their ids: their streams are those of the fleet simulator's regions. Default: none. */
  readonly regions?: Readonly<Record<string, Capacity>>
  /** The list of `GET /v1/models`; with a list, other models are not found. Default: every model exists. */
  readonly models?: readonly string[]
  readonly onAttempt?: (attempt: Attempt) => void
}

export interface Simulator extends AsyncDisposable {
  /** `http://127.0.0.1:port`: the endpoint of the AWS SDK; with `/v1` the base URL of an OpenAI client. */
  readonly url: string
  /** Adds faults. */
  faults(...faults: readonly VendorFault[]): void
  /** The faults that may still apply, with their hits. */
  active(): readonly { readonly fault: VendorFault; readonly hits: number }[]
  /** Sets the health of a model with a capacity; what is not given is well. */
  health(model: string, health: Partial<Health>): void
  /** Removes all faults and makes every region well; recorded attempts stay. */
  heal(): void
  /** In the order of arrival. */
  attempts(): readonly Attempt[]
  /** Restores the state at start-up. */
  reset(): void
  close(): Promise<void>
}

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock, faults = [], seed = 1 } = options
  const attempts = new Attempts()
  const book = new FaultBook(seed)
  const regions = new Regions({ clock, seed, regions: options.regions ?? {} })
  const reset = () => {
    regions.heal()
    attempts.clear()
    book.reset()
    book.set(faults, clock.now())
  }
  reset()
  const control = {
    faults: (...more: readonly VendorFault[]) => book.set(more, clock.now()),
    health: (model: string, health: Partial<Health>) => regions.setHealth(model, health),
    heal: () => {
      regions.heal()
      book.clear()
    },
    attempts: () => attempts.list(),
    reset,
    active: () => book.list(clock.now()),
  }
  const server = createServer(
    httpHandler({
      ...options,
      seed,
      answer: answerOf(options),
      attempts,
      book,
      regions,
      control,
      pace: { firstTokenMs: 0, tokensPerSecond: 0, ...options.pace },
    }),
  )
  const close = () => closeServer(server)
  return { ...control, url: await listen(server, options.port ?? 0), close, [Symbol.asyncDispose]: close }
}

function answerOf({ answer = plainAnswer, answers = [], identicalText }: SimulatorOptions): Answer {
  return scripted(answers, identicalText === undefined ? answer : () => identicalText)
}

async function listen(server: Server, port: number): Promise<string> {
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, '127.0.0.1', resolve)
  await promise
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  return promise
}
