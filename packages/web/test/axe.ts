// Violations that axe-core finds in a page, shadow roots included, as short lines for an assertion.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
}

/** Rules about the whole page, which the panel alone cannot keep or break. */
const ofPage = { region: { enabled: false } }

/** Only what is inside of the selected elements, the outermost first: the page around them has tests of its own. */
export async function axeProblems(page: Page, ...selectors: string[]): Promise<string[]> {
  await page.evaluate(script)
  return page.evaluate(
    async ([within, rules]) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const { violations } = await axe.run({ include: [within] }, { resultTypes: ['violations'], rules })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
    },
    [selectors, ofPage] as const,
  )
}
