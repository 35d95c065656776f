// Yields every item of a paginated query and holds at most one page in memory. A store whose pages are read synchronously
// passes `pause`, which lets other work run before the next page.

export async function* eachOfPages<Item>(
  pageItems: number,
  page: (limit: number, after: Item | undefined) => Promise<readonly Item[]>,
  pause?: () => Promise<void>,
): AsyncGenerator<Item> {
  let last: Item | undefined
  for (;;) {
    const items = await page(pageItems, last)
    yield* items
    last = items.at(-1)
    if (items.length < pageItems) return
    await pause?.()
  }
}
