// What the terminal chat itself says, in the language of the interface. Answers come from the server.
import type { FinishReason, Language } from '@mangaassist/protocol'

export interface ChatTexts {
  readonly starting: string
  readonly welcome: readonly string[]
  readonly help: readonly string[]
  readonly thinking: string
  queued(position: number, seconds: number): string
  held(seconds: number): string
  /** How a suggestion is chosen. */
  choose(count: number): string
  readonly newConversation: string
  unknownCommand(name: string, meant: string | undefined): string
  readonly stopped: string
  readonly notVerified: string
  readonly cutOff: string
  incomplete(reason: FinishReason): string
  /** After the text of an answer that did not end by itself. */
  ending(reason: FinishReason): string
}

const EN: ChatTexts = {
  starting: 'Starting a server…',
  welcome: [
    'MangaAssist, the assistant of a manga store. Ask for a series, or about orders and delivery.',
    '/help lists the commands. Ctrl-C stops an answer. /quit or Ctrl-D leaves.',
  ],
  help: [
    'Type a question and press Enter. After an answer, the number of a suggestion asks it.',
    '  /new    start a new conversation',
    '  /help   show this help',
    '  /quit   leave; so do exit, quit and Ctrl-D',
    'Ctrl-C stops an answer; at the prompt it leaves. Arrow up brings back an earlier question.',
  ],
  thinking: 'Thinking…',
  queued: (position, seconds) => `Queue position ${position}, about ${seconds} s`,
  held: (seconds) => `The server is busy; your question is sent in about ${seconds} s`,
  choose: (count) => (count === 1 ? 'Type 1 to ask it.' : `Type 1–${count} to ask one of them.`),
  newConversation: 'New conversation.',
  unknownCommand: (name, meant) =>
    `Unknown command ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`} /help lists the commands.`,
  stopped: 'Stopped.',
  notVerified: 'The received text does not match the hash of the answer.',
  cutOff: 'The stream ended before the answer was complete.',
  incomplete: (reason) => `The answer is incomplete (${reason}).`,
  ending: (reason) => ` (${reason})`,
}

const ENDINGS: Readonly<Record<FinishReason, string>> = {
  stop: '完了',
  length: '長さの上限',
  budget: '利用量の上限',
  timeout: '時間切れ',
  stopped: '停止',
  interrupted: '中断',
  blocked: 'お答えできません',
  deferred: '後ほど回答',
}

const JA: ChatTexts = {
  starting: 'サーバーを起動しています…',
  welcome: [
    'MangaAssist：マンガ書店のアシスタントです。作品探しも、ご注文や配送のご質問もどうぞ。',
    '/help でコマンド一覧、Ctrl-C で回答を停止、/quit または Ctrl-D で終了します。',
  ],
  help: [
    '質問を入力して Enter を押してください。回答の後は、候補の番号を入力するとその質問を送ります。',
    '  /new    新しい会話を始める',
    '  /help   このヘルプを表示する',
    '  /quit   終了する（exit、quit、Ctrl-D でも終了します）',
    'Ctrl-C は回答を停止し、入力待ちのときは終了します。上矢印キーで前の質問に戻れます。',
  ],
  thinking: '考えています…',
  queued: (position, seconds) => `順番待ち ${position} 番目、約 ${seconds} 秒`,
  held: (seconds) => `混み合っています。約 ${seconds} 秒後に送信します`,
  choose: (count) =>
    count === 1 ? '1 を入力すると、この質問を送ります。' : `1〜${count} を入力すると、その質問を送ります。`,
  newConversation: '新しい会話を始めます。',
  unknownCommand: (name, meant) =>
    `${name} というコマンドはありません。${meant === undefined ? '' : `${meant} のことですか？ `}/help でコマンド一覧を表示します。`,
  stopped: '停止しました。',
  notVerified: '受信した文章が、回答のハッシュと一致しません。',
  cutOff: '回答が終わる前に通信が切れました。',
  incomplete: (reason) => `回答は途中までです（${ENDINGS[reason]}）。`,
  ending: (reason) => `（${ENDINGS[reason]}）`,
}

export const CHAT_TEXTS: Readonly<Record<Language, ChatTexts>> = { en: EN, ja: JA }
