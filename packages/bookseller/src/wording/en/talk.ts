// Small talk, questions back, and follow-ups in English.
import type { Suggestion } from '../../dialogue/state.ts'
import type { Part } from '../lines.ts'
import { fittingLabel } from '../fitting-label.ts'
import type { LineOf, FollowUp, Wording } from '../lines.ts'
import { notedInEnglish } from './picks.ts'
import { english } from './words.ts'

const { titles } = english

const TALK: Readonly<Record<LineOf<'talk'>['topic'], readonly string[]>> = {
  greet: [
    'Welcome! What kind of manga are you in the mood for?',
    'Hello. What would you like to read today?',
    'Hi there. Could you name a series you like?',
  ],
  thanks: [
    'You’re welcome. Come back whenever another series catches your eye.',
    'Glad to help. Happy reading!',
    'My pleasure.',
  ],
  resolved: [
    'I hope it is sorted out soon. I’m here if there is anything else.',
    'Thank you for your patience. Just ask if you need anything else.',
  ],
  bye: ['Thank you, and goodbye. Enjoy your reading!', 'See you next time.'],
  identity: [
    'I’m this bookshop’s AI assistant, not a person. If you would rather talk to one, our staff are at the [support page](/support).',
    'I’m an AI, not a human bookseller. I know the series on our shelves and how the shop works.',
  ],
  help: [
    'I can find series by mood or by a half-remembered plot, tell you prices, lengths and who made them, compare them, and explain shipping and returns. What are you looking for?',
    'Try me with “like Naruto but short” or “finished, under ¥5,000 in all”. The one thing I can’t see is orders; the [support page](/support) is the place for those.',
  ],
  language: [
    'Sure, English from here on. What are you looking for?',
    'Of course, I’ll answer in English. What can I find for you?',
  ],
  smalltalk: [
    'I’m afraid that’s beyond me, but I do know manga. What kind of story would you like?',
    'I only really know manga and this shop. Shall I pick something for your mood?',
    'No idea, sorry, I’m better with books. What do you feel like reading?',
  ],
  abuse: [
    'I’m sorry I’m no help with that. With manga or your shopping I’ll gladly try, and our staff at the [support page](/support) will listen too.',
    'Sorry to let you down. Tell me in a word what you need, or write to our staff at the [support page](/support).',
    'I’ll leave that aside, but I’m here for books, and our staff are at the [support page](/support).',
  ],
  forgiven: [
    'No harm done at all. What can I find for you?',
    'Please don’t worry about it. What would you like to read?',
  ],
  distress: [
    'I’m so sorry you are hurting this much. I’m only a bookshop’s assistant, so please talk to someone right now: a person you trust, a crisis line near you, or the emergency services.',
    'Thank you for telling me. Please don’t stay alone with this: call a crisis line or the emergency services where you are, or someone close to you.',
  ],
  unclear: [
    'Sorry, I didn’t quite get that. I can find a series, tell you about one, or help with shipping, payment and returns. Which would you like?',
    'I’m not sure what you mean. Is it about a series, or about an order or the shop?',
    'Could you put that another way? You can give me a title, a mood, or a question about the shop.',
  ],
  declined: [
    'All right. What should be different?',
    'No problem. What else do you feel like?',
    'That’s fine. I’m here when you need me.',
  ],
  noted: ['What kind of stories do they enjoy?', 'Is there a series they have liked lately?'],
}

export const EN_TALK: Part<Wording, 'ask' | 'talk'> = {
  ask: ({ what, among }) => {
    if (what === 'taste')
      return [
        'Could you name one series you enjoyed lately?',
        'What are you in the mood for: funny, moving, tense or cosy?',
      ]
    if (among.length > 1)
      return [
        `Which one do you mean: ${titles(among.slice(0, 3), 'or')}?`,
        `Are you asking about ${titles(among.slice(0, 3), 'or')}?`,
      ]
    return ['Which series do you mean?', 'Could you tell me the title?']
  },
  talk: ({ topic, noted: news }) => {
    const lead = topic === 'noted' ? notedInEnglish(news) || 'Got it. ' : ''
    return TALK[topic].map((text) => `${lead}${text}`)
  },
}

export function followUpInEnglish(offer: FollowUp): Suggestion {
  switch (offer.offer) {
    case 'similar':
      return { label: `More like ${offer.product.title.en}`, message: `something like ${offer.product.title.en}` }
    case 'synopsis':
      return { label: `The story of ${offer.product.title.en}`, message: `What is ${offer.product.title.en} about?` }
    case 'total':
      return {
        label: 'What does the whole set cost?',
        message: `How much is the whole set of ${offer.product.title.en}?`,
      }
    case 'works':
      return { label: 'More by the same author', message: `Other works by the author of ${offer.product.title.en}?` }
    case 'buy':
      return { label: `Buy ${offer.product.title.en}`, message: `I want to buy ${offer.product.title.en}` }
    case 'audience':
      return { label: 'Who would like it?', message: `Who would enjoy ${offer.product.title.en}?` }
    case 'compare': {
      const [a, b] = offer.products.map(({ title }) => title.en)
      return {
        label: fittingLabel(`How do ${a} and ${b} differ?`, 'How do the first two differ?'),
        message: `What is the difference between ${a} and ${b}?`,
      }
    }
    case 'others':
      return { label: 'Show me others', message: 'show me some others' }
    case 'cheaper':
      return { label: 'Something cheaper', message: 'something cheaper' }
    case 'shorter':
      return { label: 'Something shorter', message: 'something shorter' }
    case 'finished':
      return { label: 'Finished series only', message: 'only finished series please' }
    case 'relax-budget':
      return { label: 'Forget the budget', message: 'forget the budget' }
    case 'funny':
      return { label: 'Something funny', message: 'recommend something funny' }
    case 'moving':
      return { label: 'Something moving', message: 'recommend something that makes me cry' }
    case 'short-finished':
      return { label: 'Finished within 10 volumes', message: 'a finished series of ten volumes or fewer' }
    case 'for-child':
      return { label: 'For a child', message: 'something for a 10-year-old' }
    case 'shipping':
      return { label: 'What is the shipping fee?', message: 'How much is shipping?' }
    case 'returns':
      return { label: 'Returns', message: 'Can I return a book?' }
    case 'person':
      return { label: 'Contact the staff', message: 'I want to speak to a person' }
    case 'tracking':
      return { label: 'Track a parcel', message: 'How do I track my package?' }
  }
}
