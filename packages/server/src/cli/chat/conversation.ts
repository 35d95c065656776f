// One conversation with a server: asks a question at a time, shows its answer, and can stop it.
import type { Client } from '@mangaassist/client'
import type { Language, Suggestion } from '@mangaassist/protocol'
import { CommandError } from '../command.ts'
import type { Answer, AnswerView } from './answer-view.ts'
import type { ChatTexts } from './chat-texts.ts'

export interface ConversationParts {
  readonly client: Client
  readonly view: AnswerView
  readonly texts: ChatTexts
  readonly sessionId: string | undefined
  /** Undefined where the locale names none: the server decides by the words. */
  readonly interfaceLanguage: Language | undefined
}

export class Conversation {
  readonly #parts: ConversationParts
  #sessionId: string | undefined
  #suggestions: readonly Suggestion[] = []
  #inFlight: AbortController | undefined

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.#sessionId = parts.sessionId
  }

  /** Those of the last answer. */
  get suggestions(): readonly Suggestion[] {
    return this.#suggestions
  }

  /** Throws when there is no answer, or an incomplete one. */
  async ask(message: string): Promise<void> {
    const { texts, view } = this.#parts
    const stop = new AbortController()
    this.#inFlight = stop
    this.#suggestions = []
    view.begin()
    try {
      const answer = await this.#answer(message, stop.signal)
      view.end(answer)
      this.#suggestions = answer.suggestions
      throwIfIncomplete(answer, texts)
    } catch (error) {
      view.fail()
      throw stop.signal.aborted ? new CommandError(texts.stopped, { cause: error }) : error
    } finally {
      this.#inFlight = undefined
    }
  }

  /** The next question begins a new conversation. */
  restart(): void {
    this.#sessionId = undefined
    this.#suggestions = []
  }

  /** Stops the answer in flight; the second time without waiting for its end. False when there is none. */
  interrupt(): boolean {
    if (this.#inFlight === undefined) return false
    if (this.#inFlight.signal.aborted) this.#parts.client.close()
    this.#inFlight.abort()
    return true
  }

  async #answer(message: string, signal: AbortSignal): Promise<Answer> {
    const { client, interfaceLanguage, texts, view } = this.#parts
    let products: Answer['products'] = []
    let suggestions: Answer['suggestions'] = []
    for await (const part of client.chat({ message, sessionId: this.#sessionId, interfaceLanguage, signal })) {
      view.part(part)
      if (part.type === 'accepted') this.#sessionId = part.sessionId
      if (part.type === 'meta') ({ products, suggestions = [] } = part.meta)
      if (part.type !== 'done') continue
      const { done, text, verified } = part
      return { sessionId: this.#sessionId ?? '', text, products, suggestions, done, verified }
    }
    throw new CommandError(texts.cutOff)
  }
}

function throwIfIncomplete({ done, verified }: Answer, texts: ChatTexts): void {
  const { finishReason } = done
  if (!verified) throw new CommandError(texts.notVerified)
  if (finishReason === 'stopped') throw new CommandError(texts.stopped)
  if (finishReason === 'timeout' || finishReason === 'interrupted')
    throw new CommandError(texts.incomplete(finishReason))
}
