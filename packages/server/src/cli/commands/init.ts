// `mangaassist init`: asks for the shop's name, its address, a model and a cheaper one beside it, writes a commented
// `mangaassist.config.ts`, and checks it as `doctor` does. A model that costs money is used only when it was chosen by name or number.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { commandLine, modelsGuide, startCommand } from '#config/installation.ts'
import { CONFIG_FILE, ConfigError } from '#config/load-config.ts'
import { configure } from '#wiring/configure.ts'
import { readModelBook } from '#wiring/models/model-facts.ts'
import { CommandError, parseFlags, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { describeAll, examine } from './doctor.ts'
import { configText } from '../init/config-text.ts'
import type { Choices } from '../init/config-text.ts'
import { costsLess, economyOffers } from '../init/economy.ts'
import { findLocalServers, usualAddresses } from '../init/local-servers.ts'
import { EMBEDDED, offerNamed, offersHere } from '../init/offers.ts'
import type { Offer, OfferParts } from '../init/offers.ts'
import { openQuestions } from '../init/questions.ts'
import type { Questions } from '../init/questions.ts'

const flags = {
  'name-ja': { type: 'string' },
  'name-en': { type: 'string' },
  port: { type: 'string' },
  address: { type: 'string' },
  model: { type: 'string' },
  economy: { type: 'string' },
  yes: { type: 'boolean' },
  force: { type: 'boolean' },
} as const

type Flags = ReturnType<typeof parseFlags<typeof flags>>

const NAME_LENGTH_MAX = 80
const PORT_MAX = 65_535
const NO_ADDRESS = 'none'
const NO_ECONOMY = 'none'

export const init: Command = {
  summary: 'Write a first configuration file, and check it',
  usage: `Usage: mangaassist init [--name-ja NAME] [--name-en NAME] [--port N] [--address URL]
                        [--model MODEL] [--economy MODEL] [--yes] [--force]

Asks for what its flags do not give, writes ${CONFIG_FILE}, and checks it as doctor does.
It looks for keys in the environment, for AWS credentials, and for servers such as Ollama on this
machine, and offers what it finds with its price. Unless a model is chosen, the built-in responder
answers, which is free. Beside a model that is chosen it proposes one at a third of its price or
less, for the questions that do not need the first, with what such routing would save.

  --name-ja NAME, --name-en NAME   the shop's name in Japanese and in English
  --port N                         where to listen (default ${defaults.server.port})
  --address URL                    where shoppers will reach it, such as
                                   https://assistant.shop.example
  --model MODEL                    embedded, or provider:id as init lists them, such as
                                   openai:gpt-6-luna
  --economy MODEL                  asked first for simple and moderate questions (routing), or none
  --yes                            ask nothing: use the default where no flag is given
  --force                          replace an existing ${CONFIG_FILE}`,

  async run(args, terminal) {
    const given = parseFlags(args, flags)
    const path = join(terminal.workspaceRoot, CONFIG_FILE)
    if (existsSync(path) && given.force !== true)
      throw new CommandError(`${path} exists. Edit it, or use --force to replace it.`)
    const choices = await choose(given, terminal)
    write(path, configText(choices))
    terminal.stdout.write(`\nWrote ${path}\n\n`)
    return check(choices, terminal)
  },
}

async function choose(given: Flags, terminal: Terminal): Promise<Choices> {
  // Invalid flags are refused before anything is asked.
  const flagged = {
    ja: valueOf(given['name-ja'], nameIn),
    en: valueOf(given['name-en'], nameIn),
    port: valueOf(given.port, portIn),
    address: valueOf(given.address, addressIn),
  }
  const found = await searchHere(terminal)
  const named = valueOf(given.model, (name) => namedOffer(name, found))
  const economyBeside = (offer: Offer) => valueOf(given.economy, (name) => ({ offer: economyIn(name, offer, found) }))
  if (named !== undefined) economyBeside(named)
  const { store } = defaults
  if (given.yes === true) {
    const name = { ja: flagged.ja ?? flagged.en ?? store.name.ja, en: flagged.en ?? flagged.ja ?? store.name.en }
    const { address, port = defaults.server.port } = flagged
    const offer = named ?? EMBEDDED
    const economy = economyBeside(offer)
    if (economy === undefined) await mentionEconomy(offer, found, terminal)
    return { name, port, address: address?.origin, offer, economy: economy?.offer }
  }
  using questions = openQuestions(terminal)
  const ask = <Value>(text: string, usual: string, read: (answer: string) => Value) =>
    questions.ask({ text, usual, read })
  const ja = flagged.ja ?? (await ask('The shop’s name in Japanese', flagged.en ?? store.name.ja, nameIn))
  const usualEn = ja === store.name.ja ? store.name.en : ja
  const en = flagged.en ?? (await ask('The shop’s name in English', usualEn, nameIn))
  const port = flagged.port ?? (await ask('Port to listen on', `${defaults.server.port}`, portIn))
  const about = 'Where shoppers will reach it, such as https://assistant.shop.example'
  const address = flagged.address ?? (await ask(about, NO_ADDRESS, addressIn))
  const offer = named ?? (await chooseOffer(questions, found, terminal))
  const economy = economyBeside(offer) ?? (await chooseEconomy(questions, { offer, found, terminal }))
  return { name: { ja, en }, port, address: address.origin, offer, economy: economy.offer }
}

function valueOf<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  if (text === undefined) return undefined
  try {
    return read(text)
  } catch (error) {
    throw error instanceof CommandError ? new UsageError(error.message, { cause: error }) : error
  }
}

function nameIn(text: string): string {
  if (text.length >= 1 && text.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(text)) return text
  throw new CommandError(`A name has 1 to ${NAME_LENGTH_MAX} characters and no control characters.`)
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= PORT_MAX) return port
  throw new CommandError(`A port is a whole number from 1 to ${PORT_MAX}.`)
}

/** `origin` is undefined for this machine only. */
function addressIn(text: string): { readonly origin: string | undefined } {
  if (text === NO_ADDRESS) return { origin: undefined }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.username === '' && url.search === '')
    return { origin: url.origin }
  throw new CommandError('An address begins with https:// or http:// and has no path; or it is none.')
}

async function searchHere({ env, stdout }: Terminal): Promise<OfferParts> {
  stdout.write('Looking for keys in the environment and for model servers on this machine …\n')
  const [book, servers] = await Promise.all([
    readModelBook(),
    findLocalServers(usualAddresses(env['OLLAMA_HOST']), systemClock()),
  ])
  return { env, book, servers }
}

function namedOffer(name: string, found: OfferParts): Offer {
  const offer = offerNamed(name, found)
  if (offer !== undefined) return offer
  const names = offersHere(found).map((other) => other.name)
  throw new CommandError(
    `Unknown model ${JSON.stringify(name)}. Found here: ${names.join(', ')}. ${modelsGuide()} shows how to configure any other.`,
  )
}

async function chooseOffer(questions: Questions, found: OfferParts, { stdout }: Terminal): Promise<Offer> {
  const offers = offersHere(found)
  const lines = offers.map(({ install, name, price, source }, index) => {
    const needs = install === undefined ? '' : `\n       first run: ${install}`
    return `  ${`${index + 1}`.padStart(2)}  ${name}: ${price}; ${source}${needs}\n`
  })
  stdout.write(`\nWhich model should answer? Found here:\n${lines.join('')}`)
  return questions.ask({
    text: 'Number or name',
    usual: '1',
    read: (answer) => offers[/^\d+$/.test(answer) ? Number(answer) - 1 : -1] ?? namedOffer(answer, found),
  })
}

/** The model for what `offer` is not needed for; undefined for none. */
function economyIn(name: string, offer: Offer, found: OfferParts): Offer | undefined {
  if (name === NO_ECONOMY) return undefined
  const economy = namedOffer(name, found)
  if (economy.model.provider === 'embedded' || !costsLess(economy, offer, found))
    throw new CommandError('The economy model goes beside a model that costs more; without one it is none.')
  return economy
}

async function chooseEconomy(
  questions: Questions,
  { found, offer, terminal }: { readonly offer: Offer; readonly found: OfferParts; readonly terminal: Terminal },
): Promise<{ readonly offer: Offer | undefined }> {
  const proposed = await economyOffers(offer, found, await shopSoFar(terminal))
  if (proposed.length === 0) return { offer: undefined }
  const lines = proposed.map(
    ({ offer: { name, price, source }, saving }, index) =>
      `  ${`${index + 1}`.padStart(2)}  ${name}: ${price}; ${source}; saves ${saving}\n`,
  )
  terminal.stdout.write(
    `\nMost questions do not need ${offer.name}. With routing a cheaper model is asked first for simple and moderate ones:\n${lines.join('')}`,
  )
  return questions.ask({
    text: 'Number or name, or none',
    usual: NO_ECONOMY,
    read: (answer) => ({
      offer: proposed[/^\d+$/.test(answer) ? Number(answer) - 1 : -1]?.offer ?? economyIn(answer, offer, found),
    }),
  })
}

/** Nothing is asked, and no model is used that was not named. */
async function mentionEconomy(offer: Offer, found: OfferParts, terminal: Terminal): Promise<void> {
  const [best] = await economyOffers(offer, found, await shopSoFar(terminal))
  if (best === undefined) return
  const { name } = best.offer
  terminal.stdout.write(
    `Routing simple and moderate questions to ${name} would save ${best.saving}: --economy ${name}\n`,
  )
}

/** What is configured before, for its recorded turns; undefined where that is not valid. */
async function shopSoFar({ env, workspaceRoot }: Terminal): Promise<Config | undefined> {
  try {
    return (await configure({ env, workspaceRoot })).config
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** Written to another name and renamed: after a crash there is the old file or the complete new one. */
function write(path: string, text: string): void {
  const temporary = `${path}.new`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`${path} cannot be written (${code}).`, { cause: error })
  }
}

async function check({ economy, offer }: Choices, terminal: Terminal): Promise<number> {
  const findings = await examine(terminal)
  terminal.stdout.write(`${describeAll(findings)}\n\n`)
  const isSound = findings.every(({ ok }) => ok)
  const fix = offer.install ?? economy?.install ?? 'fix what is marked with ✗'
  // Only a call shows whether the vendor accepts the key and the id.
  const trial =
    offer.model.provider === 'embedded'
      ? ''
      : `${commandLine('doctor --models')} (asks the model for a few words), then `
  terminal.stdout.write(`Next: ${isSound ? `${trial}${startCommand()}` : `${fix}, then ${commandLine('doctor')}`}\n`)
  return isSound ? 0 : 1
}
