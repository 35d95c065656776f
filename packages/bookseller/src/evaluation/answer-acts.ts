// The kinds of answer that an answer of the built-in responder is, in the terms of the evaluation.
import type { Grounding } from '../grounding.ts'
import type { Talk } from '../dialogue/intent.ts'
import type { AnswerAct } from './conversation.ts'

const TALK: Readonly<Record<Talk, readonly AnswerAct[]>> = {
  greet: ['greet'],
  thanks: ['thanks'],
  bye: ['bye'],
  identity: ['identity'],
  help: ['identity', 'ask'],
  language: ['language'],
  smalltalk: ['decline'],
  abuse: ['decline'],
  distress: ['decline'],
  unclear: ['ask'],
  declined: ['acknowledge', 'ask'],
  noted: ['acknowledge', 'ask'],
}

export function answerActs({ intent, products }: Pick<Grounding, 'intent' | 'products'>): readonly AnswerAct[] {
  const hasShown = products.length > 0
  switch (intent.kind) {
    case 'suggest':
      if (!hasShown) return ['ask']
      return intent.occasion === 'noted' ? ['acknowledge', 'suggest'] : ['suggest']
    case 'identify':
      return hasShown ? ['identify', 'suggest'] : ['ask']
    case 'introduce':
    case 'inform':
    case 'sum':
      return hasShown ? ['inform'] : ['ask']
    case 'compare':
      return hasShown ? ['compare', 'inform'] : ['ask']
    case 'works':
      return hasShown ? ['suggest', 'inform'] : ['inform', 'unstocked']
    case 'explain':
      return hasShown ? ['explain', 'inform'] : ['ask']
    case 'unstocked':
      return hasShown ? ['unstocked', 'suggest'] : ['unstocked', 'ask']
    case 'choose':
      return hasShown ? ['acknowledge', 'inform', 'buy'] : ['ask']
    case 'buy':
      return hasShown ? ['buy'] : ['buy', 'ask']
    case 'order':
      return ['order', 'policy']
    case 'complaint':
      return intent.grievance === 'answer' ? ['sorry', 'ask'] : ['sorry', 'contact']
    case 'person':
      return ['contact']
    case 'faq':
      return ['policy']
    case 'ask':
      return ['ask']
    case 'talk':
      return TALK[intent.topic]
  }
}
