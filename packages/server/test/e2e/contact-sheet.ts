// Joins pictures of a browser to one picture, in rows, each with a caption: for the scripts that make the pictures of the documents.
import type { Browser } from 'playwright-core'

export interface Frame {
  /** Set in bold before the caption: a time, or the keys that were pressed. */
  readonly mark: string
  readonly caption: string
  readonly image: Buffer
}

export interface SheetOptions {
  readonly columns: number
  readonly widthPx: number
  readonly language: 'ja' | 'en'
}

export async function contactSheet(
  browser: Browser,
  frames: readonly Frame[],
  { columns, language, widthPx }: SheetOptions,
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: widthPx, height: 100 }, locale: language })
  const figures = frames.map(
    ({ caption, image, mark }) =>
      `<figure><figcaption><b>${mark}</b> ${caption}</figcaption>` +
      `<img src="data:image/png;base64,${image.toString('base64')}"></figure>`,
  )
  await page.setContent(
    `<html lang="${language}"><style>
    body{margin:0;padding:16px;display:grid;grid-template-columns:repeat(${columns},minmax(0,1fr));gap:16px;background:#fff;font:16px sans-serif}
    figure{margin:0}figcaption{margin-bottom:8px;color:#222}b{color:#b3261e}
    img{display:block;width:100%;box-sizing:border-box;border:1px solid #bbb;border-radius:12px}</style>${figures.join('')}`,
  )
  const picture = await page.screenshot({ fullPage: true })
  await page.close()
  return picture
}
