// A Markdown link inside an answer.

/** Brackets in the text would end the link. */
export const linked = (text: string, address: string): string =>
  `[${text.replaceAll('[', '［').replaceAll(']', '］')}](${address})`

/** Makes the address of the support page in a text of the FAQ a link. */
export const withSupportLinks = (text: string): string =>
  text.replaceAll(/(?<![\w(\]/])\/support(?![\w)/])/gu, '[/support](/support)')
