// A Markdown link inside an answer.

/** Brackets in the text would end the link. */
export const linked = (text: string, address: string): string =>
  `[${text.replaceAll('[', '［').replaceAll(']', '］')}](${address})`

/** Makes the address of the support page in a text of the FAQ a link on the words before it, or on words of its own. */
export const withSupportLinks = (text: string): string =>
  text
    .replaceAll(NAMED, '[$1](/support)')
    .replaceAll(BARE, `[${JAPANESE.test(text) ? 'サポート窓口' : 'our support page'}](/support)`)

/** 「サポート窓口（/support）」, "support (/support)", "the support page at /support". */
const NAMED = /(サポート(?:窓口|ページ)?|\bsupport(?: page| desk)?)\s*(?:[（(]\/support[)）]|at \/support(?![\w/]))/giu
/** "Write to us at /support"; not inside a link. */
const BARE = /(?<![\w./]|\]\()\/support(?![\w/])/gu
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
